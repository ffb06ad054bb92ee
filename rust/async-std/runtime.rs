//! What the shared programs need of a runtime, from async-std: its one executor, which is global.

#[path = "../portable/gate.rs"]
pub mod gate;
#[path = "../portable/holds.rs"]
pub mod holds;
#[path = "../portable/levels.rs"]
pub mod levels;
pub mod load;
#[path = "../portable/start.rs"]
mod start;
mod task;
#[path = "../portable/threads.rs"]
mod threads;
#[path = "../portable/token.rs"]
pub mod token;

pub use async_std::{
    io::{ReadExt as AsyncReadExt, WriteExt as AsyncWriteExt},
    net::TcpStream,
    os::unix::net::UnixStream,
    task::{block_on, sleep, yield_now},
};
pub use start::{drive, start};
pub use task::{Task, before, sleep_until, spawn};

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
/// The system does not tell what threads there are.
pub fn hello(workload: &str, params: Map<String, Value>) -> Result<Hello<'_>> {
    // Starts the executor.
    block_on(spawn(async {}));
    Ok(Hello {
        version: env!("COROBENCH_VERSION"),
        language_version: env!("COROBENCH_RUSTC"),
        workload,
        params,
        settings: json!({"threads": threads::named(b"async-std/runti")?}),
    })
}
