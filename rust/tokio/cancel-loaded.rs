//! Aborts n parked tasks and waits until each has cleaned up while k others yield.

use corobench_harness::{Elapsed, Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use runtime::{drive, gate::Gate, program};
use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::{task::yield_now, time::sleep};

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
    /// Those that have yielded and not ended.
    active: AtomicU64,
    ended: AtomicBool,
}

async fn task<P: Probe>(i: u64, shared: Arc<Shared>, probe: P) {
    probe.event(Kind::Run, i);
    let _clean_up = CleanUp { i, cancelled: &shared.cancelled, probe: probe.clone() };
    shared.gate.park(i, &probe).await;
}

async fn load<P: Probe>(i: u64, shared: Arc<Shared>, probe: P) {
    probe.event(Kind::Run, i);
    yield_now().await;
    shared.active.fetch_add(1, Relaxed);
    while !shared.ended.load(Relaxed) {
        yield_now().await;
    }
    shared.active.fetch_sub(1, Relaxed);
    probe.event(Kind::Done, i);
}

async fn cancel<P: Probe>(n: u64, k: u64, probe: &P) -> Result<(Elapsed, u64, Evidence)> {
    let shared = Arc::new(Shared {
        gate: Gate::new(n),
        cancelled: AtomicU64::new(0),
        active: AtomicU64::new(0),
        ended: AtomicBool::new(false),
    });
    let others: Vec<_> =
        (0..k).map(|i| probe.start(i, || tokio::spawn(load(i, shared.clone(), probe.clone())))).collect();
    let handles: Vec<_> =
        (k..k + n).map(|i| probe.start(i, || tokio::spawn(task(i, shared.clone(), probe.clone())))).collect();
    let created = handles.len() as u64;
    shared.gate.parked.all().await;
    while shared.active.load(Relaxed) < k {
        sleep(Duration::from_millis(1)).await;
    }

    let region = Region::start();
    for handle in &handles {
        handle.abort();
    }
    let mut finished = 0;
    for (i, handle) in (k..).zip(handles) {
        match handle.await {
            Err(end) if end.is_cancelled() => finished += 1,
            Err(end) => return Err(end.into()),
            Ok(()) => return Err(format!("task {i} ran past its wait").into()),
        }
        probe.event(Kind::Collect, i);
    }
    let elapsed = region.stop();

    let (cancelled, active) = (shared.cancelled.load(Relaxed), shared.active.load(Relaxed));
    shared.ended.store(true, Relaxed);
    for other in others {
        other.await?;
    }
    let evidence = Evidence::default().with("created", created).with("cancelled", cancelled);
    Ok((elapsed, finished, evidence.with("finished", finished).with("active", active)))
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let (n, k) = (plan.param("n"), plan.param("k"));
    while plan.iterations.wanted() {
        let (elapsed, finished, evidence) = cancel(n, k, &probe).await?;
        plan.iterations.record(elapsed, finished, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("cancel-loaded", Keys::numbers(&["n", "k"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
