//! What the shared programs need of a runtime, from smol's executor in a static of its own, run by the main thread.

#[path = "../portable/start.rs"]
mod start;

pub use smol::Task;
pub use start::{drive, start};

use async_executor::StaticExecutor;
use corobench_harness::{Hello, Iterations, Keys, Plan, Result, running};
use serde_json::{Map, Value, json};
use std::process::ExitCode;

static EXECUTOR: StaticExecutor = StaticExecutor::new();

/// The whole of a workload's program: `measure` iterates, everything around it is here.
pub fn program(workload: &str, keys: Keys<'_>, measure: fn(Plan) -> Result<Iterations>) -> ExitCode {
    corobench_harness::program(keys, running, |params| Ok(hello(workload, params)), measure)
}

/// Who this is.
#[must_use]
pub fn hello(workload: &str, params: Map<String, Value>) -> Hello<'_> {
    Hello {
        version: env!("COROBENCH_VERSION"),
        language_version: env!("COROBENCH_RUSTC"),
        workload,
        params,
        settings: json!({}),
    }
}

/// Starts a task.
pub fn spawn<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> Task<T> {
    EXECUTOR.spawn(future)
}

/// Runs the executor until a future has ended.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    smol::block_on(EXECUTOR.run(future))
}
