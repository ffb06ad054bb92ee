//! What the shared programs need of a runtime, from the executor beside this file.

mod executor;
#[path = "../portable/gate.rs"]
pub mod gate;
#[path = "../portable/holds.rs"]
pub mod holds;
#[path = "../portable/levels.rs"]
pub mod levels;
#[path = "../portable/mailbox.rs"]
pub mod mailbox;
#[path = "../portable/start.rs"]
mod start;
#[path = "../portable/token.rs"]
pub mod token;
#[path = "../portable/yields.rs"]
mod yields;

pub use executor::{Task, block_on, spawn};
pub use start::{drive, start};
pub use yields::yield_now;

use corobench_harness::{Hello, Iterations, Keys, Plan, Result, running};
use serde_json::{Map, Value, json};
use std::process::ExitCode;

/// The whole of a workload's program: `measure` iterates, everything around it is here.
pub fn program(workload: &str, keys: Keys<'_>, measure: fn(Plan) -> Result<Iterations>) -> ExitCode {
    corobench_harness::program(keys, running, |params| hello(workload, params), measure)
}

/// Who this is.
///
/// # Errors
/// Never: other runtimes must ask the system.
pub fn hello(workload: &str, params: Map<String, Value>) -> Result<Hello<'_>> {
    Ok(Hello {
        version: env!("CARGO_PKG_VERSION"),
        language_version: env!("COROBENCH_RUSTC"),
        workload,
        params,
        settings: json!({}),
    })
}
