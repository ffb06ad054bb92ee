//! Starts n tasks at once out of a root that has slept, and again; each tells when it first ran.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result, nanoseconds};
use runtime::{drive, program};
use std::{
    process::ExitCode,
    time::{Duration, Instant},
};
use tokio::time::sleep;

/// Returns its number and when it first ran.
#[expect(clippy::unused_async, reason = "a task, although it has nothing to await")]
async fn task<P: Probe>(i: u64, probe: P) -> (u64, Instant) {
    let ran = Instant::now();
    probe.event(Kind::Run, i);
    probe.event(Kind::Done, i);
    (i, ran)
}

/// What the tasks of all bursts came to.
#[derive(Default)]
struct Sums {
    created: u64,
    finished: u64,
    checksum: u64,
    /// Nanoseconds until the last of each had run.
    last: u64,
    starts: Vec<u64>,
}

/// Adds a burst of n tasks, numbered from `first` on.
async fn burst<P: Probe>(first: u64, n: u64, probe: &P, sums: &mut Sums) -> Result {
    let began = Instant::now();
    let mut handles = Vec::with_capacity(usize::try_from(n)?);
    for i in first..first + n {
        handles.push(probe.start(i, || tokio::spawn(task(i, probe.clone()))));
    }
    sums.created += handles.len() as u64;
    let mut last = 0;
    for (i, handle) in (first..).zip(handles) {
        let (number, ran) = handle.await?;
        let start = nanoseconds(ran.duration_since(began));
        last = last.max(start);
        sums.starts.push(start);
        sums.checksum += number;
        sums.finished += 1;
        probe.event(Kind::Collect, i);
    }
    sums.last += last;
    Ok(())
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let (n, bursts) = (plan.param("n"), plan.param("bursts"));
    let idle = Duration::from_millis(plan.param("idle_ms"));
    let first = plan.nonce();
    let mut sums = Sums { starts: Vec::with_capacity(usize::try_from(n * bursts)?), ..Sums::default() };
    let region = Region::start();
    for number in 0..bursts {
        sleep(idle).await;
        burst(first + number * n, n, &probe, &mut sums).await?;
    }
    let elapsed = region.stop();
    let evidence = Evidence::default().with("created", sums.created).with("finished", sums.finished);
    plan.iterations.record(elapsed, sums.finished, evidence.with("checksum", sums.checksum).with("last_ns", sums.last));
    plan.iterations.keep("start", sums.starts);
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("burst", Keys::numbers(&["n", "bursts", "idle_ms"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
