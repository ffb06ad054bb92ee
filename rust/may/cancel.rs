//! Cancels n parked tasks, and waits until each has cleaned up.

use corobench_harness::{Elapsed, Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result, hold};
use may::coroutine::yield_now;
use runtime::{Task, gate::Parking, program, start};
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
    probe: &'a P,
}

impl<P: Probe> Drop for CleanUp<'_, P> {
    fn drop(&mut self) {
        self.cancelled.fetch_add(1, Relaxed);
        self.probe.event(Kind::Done, self.i);
    }
}

struct Shared {
    /// Never opened.
    parking: Parking,
    cancelled: AtomicU64,
}

fn task<P: Probe>(i: u64, shared: &Shared, probe: &P) {
    probe.event(Kind::Run, i);
    let _clean_up = CleanUp { i, cancelled: &shared.cancelled, probe };
    shared.parking.park(i, probe);
}

/// Lets it unwind from where it waits: may raises a panic there, which is none of those that end the process.
#[expect(unsafe_code, reason = "may has no other way")]
fn request_cancel(task: &Task<()>) {
    // SAFETY: unwinding drops all that the task has, and nothing of that is in a state on which others rely.
    unsafe { task.coroutine().cancel() }
}

fn cancel<P: Probe>(n: u64, probe: &P) -> Result<(Elapsed, u64, Evidence)> {
    let shared = Arc::new(Shared { parking: Parking::new(n), cancelled: AtomicU64::new(0) });
    let tasks: Vec<_> = (0..n)
        .map(|i| {
            let (shared, task_probe) = (shared.clone(), probe.clone());
            start(i, move || task(i, &shared, &task_probe), probe)
        })
        .collect();
    let created = tasks.len() as u64;
    shared.parking.parked.all();
    yield_now(); // whatever could go on does

    let region = Region::start();
    for task in &tasks {
        request_cancel(task);
    }
    let mut finished = 0;
    for (i, task) in (0..).zip(tasks) {
        if task.join().is_ok() {
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

fn measure<P: Probe>(mut plan: Plan, probe: &P) -> Result<Iterations> {
    let n = plan.param("n");
    hold("base", 0)?;
    while plan.iterations.wanted() {
        let (elapsed, finished, evidence) = cancel(n, probe)?;
        plan.iterations.record(elapsed, finished, evidence);
    }
    hold("released", 0)?;
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("cancel", Keys::numbers(&["n"]), |plan| match plan.trace.clone() {
        None => measure(plan, &Off),
        Some(trace) => measure(plan, &trace),
    })
}
