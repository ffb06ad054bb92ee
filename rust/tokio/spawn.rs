//! Starts n tasks, then collects their results.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use corobench_tokio::{Case, drive, drive_locally, program, start_by};
use std::process::ExitCode;
use tokio::task::{JoinHandle, spawn_local};

pub(crate) async fn task<P: Probe>(i: u64, probe: P) -> u64 {
    probe.event(Kind::Run, i);
    probe.event(Kind::Done, i);
    i
}

/// Returns how many tasks finished, and the sum of their results.
async fn collect<P: Probe>(handles: impl Iterator<Item = (usize, JoinHandle<u64>)>, probe: &P) -> Result<(u64, u64)> {
    let (mut finished, mut checksum) = (0, 0);
    for (i, handle) in handles {
        checksum += handle.await?;
        finished += 1;
        probe.event(Kind::Collect, i as u64);
    }
    Ok((finished, checksum))
}

/// Returns how many tasks were created, how many finished, and the sum of their results.
pub(crate) async fn spawn<F: Future<Output = u64>, P: Probe>(
    n: u64,
    task: impl Fn(u64, P) -> F,
    spawn: impl Fn(F) -> JoinHandle<u64>,
    backwards: bool,
    probe: &P,
) -> Result<(u64, u64, u64)> {
    let handles: Vec<_> = (0..n).map(|i| start_by(&spawn, i, task(i, probe.clone()), probe)).collect();
    let created = handles.len() as u64;
    let handles = handles.into_iter().enumerate();
    let (finished, checksum) =
        if backwards { collect(handles.rev(), probe).await? } else { collect(handles, probe).await? };
    Ok((created, finished, checksum))
}

async fn measure<F: Future<Output = u64>, P: Probe>(
    mut plan: Plan,
    task: impl Fn(u64, P) -> F,
    start: impl Fn(F) -> JoinHandle<u64>,
    backwards: bool,
    probe: P,
) -> Result<Iterations> {
    let n = plan.param("n");
    while plan.iterations.wanted() {
        let region = Region::start();
        let (created, finished, checksum) = spawn(n, &task, &start, backwards, &probe).await?;
        let elapsed = region.stop();
        let evidence =
            Evidence::default().with("created", created).with("finished", finished).with("checksum", checksum);
        plan.iterations.record(elapsed, finished, evidence);
    }
    Ok(plan.iterations)
}

fn observed<P: Probe>(Case { plan, runtime, variant }: Case, probe: P) -> Result<Iterations> {
    if variant.local {
        drive_locally(&runtime, measure(plan, task, spawn_local, variant.backwards, probe))
    } else {
        drive(&runtime, measure(plan, task, tokio::spawn, variant.backwards, probe))
    }
}

fn main() -> ExitCode {
    program("spawn", Keys::numbers(&["n"]), |case| match case.plan.trace.clone() {
        None => observed(case, Off),
        Some(trace) => observed(case, trace),
    })
}
