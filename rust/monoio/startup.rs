//! Does nothing, or starts the runtime, runs one task and joins it.

use runtime::{hello, new_runtime, spawn};
use std::process::ExitCode;

fn main() -> ExitCode {
    corobench_harness::startup(
        |params| Ok(hello("startup", params, &new_runtime()?)),
        || Ok(new_runtime()?.block_on(async { spawn(async { 1 }).await })),
    )
}
