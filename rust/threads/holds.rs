//! What memory and memory-state share: n tasks park, and the process is held before, while and after they live.

use crate::{gate::Parking, join, start};
use corobench_harness::{Evidence, Iterations, Kind, Plan, Probe, ROOT, Region, Result, hold};
use std::sync::Arc;

fn hold_at<P: Probe>(point: &str, parking: &Parking, probe: &P) -> Result {
    probe.event(Kind::Hold, ROOT);
    hold(point, parking.parked.waiting())
}

/// Holds `n` tasks with this body. Once, whatever was asked for: the process is read from outside, and only a fresh one has a base.
///
/// # Errors
/// The runner is gone.
pub fn measure<P: Probe>(
    mut plan: Plan,
    body: impl Fn(u64, &Parking, &P) -> u64 + Copy + Send + 'static,
    probe: &P,
) -> Result<Iterations> {
    let (first, n) = (plan.nonce(), plan.param("n"));
    let region = Region::start();
    let parking = Arc::new(Parking::new(n));
    hold_at("base", &parking, probe)?;

    let tasks: Vec<_> = (first..first + n)
        .map(|i| {
            let (parking, task_probe) = (parking.clone(), probe.clone());
            let task = move || {
                task_probe.event(Kind::Run, i);
                let result = body(i, &parking, &task_probe);
                task_probe.event(Kind::Done, i);
                result
            };
            start(i, task, probe)
        })
        .collect();
    let created = tasks.len() as u64;
    parking.parked.all();
    hold_at("live", &parking, probe)?;

    parking.open();
    let (mut finished, mut checksum) = (0, 0);
    for (i, task) in (first..).zip(tasks) {
        checksum += join(task);
        finished += 1;
        probe.event(Kind::Collect, i);
    }
    hold_at("released", &parking, probe)?;
    let elapsed = region.stop();
    let evidence = Evidence::default().with("created", created).with("finished", finished).with("checksum", checksum);
    plan.iterations.record(elapsed, finished, evidence);
    Ok(plan.iterations)
}
