//! Two tasks pass a token back and forth over two channels that hold one message each: the library's, unless the variant says otherwise.

use corobench_harness::{Iterations, Keys, Off, Plan, Result};
use runtime::{
    mailbox::Mailbox,
    program,
    token::{Outbox, measure},
};
use std::{process::ExitCode, sync::mpsc::SyncSender};

fn over<O: Outbox>(plan: Plan) -> Result<Iterations> {
    let m = plan.param("m");
    match plan.trace.clone() {
        None => measure::<O, _>(plan, 2, m, &Off),
        Some(trace) => measure::<O, _>(plan, 2, m, &trace),
    }
}

fn main() -> ExitCode {
    let keys = Keys { flags: &["mailbox"], ..Keys::numbers(&["m"]) };
    program(
        "hand-off",
        keys,
        |plan| {
            if plan.flag("mailbox") { over::<Mailbox>(plan) } else { over::<SyncSender<u64>>(plan) }
        },
    )
}
