//! What the programs share: the executor, its hello, tasks, and the task that is a workload's root.

#[path = "../portable/gate.rs"]
pub mod gate;
#[path = "../portable/holds.rs"]
pub mod holds;
#[path = "../portable/levels.rs"]
pub mod levels;
#[path = "../portable/local.rs"]
mod local;
mod stream;
#[path = "../portable/token.rs"]
pub mod token;

pub use futures_lite::{
    future::yield_now, // what glommio's own yield_now awaits
    io::{AsyncReadExt, AsyncWriteExt},
};
pub use glommio::{Task, timer::sleep};
pub use local::start;
pub use stream::UnixStream;

use corobench_harness::{Hello, Iterations, Keys, Plan, Result};
use glommio::{LocalExecutor, LocalExecutorBuilder};
use serde_json::{Map, Value, json};
use std::{cell::RefCell, pin::Pin, process::ExitCode};

thread_local! {
    static EXECUTOR: RefCell<Option<LocalExecutor>> = const { RefCell::new(None) };
}

/// Starts the executor, nothing set by hand.
fn new_executor() -> Result<LocalExecutor> {
    // What goes wrong may hold a value that can't be sent to other threads.
    LocalExecutorBuilder::default().make().map_err(|error| error.to_string().into())
}

/// The whole of a workload's program: `measure` iterates, everything around it is here.
pub fn program(workload: &str, keys: Keys<'_>, measure: fn(Plan) -> Result<Iterations>) -> ExitCode {
    corobench_harness::program(keys, local::running, |params| hello(workload, params), measure)
}

/// Who this is. Starts the executor.
///
/// # Errors
/// The system refuses an `io_uring`.
pub fn hello(workload: &str, params: Map<String, Value>) -> Result<Hello<'_>> {
    let executor = new_executor()?;
    EXECUTOR.set(Some(executor));
    Ok(Hello {
        version: env!("COROBENCH_VERSION"),
        language_version: env!("COROBENCH_RUSTC"),
        workload,
        params,
        settings: json!({}),
    })
}

/// Starts a task in the queue of the one that runs. `spawn_local` would run it at once, on its starter's stack, up to where it waits.
///
/// # Panics
/// Outside of an executor.
pub fn spawn<T: 'static>(future: impl Future<Output = T> + 'static) -> Task<T> {
    let queue = glommio::executor().current_task_queue();
    glommio::spawn_local_into(future, queue).expect("the queue of what runs is there")
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
    let executor = match EXECUTOR.take() {
        Some(executor) => executor,
        None => new_executor()?,
    };
    executor.run(async { spawn(root).await })
}
