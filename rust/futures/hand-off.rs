//! Two futures pass a token back and forth over two channels that hold one message each: the ring of two.

use corobench_futures::{drive, program, token::measure};
use corobench_harness::{Keys, Off};
use std::process::ExitCode;

pub(crate) fn main() -> ExitCode {
    program("hand-off", Keys::numbers(&["m"]), |plan| {
        let m = plan.param("m");
        match plan.trace.clone() {
            None => drive(measure(plan, 2, m, Off)),
            Some(trace) => drive(measure(plan, 2, m, trace)),
        }
    })
}
