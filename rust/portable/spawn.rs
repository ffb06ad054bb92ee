//! Starts n tasks, then collects their results.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use runtime::{drive, program, start};
use std::process::ExitCode;

#[expect(clippy::unused_async, reason = "a task, although it has nothing to await")]
async fn task<P: Probe>(i: u64, probe: P) -> u64 {
    probe.event(Kind::Run, i);
    probe.event(Kind::Done, i);
    i
}

/// Returns how many tasks were created, how many finished, and the sum of their results.
async fn spawn<P: Probe>(first: u64, n: u64, probe: &P) -> (u64, u64, u64) {
    let tasks: Vec<_> = (first..first + n).map(|i| start(i, task(i, probe.clone()), probe)).collect();
    let created = tasks.len() as u64;
    let (mut finished, mut checksum) = (0, 0);
    for (i, task) in (first..).zip(tasks) {
        checksum += task.await;
        finished += 1;
        probe.event(Kind::Collect, i);
    }
    (created, finished, checksum)
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let n = plan.param("n");
    while plan.iterations.wanted() {
        let nonce = plan.nonce();
        let region = Region::start();
        let (created, finished, checksum) = spawn(nonce, n, &probe).await;
        let elapsed = region.stop();
        let evidence =
            Evidence::default().with("created", created).with("finished", finished).with("checksum", checksum);
        plan.iterations.record(elapsed, finished, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("spawn", Keys::numbers(&["n"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
