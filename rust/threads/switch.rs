//! Starts k tasks that yield m times each.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, TrueSwitches};
use runtime::{join, program, start, yield_now};
use std::process::ExitCode;

/// Counts its resumes from a number on.
fn task<P: Probe>(i: u64, m: u64, from: u64, probe: &P) -> u64 {
    let mut count = from;
    for _ in 0..m {
        yield_now();
        probe.event(Kind::Run, i);
        count += 1;
    }
    probe.event(Kind::Done, i);
    count
}

/// Returns how many tasks finished, and the sum of what they counted, each from the nonce on.
fn switch<P: Probe>(k: u64, m: u64, nonce: u64, probe: &P) -> (u64, u64) {
    let tasks: Vec<_> = (0..k)
        .map(|i| {
            let task_probe = probe.clone();
            start(i, move || task(i, m, nonce, &task_probe), probe)
        })
        .collect();
    let (mut finished, mut checksum) = (0, 0);
    for (i, task) in (0..).zip(tasks) {
        checksum += join(task);
        finished += 1;
        probe.event(Kind::Collect, i);
    }
    (finished, checksum)
}

fn measure<P: Probe>(mut plan: Plan, probe: &P) -> Iterations {
    let (k, m) = (plan.param("k"), plan.param("m"));
    while plan.iterations.wanted() {
        let nonce = plan.nonce();
        let region = Region::start();
        let (finished, checksum) = switch(k, m, nonce, probe);
        let elapsed = region.stop();
        let resumes = checksum - finished * nonce;
        let evidence =
            Evidence::default().with("finished", finished).with("resumes", resumes).with("checksum", checksum);
        plan.iterations.record(elapsed, resumes, probe.testify(evidence));
    }
    plan.iterations
}

pub(crate) fn main() -> ExitCode {
    let keys = Keys { flags: &["count"], ..Keys::numbers(&["k", "m"]) };
    program("switch", keys, |plan| {
        Ok(match (plan.trace.clone(), plan.flag("count")) {
            (None, false) => measure(plan, &Off),
            (None, true) => measure(plan, &TrueSwitches::new(Off)),
            (Some(trace), false) => measure(plan, &trace),
            (Some(trace), true) => measure(plan, &TrueSwitches::new(trace)),
        })
    })
}
