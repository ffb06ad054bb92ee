//! Puts k futures into a set that yield m times each.

use corobench_futures::{drive, join_all, program, start_all, yield_now};
use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result, TrueSwitches};
use std::process::ExitCode;

/// Counts its resumes from a number on.
async fn body<P: Probe>(i: u64, m: u64, from: u64, probe: P) -> (u64, u64) {
    let mut count = from;
    for _ in 0..m {
        yield_now().await;
        probe.event(Kind::Run, i);
        count += 1;
    }
    probe.event(Kind::Done, i);
    (i, count)
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let (k, m) = (plan.param("k"), plan.param("m"));
    while plan.iterations.wanted() {
        let nonce = plan.nonce();
        let region = Region::start();
        let set = start_all((0..k).map(|i| body(i, m, nonce, probe.clone())), &probe);
        let mut checksum = 0;
        let finished = join_all(set, &probe, |count| checksum += count).await;
        let elapsed = region.stop();
        let resumes = checksum - finished * nonce;
        let evidence =
            Evidence::default().with("finished", finished).with("resumes", resumes).with("checksum", checksum);
        plan.iterations.record(elapsed, resumes, probe.testify(evidence));
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    let keys = Keys { flags: &["count"], ..Keys::numbers(&["k", "m"]) };
    program("switch", keys, |plan| match (plan.trace.clone(), plan.flag("count")) {
        (None, false) => drive(measure(plan, Off)),
        (None, true) => drive(measure(plan, TrueSwitches::new(Off))),
        (Some(trace), false) => drive(measure(plan, trace)),
        (Some(trace), true) => drive(measure(plan, TrueSwitches::new(trace))),
    })
}
