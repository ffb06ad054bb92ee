//! Two tasks pass a token back and forth over two channels that hold one message each.

use corobench_harness::{Keys, Off};
use corobench_tokio::{drive, program, token::measure};
use std::process::ExitCode;

fn main() -> ExitCode {
    program("hand-off", Keys::numbers(&["m"]), |case| {
        let m = case.plan.param("m");
        match case.plan.trace.clone() {
            None => drive(&case.runtime, measure(case.plan, 2, m, Off)),
            Some(trace) => drive(&case.runtime, measure(case.plan, 2, m, trace)),
        }
    })
}
