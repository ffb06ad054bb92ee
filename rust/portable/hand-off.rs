//! Two tasks pass a token back and forth over two channels that hold one message each: async-channel's, unless the variant says otherwise.

use async_channel::Sender;
use corobench_harness::{Iterations, Keys, Off, Plan, Result};
use runtime::{drive, link::Outbox, mailbox::Mailbox, program, token::measure};
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
