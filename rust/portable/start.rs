//! How the shared programs start tasks and run their root, on whatever `spawn` and `block_on` are here.

use crate::{Task, block_on, spawn};
use corobench_harness::{Probe, Result};
use std::pin::Pin;

/// Starts task `i`.
pub fn start<T: Send + 'static, P: Probe>(
    i: u64,
    task: impl Future<Output = T> + Send + 'static,
    probe: &P,
) -> Task<T> {
    probe.start(i, || spawn(probe.clone().watch(task)))
}

/// Runs a workload's root as a task, so that what it starts and awaits goes through the scheduler's own queue.
///
/// # Errors
/// The root fails.
pub fn drive<T: Send + 'static>(root: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    run(Box::pin(root))
}

/// Runs a root behind a pointer: those of all programs are one type, for which the runtime's code is compiled once.
fn run<T: Send + 'static>(root: Pin<Box<dyn Future<Output = Result<T>> + Send>>) -> Result<T> {
    block_on(spawn(root))
}
