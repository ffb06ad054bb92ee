//! Starts a task that starts the next as its last act, n in all.

use corobench_harness::{Elapsed, Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use runtime::{Sender, channel, program, start};
use std::process::ExitCode;

/// Handed from task to task; the last one hands its counts to the root.
#[derive(Clone)]
struct Chain<P> {
    /// The number after the last one's.
    end: u64,
    finished: u64,
    checksum: u64,
    root: Sender<(u64, u64)>,
    probe: P,
}

fn link<P: Probe>(i: u64, mut chain: Chain<P>) {
    chain.probe.event(Kind::Run, i);
    chain.checksum += i;
    chain.finished += 1;
    if i + 1 < chain.end {
        start_link(i + 1, chain.clone());
    } else {
        chain.root.send((chain.finished, chain.checksum)).expect("the root waits for the one message");
    }
    chain.probe.event(Kind::Done, i);
}

/// Nobody joins a link: its handle is dropped, and it runs on.
fn start_link<P: Probe>(i: u64, chain: Chain<P>) {
    let probe = chain.probe.clone();
    start(i, move || link(i, chain), &probe);
}

fn run<P: Probe>(first: u64, n: u64, probe: P) -> Result<(Elapsed, u64, u64)> {
    let (root, counts) = channel();
    let region = Region::start();
    start_link(first, Chain { end: first + n, finished: 0, checksum: 0, root, probe });
    let (finished, checksum) = counts.recv()?;
    let elapsed = region.stop();
    // The links may still be at their ends. The channel ends with the last of them.
    if counts.recv().is_ok() {
        return Err("two links came last".into());
    }
    Ok((elapsed, finished, checksum))
}

fn measure<P: Probe>(mut plan: Plan, probe: &P) -> Result<Iterations> {
    let n = plan.param("n");
    while plan.iterations.wanted() {
        let (elapsed, finished, checksum) = run(plan.nonce(), n, probe.clone())?;
        let evidence = Evidence::default().with("finished", finished).with("checksum", checksum);
        plan.iterations.record(elapsed, finished, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("spawn-chain", Keys::numbers(&["n"]), |plan| match plan.trace.clone() {
        None => measure(plan, &Off),
        Some(trace) => measure(plan, &trace),
    })
}
