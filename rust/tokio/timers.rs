//! Starts n tasks that each sleep until a deadline of their own, spread over a second.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result, nanoseconds};
use corobench_tokio::{drive, program, start};
use std::{
    process::ExitCode,
    time::{Duration, Instant},
};
use tokio::time::sleep;

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
    let handles: Vec<_> = (0..n).map(|i| start(i, sleeper(i, deadline(i), probe.clone()), &probe)).collect();
    let created = handles.len() as u64;
    let (mut finished, mut checksum, mut early) = (0, 0, 0);
    let mut lateness = Vec::with_capacity(handles.len());
    for (i, handle) in (0..).zip(handles) {
        let (number, woken) = handle.await?;
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

fn main() -> ExitCode {
    program("timers", Keys::numbers(&["n", "lead"]), |case| match case.plan.trace.clone() {
        None => drive(&case.runtime, measure(case.plan, Off)),
        Some(trace) => drive(&case.runtime, measure(case.plan, trace)),
    })
}
