//! Parks n tasks at a gate and holds before, while and after they live.

use corobench_harness::{Keys, Kind, Off, Probe};
use runtime::{drive, gate::Gate, holds::measure, program};
use std::{process::ExitCode, sync::Arc};

async fn task<P: Probe>(i: u64, gate: Arc<Gate>, probe: P) -> u64 {
    probe.event(Kind::Run, i);
    gate.park(i, &probe).await;
    gate.parked.leave();
    probe.event(Kind::Done, i);
    i
}

pub(crate) fn main() -> ExitCode {
    program("memory", Keys::numbers(&["n"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, task, Off)),
        Some(trace) => drive(measure(plan, task, trace)),
    })
}
