//! A token travels a ring of k parked tasks.

use corobench_harness::{Keys, Off};
use runtime::{drive, program, token::measure};
use std::process::ExitCode;

pub(crate) fn main() -> ExitCode {
    program("ring", Keys::numbers(&["k", "rounds"]), |plan| {
        let (k, rounds) = (plan.param("k"), plan.param("rounds"));
        match plan.trace.clone() {
            None => drive(measure(plan, k, rounds, Off)),
            Some(trace) => drive(measure(plan, k, rounds, trace)),
        }
    })
}
