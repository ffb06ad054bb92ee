//! k tasks take one lock m times each, and give way inside.

use corobench_harness::{Elapsed, Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use runtime::{Mutex, drive, gate::Latch, program, start, yield_now};
use std::{process::ExitCode, sync::Arc};

/// What the lock guards: those who are inside, the most that ever were, how often one gave way, and a value that each of them
/// makes one greater. They give way between reading it and writing it: two that are inside at once would lose an increment.
#[derive(Default)]
struct Section {
    inside: u64,
    most: u64,
    yields: u64,
    value: u64,
}

/// What the tasks share.
struct Shared {
    lock: Mutex<Section>,
    nonce: u64,
    contended: bool,
    asking: Latch,
}

/// Returns its acquisitions, and the most by others between two of them.
async fn task<P: Probe>(i: u64, m: u64, shared: Arc<Shared>, probe: P) -> (u64, u64) {
    probe.event(Kind::Run, i);
    let (mut acquired, mut passed, mut own) = (0, 0, shared.nonce);
    while acquired < m {
        probe.event(Kind::Ask, i);
        if acquired == 0 {
            shared.asking.arrive();
        }
        let mut section = shared.lock.lock().await;
        probe.event(Kind::Enter, i);
        section.inside += 1;
        section.most = section.most.max(section.inside);
        let value = section.value;
        passed = passed.max(value - own);
        if shared.contended {
            yield_now().await;
            section.yields += 1;
        }
        own = value + 1;
        section.value = own;
        section.inside -= 1;
        probe.event(Kind::Leave, i);
        drop(section);
        acquired += 1;
    }
    probe.event(Kind::Done, i);
    (acquired, passed)
}

async fn mutex<P: Probe>(k: u64, m: u64, nonce: u64, probe: &P) -> (Elapsed, u64, Evidence) {
    let lock = Mutex::new(Section { value: nonce, ..Section::default() });
    let shared = Arc::new(Shared { lock, nonce, contended: k > 1, asking: Latch::new(k) });
    let held = shared.lock.lock().await;
    let tasks: Vec<_> = (0..k).map(|i| start(i, task(i, m, shared.clone(), probe.clone()), probe)).collect();
    shared.asking.all().await;
    yield_now().await; // the last one to arrive goes on to wait

    let region = Region::start();
    drop(held);
    let (mut finished, mut ops, mut longest) = (0, 0, 0);
    for (i, task) in (0..).zip(tasks) {
        let (acquired, passed) = task.await;
        finished += 1;
        ops += acquired;
        longest = passed.max(longest);
        probe.event(Kind::Collect, i);
    }
    let elapsed = region.stop();

    let Section { most, yields, value, .. } = *shared.lock.lock().await;
    let evidence = Evidence::default().with("finished", finished).with("most", most).with("yields", yields);
    (elapsed, ops, evidence.with("passed", longest).with("checksum", value))
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let (k, m) = (plan.param("k"), plan.param("m"));
    while plan.iterations.wanted() {
        let (elapsed, ops, evidence) = mutex(k, m, plan.nonce(), &probe).await;
        plan.iterations.record(elapsed, ops, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("mutex", Keys::numbers(&["k", "m"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
