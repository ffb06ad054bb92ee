//! A token travels a ring of k parked tasks.

use async_channel::Sender;
use corobench_harness::{Keys, Off};
use runtime::{drive, program, token::measure};
use std::process::ExitCode;

fn main() -> ExitCode {
    program("ring", Keys::numbers(&["k", "rounds"]), |plan| {
        let (k, rounds) = (plan.param("k"), plan.param("rounds"));
        match plan.trace.clone() {
            None => drive(measure::<Sender<u64>, _>(plan, k, rounds, Off)),
            Some(trace) => drive(measure::<Sender<u64>, _>(plan, k, rounds, trace)),
        }
    })
}
