//! What memory and memory-state share: n futures park at a gate, and the process is held before, while and after they live.

use crate::{gate::Gate, join_all, run_until_waiting, start_from};
use corobench_harness::{Evidence, Iterations, Kind, Plan, Probe, ROOT, Region, Result, hold};
use std::sync::Arc;

fn hold_at<P: Probe>(point: &str, gate: &Gate, probe: &P) -> Result {
    probe.event(Kind::Hold, ROOT);
    hold(point, gate.parked.waiting())
}

/// Holds `n` of these futures. Once, whatever was asked for: the process is read from outside, and only a fresh one has a base.
///
/// # Errors
/// A future does not wait, or the runner is gone.
pub async fn measure<P: Probe, T: Future<Output = (u64, u64)> + Send + 'static>(
    mut plan: Plan,
    body: impl Fn(u64, Arc<Gate>, P) -> T,
    probe: P,
) -> Result<Iterations> {
    let (first, n) = (plan.nonce(), plan.param("n"));
    let gate = Arc::new(Gate::new(n));
    hold_at("base", &gate, &probe)?;

    let region = Region::start();
    let mut set = start_from(first, (first..first + n).map(|i| body(i, gate.clone(), probe.clone())), &probe);
    let created = set.len() as u64;
    run_until_waiting(&mut set).await?;
    hold_at("live", &gate, &probe)?;

    gate.open();
    let mut checksum = 0;
    let finished = join_all(set, &probe, |result| checksum += result).await;
    hold_at("released", &gate, &probe)?;
    let evidence = Evidence::default().with("created", created).with("finished", finished).with("checksum", checksum);
    plan.iterations.record(region.stop(), finished, evidence);
    Ok(plan.iterations)
}
