//! Does nothing, or starts one thread and joins it.

use runtime::{hello, join};
use std::{process::ExitCode, thread};

fn main() -> ExitCode {
    corobench_harness::startup(|params| hello("startup", params), || Ok(join(thread::spawn(|| 1))))
}
