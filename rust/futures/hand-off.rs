//! Two futures pass a token back and forth over two channels that hold one message each: the library's, unless the variant says otherwise.

use corobench_futures::{drive, link::Outbox, mailbox::Mailbox, program, token::measure};
use corobench_harness::{Iterations, Keys, Off, Plan, Result};
use futures::channel::mpsc::Sender;
use std::process::ExitCode;

fn over<O: Outbox>(plan: Plan) -> Result<Iterations> {
    let m = plan.param("m");
    match plan.trace.clone() {
        None => drive(measure::<O, _>(plan, 2, m, Off)),
        Some(trace) => drive(measure::<O, _>(plan, 2, m, trace)),
    }
}

fn main() -> ExitCode {
    let keys = Keys { flags: &["mailbox"], ..Keys::numbers(&["m"]) };
    program(
        "hand-off",
        keys,
        |plan| {
            if plan.flag("mailbox") { over::<Mailbox>(plan) } else { over::<Sender<u64>>(plan) }
        },
    )
}
