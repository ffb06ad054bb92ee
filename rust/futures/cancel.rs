//! Aborts n parked futures of a set, and waits until each has cleaned up.

use corobench_futures::{drive, gate::Gate, program, run_until_waiting, start_all};
use corobench_harness::{Elapsed, Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result, hold};
use futures::{
    StreamExt,
    future::{AbortHandle, Abortable},
};
use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

/// Counts itself when its future ends.
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

async fn body<P: Probe>(i: u64, shared: Arc<Shared>, probe: P) {
    probe.event(Kind::Run, i);
    let _clean_up = CleanUp { i, cancelled: &shared.cancelled, probe: probe.clone() };
    shared.gate.park(i, &probe).await;
}

async fn cancel<P: Probe>(n: u64, probe: &P) -> Result<(Elapsed, u64, Evidence)> {
    let shared = Arc::new(Shared { gate: Gate::new(n), cancelled: AtomicU64::new(0) });
    let mut aborts = Vec::new();
    let mut set = start_all(
        (0..n).map(|i| {
            let (abort, registration) = AbortHandle::new_pair();
            aborts.push(abort);
            let future = Abortable::new(body(i, shared.clone(), probe.clone()), registration);
            async move { (i, future.await) }
        }),
        probe,
    );
    let created = set.len() as u64;
    run_until_waiting(&mut set).await?;

    let region = Region::start();
    for abort in aborts {
        abort.abort();
    }
    let mut finished = 0;
    while let Some((i, end)) = set.next().await {
        if end.is_ok() {
            return Err(format!("future {i} ran past its wait").into());
        }
        finished += 1;
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
