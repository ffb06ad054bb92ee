//! Wakes one task on an absolute schedule while k others yield.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result, nanoseconds};
use runtime::{drive, program};
use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};
use tokio::{
    task::yield_now,
    time::{sleep, sleep_until},
};

/// What the load looks at and tells.
#[derive(Default)]
struct Shared {
    /// Tasks that have begun.
    running: AtomicU64,
    ended: AtomicBool,
}

/// Returns its yields.
async fn load<P: Probe>(i: u64, shared: Arc<Shared>, probe: P) -> u64 {
    probe.event(Kind::Run, i);
    shared.running.fetch_add(1, Relaxed);
    let mut count = 0;
    while !shared.ended.load(Relaxed) {
        yield_now().await;
        count += 1;
    }
    probe.event(Kind::Done, i);
    count
}

/// Returns how late each tick was. One that is overdue is taken at once.
async fn ticker<P: Probe>(i: u64, ticks: u64, period: Duration, probe: P) -> Vec<u64> {
    probe.event(Kind::Run, i);
    let mut due = Instant::now();
    let mut lateness = Vec::new();
    for _ in 0..ticks {
        due += period;
        if Instant::now() < due {
            sleep_until(due.into()).await;
        }
        lateness.push(nanoseconds(due.elapsed()));
    }
    probe.event(Kind::Done, i);
    lateness
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let (k, ticks) = (plan.param("k"), plan.param("ticks"));
    let period = Duration::from_micros(plan.param("period_us"));
    let shared = Arc::new(Shared::default());

    let region = Region::start();
    let tasks: Vec<_> =
        (0..k).map(|i| probe.start(i, || tokio::spawn(load(i, shared.clone(), probe.clone())))).collect();
    while shared.running.load(Relaxed) < k {
        sleep(Duration::from_millis(1)).await;
    }
    let lateness = probe.start(k, || tokio::spawn(ticker(k, ticks, period, probe.clone()))).await?;
    shared.ended.store(true, Relaxed);
    let (mut finished, mut active, mut yields) = (1, 0, 0);
    for task in tasks {
        let count = task.await?;
        finished += 1;
        active += u64::from(count > 0);
        yields += count;
    }
    let elapsed = region.stop();

    let evidence = Evidence::default().with("finished", finished).with("active", active).with("yields", yields);
    plan.iterations.record(elapsed, lateness.len() as u64, evidence);
    plan.iterations.keep("lateness", lateness);
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("ticker", Keys::numbers(&["k", "ticks", "period_us"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
