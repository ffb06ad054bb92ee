//! Starts k tasks that sleep m times each for no time at all.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use runtime::{drive, program};
use std::{process::ExitCode, time::Duration};
use tokio::time::sleep;

/// Counts the sleeps that it woke from, from a number on.
async fn task<P: Probe>(i: u64, m: u64, from: u64, probe: P) -> u64 {
    let mut count = from;
    for _ in 0..m {
        sleep(Duration::ZERO).await;
        probe.event(Kind::Run, i);
        count += 1;
    }
    probe.event(Kind::Done, i);
    count
}

/// Returns how many tasks finished, and the sum of what they counted, each from the nonce on.
async fn sleep_zero<P: Probe>(k: u64, m: u64, nonce: u64, probe: &P) -> Result<(u64, u64)> {
    let handles: Vec<_> = (0..k).map(|i| probe.start(i, || tokio::spawn(task(i, m, nonce, probe.clone())))).collect();
    let (mut finished, mut checksum) = (0, 0);
    for (i, handle) in (0..).zip(handles) {
        checksum += handle.await?;
        finished += 1;
        probe.event(Kind::Collect, i);
    }
    Ok((finished, checksum))
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let (k, m) = (plan.param("k"), plan.param("m"));
    while plan.iterations.wanted() {
        let nonce = plan.nonce();
        let region = Region::start();
        let (finished, checksum) = sleep_zero(k, m, nonce, &probe).await?;
        let elapsed = region.stop();
        let evidence = Evidence::default().with("finished", finished).with("checksum", checksum);
        plan.iterations.record(elapsed, checksum - finished * nonce, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("sleep-zero", Keys::numbers(&["k", "m"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
