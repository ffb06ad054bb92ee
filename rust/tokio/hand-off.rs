//! Two tasks pass a token back and forth over two channels that hold one message each: Tokio's, unless the variant says otherwise.

use corobench_harness::{Iterations, Keys, Off, Probe, Result};
use corobench_tokio::{Case, drive, drive_locally, link::Outbox, mailbox::Mailbox, program, token::measure};
use std::process::ExitCode;
use tokio::sync::mpsc::Sender;

fn observed<O: Outbox, P: Probe>(Case { plan, runtime, variant }: Case, probe: P) -> Result<Iterations> {
    let m = plan.param("m");
    let passing = measure::<O, _>(plan, 2, m, variant.local, probe);
    if variant.local { drive_locally(&runtime, passing) } else { drive(&runtime, passing) }
}

fn over<O: Outbox>(case: Case) -> Result<Iterations> {
    match case.plan.trace.clone() {
        None => observed::<O, _>(case, Off),
        Some(trace) => observed::<O, _>(case, trace),
    }
}

fn main() -> ExitCode {
    program("hand-off", Keys::numbers(&["m"]), |case| {
        if case.variant.mailbox { over::<Mailbox>(case) } else { over::<Sender<u64>>(case) }
    })
}
