//! Parks n tasks at a gate, each eight calls deep with 1 KiB of local bytes, and holds before, while and after they live.

use corobench_harness::{Keys, Off, Probe};
use runtime::{gate::Parking, holds::measure, program};
use std::{hint::black_box, process::ExitCode};

const DEPTH: u64 = 8;

/// Not inlined: every level is a call on the task's own stack.
#[inline(never)]
fn descend<P: Probe>(level: u64, i: u64, parking: &Parking, probe: &P) -> u64 {
    if level < DEPTH {
        // What comes of it is looked at, so that no level is a jump to the next.
        return black_box(descend(level + 1, i, parking, probe));
    }
    let residue = u8::try_from(i % 251).expect("a remainder of 251 is below 251");
    let bytes = [residue; 1024];
    // The compiler must take them all for read, else it could keep only the last.
    black_box(&bytes);
    parking.park(i, probe);
    i - i % 251 + u64::from(black_box(&bytes)[1023])
}

fn body<P: Probe>(i: u64, parking: &Parking, probe: &P) -> u64 {
    descend(1, i, parking, probe)
}

pub(crate) fn main() -> ExitCode {
    program("memory-state", Keys::numbers(&["n"]), |plan| match plan.trace.clone() {
        None => measure(plan, body, &Off),
        Some(trace) => measure(plan, body, &trace),
    })
}
