//! Does nothing, or starts the scheduler, runs one coroutine and joins it.

use may::go;
use runtime::{hello, join};
use std::process::ExitCode;

fn main() -> ExitCode {
    corobench_harness::startup(|params| Ok(hello("startup", params)), || Ok(join(go!(|| 1))))
}
