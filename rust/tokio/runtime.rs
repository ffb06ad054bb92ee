//! What the programs share: the variant's runtime, its hello, the task that is a workload's root, and what the portable
//! programs need of a runtime.

pub mod gate;
#[path = "../portable/holds.rs"]
pub mod holds;
#[path = "../portable/levels.rs"]
pub mod levels;
pub mod load;
#[path = "../portable/mailbox.rs"]
pub mod mailbox;
pub mod serve;
mod task;
pub mod token;

pub use task::{Task, before, permit, sleep_until, spawn, start};
pub use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::{Mutex, Semaphore},
    task::yield_now,
    time::sleep,
};

use corobench_harness::{Arguments, Hello, Iterations, Keys, Plan, Result, Usage, exit, report};
use serde_json::{Map, Value, json};
use std::{cell::RefCell, env, io, pin::Pin, process::ExitCode, thread};
use tokio::{
    runtime::{Builder, Runtime},
    task::LocalSet,
};

thread_local! {
    static RUNTIME: RefCell<Option<Runtime>> = const { RefCell::new(None) };
}

/// The scheduler that the manifest's variants choose from.
#[derive(Debug, Clone, Copy)]
pub struct Flavor(fn() -> Builder);

impl Flavor {
    /// Takes `flavor`.
    ///
    /// # Errors
    /// It is missing or unknown.
    pub fn from_arguments(arguments: &mut Arguments) -> std::result::Result<Self, Usage> {
        let flavors =
            [("current-thread", Builder::new_current_thread as fn() -> _), ("multi-thread", Builder::new_multi_thread)];
        arguments.choice("flavor", &flavors).map(Self)
    }

    /// Starts the runtime as `#[tokio::main]` does, nothing set by hand.
    ///
    /// # Errors
    /// The system refuses a thread or a poller.
    pub fn start(self) -> io::Result<Runtime> {
        (self.0)().enable_all().build()
    }
}

/// The whole of a workload's program: `measure` iterates, everything around it is here.
pub fn program(workload: &str, keys: Keys<'_>, measure: fn(Plan) -> Result<Iterations>) -> ExitCode {
    exit(|| {
        let mut arguments = Arguments::parse(env::args_os().skip(1))?;
        let flavor = Flavor::from_arguments(&mut arguments)?;
        let plan = Plan::from_arguments(&mut arguments, keys, unit)?;
        arguments.finish()?;
        let runtime = flavor.start()?;
        hello(workload, plan.params(), &runtime).write()?;
        RUNTIME.set(Some(runtime));
        let trace = plan.trace.clone();
        let iterations = measure(plan)?;
        report(&iterations, trace.as_ref())
    })
}

/// Who this is: versions from the build, settings from the runtime.
#[must_use]
pub fn hello<'a>(workload: &'a str, params: Map<String, Value>, runtime: &Runtime) -> Hello<'a> {
    Hello {
        version: env!("COROBENCH_VERSION"),
        language_version: env!("COROBENCH_RUSTC"),
        workload,
        params,
        settings: json!({
            "flavor": format!("{:?}", runtime.handle().runtime_flavor()),
            "workers": runtime.metrics().num_workers(),
        }),
    }
}

/// The runtime that `program` has started. Whoever takes it drops it: once its workers have ended, no task is left that
/// could still be tracing.
fn taken() -> Runtime {
    RUNTIME.take().expect("a program drives one root")
}

/// Runs a workload's root as a task, so that what it starts and awaits goes through the scheduler's own queue.
///
/// # Errors
/// The root fails or panics.
///
/// # Panics
/// Not in a program, or for the second time.
pub fn drive<T: Send + 'static>(root: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    run(Box::pin(root))
}

/// Runs a root behind a pointer: those of all programs are one type, for which the runtime's code is compiled once.
fn run<T: Send + 'static>(root: Pin<Box<dyn Future<Output = Result<T>> + Send>>) -> Result<T> {
    let runtime = taken();
    runtime.block_on(runtime.spawn(root))?
}

/// Runs a workload's root as a task of a `LocalSet`, as which it can start others.
///
/// # Errors
/// The root fails or panics.
///
/// # Panics
/// Not in a program, or for the second time.
pub fn drive_locally<T: 'static>(root: impl Future<Output = Result<T>> + 'static) -> Result<T> {
    let tasks = LocalSet::new();
    tasks.block_on(&taken(), tasks.spawn_local(root))?
}

/// The running task; beside the tasks, the running thread by its name.
fn unit() -> Option<String> {
    tokio::task::try_id().map(|id| id.to_string()).or_else(|| thread::current().name().map(str::to_owned))
}
