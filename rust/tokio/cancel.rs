//! Aborts n parked tasks and waits until each has cleaned up.

use corobench_harness::{Elapsed, Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result, hold};
use runtime::{drive, gate::Gate, program};
use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

/// Counts itself when its task ends.
struct CleanUp<'a, P: Probe> {
    i: u64,
    cancelled: &'a AtomicU64,
    probe: P,
}

impl<P: Probe> Drop for CleanUp<'_, P> {
    fn drop(&mut self) {
        self.cancelled.fetch_add(1, Relaxed);
        self.probe.event(Kind::Done, self.i);
    }
}

struct Shared {
    /// Never opened.
    gate: Gate,
    cancelled: AtomicU64,
}

async fn task<P: Probe>(i: u64, shared: Arc<Shared>, probe: P) {
    probe.event(Kind::Run, i);
    let _clean_up = CleanUp { i, cancelled: &shared.cancelled, probe: probe.clone() };
    shared.gate.park(i, &probe).await;
}

async fn cancel<P: Probe>(n: u64, probe: &P) -> Result<(Elapsed, u64, Evidence)> {
    let shared = Arc::new(Shared { gate: Gate::new(n), cancelled: AtomicU64::new(0) });
    let handles: Vec<_> =
        (0..n).map(|i| probe.start(i, || tokio::spawn(task(i, shared.clone(), probe.clone())))).collect();
    let created = handles.len() as u64;
    shared.gate.parked.all().await;

    let region = Region::start();
    for handle in &handles {
        handle.abort();
    }
    let mut finished = 0;
    for (i, handle) in (0..).zip(handles) {
        match handle.await {
            Err(end) if end.is_cancelled() => finished += 1,
            Err(end) => return Err(end.into()),
            Ok(()) => return Err(format!("task {i} ran past its wait").into()),
        }
        probe.event(Kind::Collect, i);
    }
    let elapsed = region.stop();

    let cancelled = shared.cancelled.load(Relaxed);
    let evidence = Evidence::default().with("created", created).with("cancelled", cancelled).with("finished", finished);
    Ok((elapsed, finished, evidence))
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let n = plan.param("n");
    hold("base", 0)?;
    while plan.iterations.wanted() {
        let (elapsed, finished, evidence) = cancel(n, &probe).await?;
        plan.iterations.record(elapsed, finished, evidence);
    }
    hold("released", 0)?;
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("cancel", Keys::numbers(&["n"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
