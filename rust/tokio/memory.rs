//! Parks n tasks at a gate and holds before, while and after they live.

use corobench_harness::{Evidence, Iterations, Kind, Off, Plan, Probe, ROOT, Region, Result, hold};
use corobench_tokio::{drive, program};
use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::SeqCst},
    },
};
use tokio::{sync::Notify, task::JoinHandle};

struct Gate {
    opened: Notify,
    expected: u64,
    parked: AtomicU64,
    all_parked: Notify,
}

async fn task<P: Probe>(i: u64, gate: Arc<Gate>, probe: P) -> u64 {
    probe.event(Kind::Run, i);
    // From here on the opening cannot be missed, even if it comes before the wait.
    let opened = gate.opened.notified();
    probe.event(Kind::Park, i);
    if gate.parked.fetch_add(1, SeqCst) + 1 == gate.expected {
        gate.all_parked.notify_one();
    }
    opened.await;
    gate.parked.fetch_sub(1, SeqCst);
    probe.event(Kind::Done, i);
    i
}

fn start<P: Probe>(i: u64, gate: &Arc<Gate>, probe: &P) -> JoinHandle<u64> {
    probe.event(Kind::Spawn, i);
    let handle = tokio::spawn(task(i, gate.clone(), probe.clone()));
    probe.event(Kind::Spawned, i);
    handle
}

fn hold_at<P: Probe>(point: &str, gate: &Gate, probe: &P) -> Result {
    probe.event(Kind::Hold, ROOT);
    // Blocks this thread on purpose: nothing else may happen at a hold.
    hold(point, gate.parked.load(SeqCst))
}

async fn park<P: Probe>(n: u64, probe: &P) -> Result<(u64, u64, u64)> {
    let gate = Gate { opened: Notify::new(), expected: n, parked: AtomicU64::new(0), all_parked: Notify::new() };
    let gate = Arc::new(gate);
    hold_at("base", &gate, probe)?;

    let handles: Vec<_> = (0..n).map(|i| start(i, &gate, probe)).collect();
    let created = handles.len() as u64;
    gate.all_parked.notified().await;
    hold_at("live", &gate, probe)?;

    gate.opened.notify_waiters();
    let (mut finished, mut checksum) = (0, 0);
    for (i, handle) in (0..).zip(handles) {
        checksum += handle.await?;
        finished += 1;
        probe.event(Kind::Collect, i);
    }
    hold_at("released", &gate, probe)?;
    Ok((created, finished, checksum))
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    // Once, whatever was asked for: the process is read from outside, and only a fresh one has a base.
    let region = Region::start();
    let (created, finished, checksum) = park(plan.param("n"), &probe).await?;
    let elapsed = region.stop();
    let evidence = Evidence::default().with("created", created).with("finished", finished).with("checksum", checksum);
    plan.iterations.record(elapsed, finished, evidence);
    Ok(plan.iterations)
}

fn main() -> ExitCode {
    program("memory", &["n"], &[], |case| match case.plan.trace.clone() {
        None => drive(&case.runtime, measure(case.plan, Off)),
        Some(trace) => drive(&case.runtime, measure(case.plan, trace)),
    })
}
