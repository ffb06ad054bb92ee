//! Puts k futures into a set that yield m times each.

use corobench_futures::{drive, join_all, program, start_all, yield_now};
use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result, TrueSwitches};
use std::process::ExitCode;

async fn body<P: Probe>(i: u64, m: u64, probe: P) -> (u64, u64) {
    let mut resumes = 0;
    for _ in 0..m {
        yield_now().await;
        probe.event(Kind::Run, i);
        resumes += 1;
    }
    probe.event(Kind::Done, i);
    (i, resumes)
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let (k, m) = (plan.param("k"), plan.param("m"));
    while plan.iterations.wanted() {
        let region = Region::start();
        let set = start_all((0..k).map(|i| body(i, m, probe.clone())), &probe);
        let mut resumes = 0;
        let finished = join_all(set, &probe, |result| resumes += result).await;
        let elapsed = region.stop();
        let evidence = Evidence::default().with("finished", finished).with("resumes", resumes);
        plan.iterations.record(elapsed, resumes, probe.testify(evidence));
    }
    Ok(plan.iterations)
}

fn main() -> ExitCode {
    let keys = Keys { flags: &["count"], ..Keys::numbers(&["k", "m"]) };
    program("switch", keys, |plan| match (plan.trace.clone(), plan.flag("count")) {
        (None, false) => drive(measure(plan, Off)),
        (None, true) => drive(measure(plan, TrueSwitches::new(Off))),
        (Some(trace), false) => drive(measure(plan, trace)),
        (Some(trace), true) => drive(measure(plan, TrueSwitches::new(trace))),
    })
}
