//! Parks n tasks at a gate, each eight calls deep with 1 KiB of local bytes, and holds before, while and after they live.

use corobench_harness::{Keys, Kind, Off, Probe};
use runtime::{drive, gate::Gate, holds::measure, levels::level_1, program};
use std::{process::ExitCode, sync::Arc};

async fn task<P: Probe>(i: u64, gate: Arc<Gate>, probe: P) -> u64 {
    probe.event(Kind::Run, i);
    let result = level_1(i, &gate, probe.clone()).await;
    probe.event(Kind::Done, i);
    result
}

pub(crate) fn main() -> ExitCode {
    program("memory-state", Keys::numbers(&["n"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, task, Off)),
        Some(trace) => drive(measure(plan, task, trace)),
    })
}
