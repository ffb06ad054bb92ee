//! Parks n futures at a gate and holds before, while and after they live.

use corobench_futures::{drive, gate::Gate, join_all, program, run_until_waiting, start_all};
use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, ROOT, Region, Result, hold};
use std::{process::ExitCode, sync::Arc};

async fn body<P: Probe>(i: u64, gate: Arc<Gate>, probe: P) -> (u64, u64) {
    probe.event(Kind::Run, i);
    gate.park(i, &probe).await;
    gate.parked.leave();
    probe.event(Kind::Done, i);
    (i, i)
}

fn hold_at<P: Probe>(point: &str, gate: &Gate, probe: &P) -> Result {
    probe.event(Kind::Hold, ROOT);
    hold(point, gate.parked.count())
}

/// Once, whatever was asked for: the process is read from outside, and only a fresh one has a base.
async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let n = plan.param("n");
    let gate = Arc::new(Gate::new(n));
    hold_at("base", &gate, &probe)?;

    let region = Region::start();
    let mut set = start_all((0..n).map(|i| body(i, gate.clone(), probe.clone())), &probe);
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

fn main() -> ExitCode {
    program("memory", Keys::numbers(&["n"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
