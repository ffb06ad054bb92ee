//! Cancels n parked tasks, and waits until each has cleaned up.

use corobench_harness::{Elapsed, Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result, hold};
use runtime::{Task, drive, gate::Gate, program, start};
use std::{
    future::poll_fn,
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

async fn task<P: Probe>(i: u64, shared: Arc<Shared>, probe: P) {
    probe.event(Kind::Run, i);
    let _clean_up = CleanUp { i, cancelled: &shared.cancelled, probe: probe.clone() };
    shared.gate.park(i, &probe).await;
}

/// What the tasks returned that had ended before, in the order of the tasks; all are asked to end before any is waited for.
async fn cancel_all<T: Send + 'static>(tasks: Vec<Task<T>>) -> Vec<Option<T>> {
    let mut ends: Vec<_> = tasks.into_iter().map(|task| Box::pin(task.cancel())).collect();
    // The first poll is what asks.
    let asked: Vec<Poll<_>> =
        poll_fn(|context| Poll::Ready(ends.iter_mut().map(|end| end.as_mut().poll(context)).collect())).await;
    let mut results = Vec::with_capacity(ends.len());
    for (end, asked) in ends.into_iter().zip(asked) {
        results.push(match asked {
            Poll::Ready(result) => result,
            Poll::Pending => end.await,
        });
    }
    results
}

async fn cancel<P: Probe>(n: u64, probe: &P) -> Result<(Elapsed, u64, Evidence)> {
    let shared = Arc::new(Shared { gate: Gate::new(n), cancelled: AtomicU64::new(0) });
    let tasks: Vec<_> = (0..n).map(|i| start(i, task(i, shared.clone(), probe.clone()), probe)).collect();
    let created = tasks.len() as u64;
    shared.gate.parked.all().await;

    let region = Region::start();
    let mut finished = 0;
    for (i, result) in (0..).zip(cancel_all(tasks).await) {
        if result.is_some() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use runtime::{spawn, yield_now};
    use std::{future::pending, pin::pin};

    #[test]
    fn all_are_asked_before_any_is_waited_for() {
        let polls = drive(async {
            let tasks: Vec<_> = (0..10).map(|_| spawn(pending::<()>())).collect();
            yield_now().await; // back here, all of them wait
            let mut ends = pin!(cancel_all(tasks));
            let mut polls = 0;
            let results = poll_fn(|context| {
                polls += 1;
                ends.as_mut().poll(context)
            })
            .await;
            assert_eq!(results, [None; 10]);
            Ok(polls)
        });
        assert!(polls.unwrap() < 10, "it was woken for each of them");
    }
}
