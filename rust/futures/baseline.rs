//! Calls the task's body n times as a plain function: the program that all runtimes of the language have.

extern crate corobench_futures as runtime;

#[path = "../portable/baseline.rs"]
mod baseline;

use std::process::ExitCode;

fn main() -> ExitCode {
    baseline::main()
}
