//! Two tasks pass a token back and forth over two channels, which hold one message each unless the variant says otherwise.

use corobench_harness::{Iterations, Keys, Off, Result};
use corobench_tokio::{
    Case, drive, program,
    token::{Outbox, measure},
};
use std::process::ExitCode;
use tokio::sync::mpsc::{Sender, UnboundedSender};

fn over<O: Outbox>(Case { plan, runtime, .. }: Case) -> Result<Iterations> {
    let m = plan.param("m");
    match plan.trace.clone() {
        None => drive(&runtime, measure::<O, _>(plan, 2, m, Off)),
        Some(trace) => drive(&runtime, measure::<O, _>(plan, 2, m, trace)),
    }
}

fn main() -> ExitCode {
    program("hand-off", Keys::numbers(&["m"]), |case| {
        if case.variant.unbounded { over::<UnboundedSender<u64>>(case) } else { over::<Sender<u64>>(case) }
    })
}
