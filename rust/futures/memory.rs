//! Parks n futures at a gate and holds before, while and after they live.

use corobench_futures::{drive, gate::Gate, holds::measure, program};
use corobench_harness::{Keys, Kind, Off, Probe};
use std::{process::ExitCode, sync::Arc};

async fn body<P: Probe>(i: u64, gate: Arc<Gate>, probe: P) -> (u64, u64) {
    probe.event(Kind::Run, i);
    gate.park(i, &probe).await;
    gate.parked.leave();
    probe.event(Kind::Done, i);
    (i, i)
}

pub(crate) fn main() -> ExitCode {
    program("memory", Keys::numbers(&["n"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, body, Off)),
        Some(trace) => drive(measure(plan, body, trace)),
    })
}
