//! Starts n tasks that each sleep until a deadline of their own, spread over a second.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result, nanoseconds};
use runtime::{drive, program, sleep, start};
use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

/// Returns its number and when it woke.
async fn sleeper<P: Probe>(i: u64, deadline: Instant, probe: P) -> (u64, Instant) {
    probe.event(Kind::Run, i);
    sleep(deadline.saturating_duration_since(Instant::now())).await;
    let woken = Instant::now();
    probe.event(Kind::Done, i);
    (i, woken)
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let n = plan.param("n");
    let lead = Duration::from_millis(plan.param("lead"));

    let region = Region::start();
    let first = Instant::now() + lead;
    let deadline = |i| first + Duration::from_nanos(i * 1_000_000_000 / n);
    let tasks: Vec<_> = (0..n).map(|i| start(i, sleeper(i, deadline(i), probe.clone()), &probe)).collect();
    let created = tasks.len() as u64;
    let (mut finished, mut checksum, mut early) = (0, 0, 0);
    let mut lateness = Vec::with_capacity(tasks.len());
    for (i, task) in (0..).zip(tasks) {
        let (number, woken) = task.await;
        finished += 1;
        checksum += number;
        early += u64::from(deadline(i).saturating_duration_since(woken) > Duration::from_millis(1));
        lateness.push(nanoseconds(woken.saturating_duration_since(deadline(i))));
        probe.event(Kind::Collect, i);
    }
    let elapsed = region.stop();

    let evidence = Evidence::default().with("created", created).with("finished", finished);
    plan.iterations.record(elapsed, finished, evidence.with("checksum", checksum).with("early", early));
    plan.iterations.keep("lateness", lateness);
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("timers", Keys::numbers(&["n", "lead"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
