//! Tells n parked tasks to give up, each by a flag of its own, and waits until each has cleaned up.

use corobench_harness::{Elapsed, Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result, hold};
use runtime::{gate::Latch, join, program, start};
use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{
            AtomicBool, AtomicU64,
            Ordering::{Acquire, Relaxed, Release},
        },
    },
    thread,
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
    parked: Latch,
    cancelled: AtomicU64,
}

/// A thread can't be cancelled from outside: it waits until it is told to give up.
fn task<P: Probe>(i: u64, told: &AtomicBool, shared: &Shared, probe: &P) {
    probe.event(Kind::Run, i);
    let _clean_up = CleanUp { i, cancelled: &shared.cancelled, probe };
    probe.event(Kind::Park, i);
    shared.parked.arrive();
    while !told.load(Acquire) {
        thread::park();
    }
}

fn cancel<P: Probe>(n: u64, probe: &P) -> (Elapsed, u64, Evidence) {
    let shared = Arc::new(Shared { parked: Latch::new(n), cancelled: AtomicU64::new(0) });
    let tasks: Vec<_> = (0..n)
        .map(|i| {
            let told = Arc::new(AtomicBool::new(false));
            let (flag, shared, task_probe) = (told.clone(), shared.clone(), probe.clone());
            (told, start(i, move || task(i, &flag, &shared, &task_probe), probe))
        })
        .collect();
    shared.parked.all();
    thread::yield_now(); // those that only gave way go on
    let waited = tasks.len() as u64 - shared.cancelled.load(Relaxed);

    let region = Region::start();
    for (told, task) in &tasks {
        told.store(true, Release);
        task.thread().unpark();
    }
    let mut finished = 0;
    for (i, (_, task)) in (0..).zip(tasks) {
        join(task);
        finished += 1;
        probe.event(Kind::Collect, i);
    }
    let elapsed = region.stop();

    let cancelled = shared.cancelled.load(Relaxed);
    let evidence = Evidence::default().with("created", waited).with("cancelled", cancelled).with("finished", finished);
    (elapsed, finished, evidence)
}

fn measure<P: Probe>(mut plan: Plan, probe: &P) -> Result<Iterations> {
    let n = plan.param("n");
    hold("base", 0)?;
    while plan.iterations.wanted() {
        let (elapsed, finished, evidence) = cancel(n, probe);
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
