//! Tells n parked tasks to give up, each by an event of its own, and waits until each has cleaned up.

use corobench_harness::{Elapsed, Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result, hold};
use event_listener::{Event, EventListener};
use runtime::{drive, gate::Gate, program, start};
use std::{
    future::poll_fn,
    pin::{Pin, pin},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    task::Poll,
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

/// A task of monoio can't be cancelled from outside: it waits until it is told to give up. Returns whether it was.
async fn task<P: Probe>(i: u64, mut told: EventListener, shared: Arc<Shared>, probe: P) -> bool {
    probe.event(Kind::Run, i);
    let _clean_up = CleanUp { i, cancelled: &shared.cancelled, probe: probe.clone() };
    let mut opened = pin!(shared.gate.park(i, &probe));
    poll_fn(|context| match Pin::new(&mut told).poll(context) {
        Poll::Ready(()) => Poll::Ready(true),
        Poll::Pending => opened.as_mut().poll(context).map(|()| false),
    })
    .await
}

async fn cancel<P: Probe>(n: u64, probe: &P) -> Result<(Elapsed, u64, Evidence)> {
    let shared = Arc::new(Shared { gate: Gate::new(n), cancelled: AtomicU64::new(0) });
    let tasks: Vec<_> = (0..n)
        .map(|i| {
            let tell = Event::new();
            let task = task(i, tell.listen(), shared.clone(), probe.clone());
            (tell, start(i, task, probe))
        })
        .collect();
    let created = tasks.len() as u64;
    shared.gate.parked.all().await;

    let region = Region::start();
    for (tell, _) in &tasks {
        tell.notify(1);
    }
    let mut finished = 0;
    for (i, (_, task)) in (0..).zip(tasks) {
        if !task.await {
            return Err(format!("task {i} ran past its wait").into());
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
