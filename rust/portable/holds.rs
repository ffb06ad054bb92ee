//! What memory and memory-state share: n tasks park at a gate, and the process is held before, while and after they live.

use crate::{gate::Gate, start};
use corobench_harness::{Evidence, Iterations, Kind, Plan, Probe, ROOT, Region, Result, hold};
use std::sync::Arc;

fn hold_at<P: Probe>(point: &str, gate: &Gate, probe: &P) -> Result {
    probe.event(Kind::Hold, ROOT);
    // Blocks this thread on purpose: nothing else may happen at a hold.
    hold(point, gate.parked.waiting())
}

async fn park<P: Probe, T: Future<Output = u64> + Send + 'static>(
    first: u64,
    n: u64,
    task: impl Fn(u64, Arc<Gate>, P) -> T,
    probe: &P,
) -> Result<(u64, u64, u64)> {
    let gate = Arc::new(Gate::new(n));
    hold_at("base", &gate, probe)?;

    let tasks: Vec<_> = (first..first + n).map(|i| start(i, task(i, gate.clone(), probe.clone()), probe)).collect();
    let created = tasks.len() as u64;
    gate.parked.all().await;
    hold_at("live", &gate, probe)?;

    gate.open();
    let (mut finished, mut checksum) = (0, 0);
    for (i, task) in (first..).zip(tasks) {
        checksum += task.await;
        finished += 1;
        probe.event(Kind::Collect, i);
    }
    hold_at("released", &gate, probe)?;
    Ok((created, finished, checksum))
}

/// Holds `n` of these tasks. Once, whatever was asked for: the process is read from outside, and only a fresh one has a base.
///
/// # Errors
/// A task panics, or the runner is gone.
pub async fn measure<P: Probe, T: Future<Output = u64> + Send + 'static>(
    mut plan: Plan,
    task: impl Fn(u64, Arc<Gate>, P) -> T,
    probe: P,
) -> Result<Iterations> {
    let region = Region::start();
    let (created, finished, checksum) = park(plan.nonce(), plan.param("n"), task, &probe).await?;
    let elapsed = region.stop();
    let evidence = Evidence::default().with("created", created).with("finished", finished).with("checksum", checksum);
    plan.iterations.record(elapsed, finished, evidence);
    Ok(plan.iterations)
}
