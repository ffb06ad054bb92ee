//! What the programs share: the runtime with its driver, its hello, and the task that is a workload's root.

#[path = "../portable/gate.rs"]
pub mod gate;
#[path = "../portable/holds.rs"]
pub mod holds;
#[path = "../portable/levels.rs"]
pub mod levels;
#[path = "../portable/local.rs"]
mod local;
mod task;
#[path = "../portable/token.rs"]
pub mod token;
#[path = "../portable/yields.rs"]
mod yields;

pub use compio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::UnixStream,
    time::sleep,
};
pub use local::start;
pub use task::{Task, spawn};
pub use yields::yield_now;

use compio::runtime::Runtime;
use corobench_harness::{Hello, Iterations, Keys, Plan, Result};
use serde_json::{Map, Value, json};
use std::{cell::RefCell, io, os::unix::net::UnixStream as Pair, pin::Pin, process::ExitCode};

thread_local! {
    static RUNTIME: RefCell<Option<Runtime>> = const { RefCell::new(None) };
}

/// The whole of a workload's program: `measure` iterates, everything around it is here.
pub fn program(workload: &str, keys: Keys<'_>, measure: fn(Plan) -> Result<Iterations>) -> ExitCode {
    corobench_harness::program(keys, local::running, |params| hello(workload, params), measure)
}

/// Who this is, and which driver runs. Starts the runtime, nothing set by hand.
///
/// # Errors
/// The system refuses an `io_uring`.
pub fn hello(workload: &str, params: Map<String, Value>) -> Result<Hello<'_>> {
    let runtime = Runtime::new()?;
    let driver = format!("{:?}", runtime.driver_type());
    RUNTIME.set(Some(runtime));
    Ok(Hello {
        version: env!("COROBENCH_VERSION"),
        language_version: env!("COROBENCH_RUSTC"),
        workload,
        params,
        settings: json!({"driver": driver}),
    })
}

/// Two connected sockets: compio connects some, and takes over a pair.
///
/// # Errors
/// The system has none.
pub fn pair() -> io::Result<(UnixStream, UnixStream)> {
    let (first, second) = Pair::pair()?;
    Ok((UnixStream::from_std(first)?, UnixStream::from_std(second)?))
}

/// Runs a workload's root as a task, so that what it starts and awaits goes through the scheduler's own queue.
///
/// # Errors
/// The root fails.
pub fn drive<T: 'static>(root: impl Future<Output = Result<T>> + 'static) -> Result<T> {
    run(Box::pin(root))
}

/// Runs a root behind a pointer: those of all programs are one type, for which the runtime's code is compiled once.
fn run<T: 'static>(root: Pin<Box<dyn Future<Output = Result<T>>>>) -> Result<T> {
    let runtime = match RUNTIME.take() {
        Some(runtime) => runtime,
        None => Runtime::new()?,
    };
    runtime.block_on(async { spawn(root).await })
}
