//! A tree of tasks: each starts ten children, down to n leaves, and sums up their results.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result, Usage};
use runtime::{Task, drive, program, start};
use std::process::ExitCode;

/// How many tasks were joined below a task, and the sum of its leaves.
type Outcome = (u64, u64);

/// Not async: its plain signature is what lets a task start its like.
fn start_node<P: Probe>(first: u64, leaves: u64, probe: &P) -> (P::Number, Task<Outcome>) {
    let i = probe.number();
    (i, start(i.into(), node(i, first, leaves, probe.clone()), probe))
}

async fn node<P: Probe>(i: P::Number, first: u64, leaves: u64, probe: P) -> Outcome {
    probe.event(Kind::Run, i.into());
    let (mut finished, mut sum) = (0, 0);
    if leaves == 1 {
        sum = first;
    } else {
        let tenth = leaves / 10;
        let children: Vec<_> = (0..10).map(|c| start_node(first + c * tenth, tenth, &probe)).collect();
        for (child, task) in children {
            let (below, part) = task.await;
            finished += 1 + below;
            sum += part;
            probe.event(Kind::Collect, child.into());
        }
    }
    probe.event(Kind::Done, i.into());
    (finished, sum)
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let n = plan.param("n");
    if 10_u64.pow(n.ilog10()) != n {
        return Err(Usage(format!("n={n} must be a power of ten")).into());
    }
    while plan.iterations.wanted() {
        let nonce = plan.nonce();
        let region = Region::start();
        let (top, task) = start_node(nonce, n, &probe);
        let (below, checksum) = task.await;
        let finished = 1 + below;
        probe.event(Kind::Collect, top.into());
        let elapsed = region.stop();
        let evidence = Evidence::default().with("finished", finished).with("checksum", checksum);
        plan.iterations.record(elapsed, finished, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("tree", Keys::numbers(&["n"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
