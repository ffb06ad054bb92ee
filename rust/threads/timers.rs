//! Starts n tasks that each sleep until a deadline of their own, spread over a second.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, nanoseconds};
use runtime::{join, program, sleep, start};
use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

/// Returns its number and when it woke.
fn sleeper<P: Probe>(i: u64, deadline: Instant, probe: &P) -> (u64, Instant) {
    probe.event(Kind::Run, i);
    sleep(deadline.saturating_duration_since(Instant::now()));
    let woken = Instant::now();
    probe.event(Kind::Done, i);
    (i, woken)
}

fn measure<P: Probe>(mut plan: Plan, probe: &P) -> Iterations {
    let n = plan.param("n");
    let lead = Duration::from_millis(plan.param("lead"));

    let region = Region::start();
    let first = Instant::now() + lead;
    let deadline = |i| first + Duration::from_nanos(i * 1_000_000_000 / n);
    let tasks: Vec<_> = (0..n)
        .map(|i| {
            let (deadline, task_probe) = (deadline(i), probe.clone());
            start(i, move || sleeper(i, deadline, &task_probe), probe)
        })
        .collect();
    let created = tasks.len() as u64;
    let (mut finished, mut checksum, mut early) = (0, 0, 0);
    let mut lateness = Vec::with_capacity(tasks.len());
    for (i, task) in (0..).zip(tasks) {
        let (number, woken) = join(task);
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
    plan.iterations
}

pub(crate) fn main() -> ExitCode {
    program("timers", Keys::numbers(&["n", "lead"]), |plan| {
        Ok(match plan.trace.clone() {
            None => measure(plan, &Off),
            Some(trace) => measure(plan, &trace),
        })
    })
}
