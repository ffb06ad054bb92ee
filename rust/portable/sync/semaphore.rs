//! k tasks take one of s permits m times each, and give way while they have it.

use corobench_harness::{Elapsed, Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use runtime::{Semaphore, drive, gate::Latch, permit, program, start, yield_now};
use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

/// What the tasks share.
struct Shared {
    permits: Semaphore,
    nonce: u64,
    contended: bool,
    asking: Latch,
    /// How many have a permit, and how many have had one.
    inside: AtomicU64,
    entered: AtomicU64,
}

/// What a task tells of itself, or all of them together.
#[derive(Default)]
struct Count {
    /// Its permits, counted from the nonce on.
    taken: u64,
    /// The most tasks that it saw inside.
    most: u64,
    /// How often it gave way.
    yields: u64,
    /// The most permits of others between two of its own.
    passed: u64,
}

async fn task<P: Probe>(i: u64, m: u64, shared: Arc<Shared>, probe: P) -> Count {
    probe.event(Kind::Run, i);
    let (mut count, mut own) = (Count { taken: shared.nonce, ..Count::default() }, 0);
    for turn in 0..m {
        probe.event(Kind::Ask, i);
        if turn == 0 {
            shared.asking.arrive();
        }
        let permit = permit(&shared.permits).await;
        probe.event(Kind::Enter, i);
        count.most = count.most.max(shared.inside.fetch_add(1, Relaxed) + 1);
        let number = shared.entered.fetch_add(1, Relaxed);
        count.passed = count.passed.max(number - own);
        if shared.contended {
            yield_now().await;
            count.yields += 1;
        }
        own = number + 1;
        shared.inside.fetch_sub(1, Relaxed);
        probe.event(Kind::Leave, i);
        drop(permit);
        count.taken += 1;
    }
    probe.event(Kind::Done, i);
    count
}

async fn share<P: Probe>(k: u64, s: u64, m: u64, nonce: u64, probe: &P) -> Result<(Elapsed, u64, Evidence)> {
    let shared = Arc::new(Shared {
        permits: Semaphore::new(s.try_into()?),
        nonce,
        contended: k > s,
        asking: Latch::new(k),
        inside: AtomicU64::default(),
        entered: AtomicU64::default(),
    });
    let mut held = Vec::new();
    for _ in 0..s {
        held.push(permit(&shared.permits).await);
    }
    let tasks: Vec<_> = (0..k).map(|i| start(i, task(i, m, shared.clone(), probe.clone()), probe)).collect();
    shared.asking.all().await;
    yield_now().await; // the last one to arrive goes on to wait

    let region = Region::start();
    drop(held);
    let (mut finished, mut all) = (0, Count::default());
    for (i, task) in (0..).zip(tasks) {
        let count = task.await;
        finished += 1;
        all.taken += count.taken;
        all.most = all.most.max(count.most);
        all.yields += count.yields;
        all.passed = all.passed.max(count.passed);
        probe.event(Kind::Collect, i);
    }
    let elapsed = region.stop();

    let evidence = Evidence::default().with("finished", finished).with("most", all.most).with("yields", all.yields);
    Ok((elapsed, all.taken - k * nonce, evidence.with("passed", all.passed).with("checksum", all.taken)))
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let (k, s, m) = (plan.param("k"), plan.param("s"), plan.param("m"));
    while plan.iterations.wanted() {
        let (elapsed, ops, evidence) = share(k, s, m, plan.nonce(), &probe).await?;
        plan.iterations.record(elapsed, ops, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("semaphore", Keys::numbers(&["k", "s", "m"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
