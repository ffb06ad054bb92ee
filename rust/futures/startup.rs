//! Does nothing, or runs a set of one future and takes its result.

use corobench_futures::{hello, start_all};
use corobench_harness::Off;
use futures::{StreamExt, executor::block_on};
use std::process::ExitCode;

fn main() -> ExitCode {
    corobench_harness::startup(
        |params| Ok(hello("startup", params)),
        || block_on(start_all([async { 1 }], &Off).next()).ok_or_else(|| "the set was empty".into()),
    )
}
