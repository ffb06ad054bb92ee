//! Parks n tasks at a gate and holds before, while and after they live.

use corobench_harness::{Keys, Off, Probe};
use runtime::{gate::Parking, holds::measure, program};
use std::process::ExitCode;

fn body<P: Probe>(i: u64, parking: &Parking, probe: &P) -> u64 {
    parking.park(i, probe);
    i
}

pub(crate) fn main() -> ExitCode {
    program("memory", Keys::numbers(&["n"]), |plan| match plan.trace.clone() {
        None => measure(plan, body, &Off),
        Some(trace) => measure(plan, body, &trace),
    })
}
