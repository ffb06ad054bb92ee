//! Starts n tasks, then collects their results.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region};
use runtime::{join, program, start};
use std::process::ExitCode;

fn task<P: Probe>(i: u64, probe: &P) -> u64 {
    probe.event(Kind::Run, i);
    probe.event(Kind::Done, i);
    i
}

/// Returns how many tasks were created, how many finished, and the sum of their results.
fn spawn<P: Probe>(first: u64, n: u64, probe: &P) -> (u64, u64, u64) {
    let tasks: Vec<_> = (first..first + n)
        .map(|i| {
            let task_probe = probe.clone();
            start(i, move || task(i, &task_probe), probe)
        })
        .collect();
    let created = tasks.len() as u64;
    let (mut finished, mut checksum) = (0, 0);
    for (i, task) in (first..).zip(tasks) {
        checksum += join(task);
        finished += 1;
        probe.event(Kind::Collect, i);
    }
    (created, finished, checksum)
}

fn measure<P: Probe>(mut plan: Plan, probe: &P) -> Iterations {
    let n = plan.param("n");
    while plan.iterations.wanted() {
        let nonce = plan.nonce();
        let region = Region::start();
        let (created, finished, checksum) = spawn(nonce, n, probe);
        let elapsed = region.stop();
        let evidence =
            Evidence::default().with("created", created).with("finished", finished).with("checksum", checksum);
        plan.iterations.record(elapsed, finished, evidence);
    }
    plan.iterations
}

pub(crate) fn main() -> ExitCode {
    program("spawn", Keys::numbers(&["n"]), |plan| {
        Ok(match plan.trace.clone() {
            None => measure(plan, &Off),
            Some(trace) => measure(plan, &trace),
        })
    })
}
