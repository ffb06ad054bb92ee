//! Puts n futures into a set, then takes their results.

use corobench_futures::{drive, program};
use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use futures::{StreamExt, stream::FuturesUnordered};
use std::process::ExitCode;

#[expect(clippy::unused_async, reason = "a future, although it has nothing to await")]
async fn body<P: Probe>(i: u64, probe: P) -> u64 {
    probe.event(Kind::Run, i);
    probe.event(Kind::Done, i);
    i
}

/// Returns how many futures were put into the set, how many finished, and the sum of their results.
async fn spawn<P: Probe>(first: u64, n: u64, probe: &P) -> (u64, u64, u64) {
    let mut set = FuturesUnordered::new();
    // Not by start_all: pushed out of an iterator, futures take a fifth longer.
    for i in first..first + n {
        probe.event(Kind::Spawn, i);
        set.push(probe.clone().watch(body(i, probe.clone())));
        probe.event(Kind::Spawned, i);
    }
    let created = set.len() as u64;
    let (mut finished, mut checksum) = (0, 0);
    while let Some(result) = set.next().await {
        checksum += result;
        finished += 1;
        probe.event(Kind::Collect, result);
    }
    (created, finished, checksum)
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let n = plan.param("n");
    while plan.iterations.wanted() {
        let nonce = plan.nonce();
        let region = Region::start();
        let (created, finished, checksum) = spawn(nonce, n, &probe).await;
        let elapsed = region.stop();
        let evidence =
            Evidence::default().with("created", created).with("finished", finished).with("checksum", checksum);
        plan.iterations.record(elapsed, finished, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("spawn", Keys::numbers(&["n"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
