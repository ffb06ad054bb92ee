//! Calls the task's body n times as a plain function.

use corobench_harness::{Evidence, Iterations, Keys, Plan, Region};
use runtime::program;
use std::{hint::black_box, process::ExitCode};

fn body(i: u64) -> u64 {
    i
}

fn calls(first: u64, n: u64) -> (u64, u64) {
    // A function that the compiler cannot see through is neither inlined nor folded away.
    let body: fn(u64) -> u64 = black_box(body);
    let (mut finished, mut checksum) = (0, 0);
    for i in first..first + n {
        checksum += body(i);
        finished += 1;
    }
    (finished, checksum)
}

fn measure(mut plan: Plan) -> Iterations {
    let n = plan.param("n");
    while plan.iterations.wanted() {
        let nonce = plan.nonce();
        let region = Region::start();
        let (finished, checksum) = black_box(calls(nonce, n));
        let elapsed = region.stop();
        plan.iterations.record(
            elapsed,
            finished,
            Evidence::default().with("finished", finished).with("checksum", checksum),
        );
    }
    plan.iterations
}

pub(crate) fn main() -> ExitCode {
    program("baseline", Keys::numbers(&["n"]), |plan| Ok(measure(plan)))
}
