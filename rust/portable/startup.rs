//! Does nothing, or starts the runtime, runs one task and joins it.

use runtime::{block_on, hello, spawn};
use std::process::ExitCode;

fn main() -> ExitCode {
    corobench_harness::startup(|params| hello("startup", params), || Ok(block_on(spawn(async { 1 }))))
}
