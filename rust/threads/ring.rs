//! A token travels a ring of k parked tasks.

use corobench_harness::{Keys, Off};
use runtime::{program, token::measure};
use std::{process::ExitCode, sync::mpsc::SyncSender};

fn main() -> ExitCode {
    program("ring", Keys::numbers(&["k", "rounds"]), |plan| {
        let (k, rounds) = (plan.param("k"), plan.param("rounds"));
        match plan.trace.clone() {
            None => measure::<SyncSender<u64>, _>(plan, k, rounds, &Off),
            Some(trace) => measure::<SyncSender<u64>, _>(plan, k, rounds, &trace),
        }
    })
}
