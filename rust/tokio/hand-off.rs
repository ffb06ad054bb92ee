//! Two tasks pass a token back and forth over two channels that hold one message each: Tokio's, unless the variant says otherwise.

use corobench_harness::{Iterations, Keys, Off, Result};
use corobench_tokio::{Case, drive, link::Outbox, mailbox::Mailbox, program, token::measure};
use std::process::ExitCode;
use tokio::sync::mpsc::Sender;

fn over<O: Outbox>(Case { plan, runtime, .. }: Case) -> Result<Iterations> {
    let m = plan.param("m");
    match plan.trace.clone() {
        None => drive(&runtime, measure::<O, _>(plan, 2, m, Off)),
        Some(trace) => drive(&runtime, measure::<O, _>(plan, 2, m, trace)),
    }
}

fn main() -> ExitCode {
    program("hand-off", Keys::numbers(&["m"]), |case| {
        if case.variant.mailbox { over::<Mailbox>(case) } else { over::<Sender<u64>>(case) }
    })
}
