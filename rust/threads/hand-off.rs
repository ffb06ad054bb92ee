//! Two tasks pass a token back and forth over two channels that hold one message each: the ring of two.

use corobench_harness::{Keys, Off};
use runtime::{program, token::measure};
use std::process::ExitCode;

pub(crate) fn main() -> ExitCode {
    program("hand-off", Keys::numbers(&["m"]), |plan| {
        let m = plan.param("m");
        match plan.trace.clone() {
            None => measure(plan, 2, m, &Off),
            Some(trace) => measure(plan, 2, m, &trace),
        }
    })
}
