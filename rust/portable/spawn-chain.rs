//! Starts a task that starts the next as its last act, n in all.

use async_channel::{Sender, bounded};
use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use runtime::{drive, program, start};
use std::process::ExitCode;

/// Handed from task to task; the last one hands its counts to the root.
struct Chain<P> {
    /// The number after the last one's.
    end: u64,
    finished: u64,
    checksum: u64,
    root: Sender<(u64, u64)>,
    probe: P,
}

/// Not async: its plain signature is what lets a task start its like.
fn start_link<P: Probe>(i: u64, mut chain: Chain<P>) {
    let probe = chain.probe.clone();
    let link = async move {
        let probe = chain.probe.clone();
        probe.event(Kind::Run, i);
        chain.checksum += i;
        chain.finished += 1;
        // Before its last act: another thread may run what that starts at once, to the end of the chain and of the trace.
        probe.event(Kind::Done, i);
        let next = i + 1;
        if next < chain.end {
            start_link(next, chain);
        } else {
            chain.root.try_send((chain.finished, chain.checksum)).expect("the root waits for the one message");
        }
    };
    start(i, link, &probe).detach();
}

async fn chain<P: Probe>(first: u64, n: u64, probe: P) -> Result<(u64, u64)> {
    let (root, counts) = bounded(1);
    start_link(first, Chain { end: first + n, finished: 0, checksum: 0, root, probe });
    Ok(counts.recv().await?)
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let n = plan.param("n");
    while plan.iterations.wanted() {
        let nonce = plan.nonce();
        let region = Region::start();
        let (finished, checksum) = chain(nonce, n, probe.clone()).await?;
        let elapsed = region.stop();
        let evidence = Evidence::default().with("finished", finished).with("checksum", checksum);
        plan.iterations.record(elapsed, finished, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("spawn-chain", Keys::numbers(&["n"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
