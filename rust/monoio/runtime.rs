//! What the programs share: the runtime with its driver, its hello, tasks, and the task that is a workload's root.

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

pub use local::start;
pub use monoio::{
    io::{AsyncReadRentExt as AsyncReadExt, AsyncWriteRentExt as AsyncWriteExt},
    net::UnixStream,
    time::sleep,
};
pub use task::{Task, spawn};

use corobench_harness::{Hello, Iterations, Keys, Plan, Result};
use monoio::{FusionDriver, FusionRuntime, IoUringDriver, LegacyDriver, RuntimeBuilder, time::TimeDriver};
use serde_json::{Map, Value, json};
use std::{cell::RefCell, io, pin::Pin, process::ExitCode};

/// A runtime that runs on `io_uring` or, where the kernel refuses that, on epoll.
pub type Runtime = FusionRuntime<TimeDriver<IoUringDriver>, TimeDriver<LegacyDriver>>;

thread_local! {
    static RUNTIME: RefCell<Option<Runtime>> = const { RefCell::new(None) };
}

/// Starts the runtime as `#[monoio::main(timer_enabled = true)]` does, nothing set by hand.
///
/// # Errors
/// The system refuses a poller.
pub fn new_runtime() -> io::Result<Runtime> {
    RuntimeBuilder::<FusionDriver>::new().enable_timer().build()
}

/// The whole of a workload's program: `measure` iterates, everything around it is here.
pub fn program(workload: &str, keys: Keys<'_>, measure: fn(Plan) -> Result<Iterations>) -> ExitCode {
    let hello = |params| {
        let runtime = new_runtime()?;
        let hello = hello(workload, params, &runtime);
        RUNTIME.set(Some(runtime));
        Ok(hello)
    };
    corobench_harness::program(keys, local::running, hello, measure)
}

/// Who this is, and which of the two drivers runs.
#[must_use]
pub fn hello<'a>(workload: &'a str, params: Map<String, Value>, runtime: &Runtime) -> Hello<'a> {
    let driver = match runtime {
        FusionRuntime::Uring(_) => "io_uring",
        FusionRuntime::Legacy(_) => "legacy",
    };
    Hello {
        version: env!("COROBENCH_VERSION"),
        language_version: env!("COROBENCH_RUSTC"),
        workload,
        params,
        settings: json!({"driver": driver}),
    }
}

/// Two connected sockets.
///
/// # Errors
/// The system has none.
pub fn pair() -> io::Result<(UnixStream, UnixStream)> {
    UnixStream::pair()
}

/// Runs a workload's root as a task, so that what it starts and awaits goes through the scheduler's own queue.
///
/// # Errors
/// The root fails.
///
/// # Panics
/// Not in a program, or for the second time.
pub fn drive<T: 'static>(root: impl Future<Output = Result<T>> + 'static) -> Result<T> {
    run(Box::pin(root))
}

/// Runs a root behind a pointer: those of all programs are one type, for which the runtime's code is compiled once.
fn run<T: 'static>(root: Pin<Box<dyn Future<Output = Result<T>>>>) -> Result<T> {
    let mut runtime = RUNTIME.take().expect("a program drives one root");
    runtime.block_on(async { spawn(root).await })
}
