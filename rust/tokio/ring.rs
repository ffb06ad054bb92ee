//! A token travels a ring of k parked tasks.

use corobench_harness::{Keys, Off};
use corobench_tokio::{drive, program, token::measure};
use std::process::ExitCode;
use tokio::sync::mpsc::Sender;

fn main() -> ExitCode {
    program("ring", Keys::numbers(&["k", "rounds"]), |case| {
        let (k, rounds) = (case.plan.param("k"), case.plan.param("rounds"));
        match case.plan.trace.clone() {
            None => drive(&case.runtime, measure::<Sender<u64>, _>(case.plan, k, rounds, false, Off)),
            Some(trace) => drive(&case.runtime, measure::<Sender<u64>, _>(case.plan, k, rounds, false, trace)),
        }
    })
}
