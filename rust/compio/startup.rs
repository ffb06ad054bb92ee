//! Does nothing, or starts the runtime, runs one task and joins it.

use runtime::{drive, hello, spawn};
use std::process::ExitCode;

fn main() -> ExitCode {
    corobench_harness::startup(|params| hello("startup", params), || drive(async { Ok(spawn(async { 1 }).await) }))
}
