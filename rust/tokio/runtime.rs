//! What the tokio programs share: the variant's runtime, its hello, and the task that is a workload's root.

pub mod gate;
pub mod holds;
#[path = "../portable/link.rs"]
pub mod link;
pub mod load;
#[path = "../portable/mailbox.rs"]
pub mod mailbox;
pub mod serve;
pub mod token;

use corobench_harness::{Arguments, Hello, Iterations, Keys, Kind, Plan, Probe, Result, Usage, exit, report};
use serde_json::{Map, Value, json};
use std::{env, io, process::ExitCode};
use tokio::{
    runtime::{Builder, Runtime},
    task::{JoinHandle, LocalSet},
};

/// How a task yields.
#[derive(Debug, Clone, Copy)]
pub enum Yield {
    /// `tokio::task::yield_now`.
    Now,
    /// A future that wakes itself.
    SelfWake,
}

/// What the manifest's variants choose from.
#[derive(Debug, Clone, Copy)]
pub struct Variant {
    builder: fn() -> Builder,
    /// Matters to `switch` only.
    pub yields: Yield,
    /// Whether a mailbox of one's own takes the place of a channel; matters to `hand-off` only.
    pub mailbox: bool,
    /// Whether tasks are kept by a `LocalSet`; matters to `spawn` and `hand-off` only.
    pub local: bool,
    /// Whether results are collected from the last task on; matters to `spawn` only.
    pub backwards: bool,
}

impl Variant {
    /// Takes `flavor` and `yield`, and `mailbox`, `local` and `backwards` where they are given.
    ///
    /// # Errors
    /// One of the first two is missing, or any unknown.
    pub fn from_arguments(arguments: &mut Arguments) -> std::result::Result<Self, Usage> {
        Ok(Self {
            builder: arguments.choice(
                "flavor",
                &[
                    ("current-thread", Builder::new_current_thread as fn() -> _),
                    ("multi-thread", Builder::new_multi_thread),
                ],
            )?,
            yields: arguments.choice("yield", &[("yield-now", Yield::Now), ("self-wake", Yield::SelfWake)])?,
            mailbox: arguments.flag("mailbox")?,
            local: arguments.flag("local")?,
            backwards: arguments.flag("backwards")?,
        })
    }

    /// Starts the runtime as `#[tokio::main]` does, nothing set by hand.
    ///
    /// # Errors
    /// The system refuses a thread or a poller.
    pub fn start(self) -> io::Result<Runtime> {
        (self.builder)().enable_all().build()
    }
}

/// A parsed command line and the runtime that it asked for.
#[derive(Debug)]
pub struct Case {
    /// What to do.
    pub plan: Plan,
    /// Where to do it.
    pub runtime: Runtime,
    /// How it is used there.
    pub variant: Variant,
}

/// The whole of a workload's program: `measure` iterates, everything around it is here.
pub fn program(workload: &str, keys: Keys<'_>, measure: impl FnOnce(Case) -> Result<Iterations>) -> ExitCode {
    exit(|| {
        let mut arguments = Arguments::parse(env::args_os().skip(1))?;
        let variant = Variant::from_arguments(&mut arguments)?;
        let plan = Plan::from_arguments(&mut arguments, keys, unit)?;
        arguments.finish()?;
        let runtime = variant.start()?;
        hello(workload, plan.params(), &runtime).write()?;
        let trace = plan.trace.clone();
        // Takes the runtime along: once its workers have ended, no task is left that could still be tracing.
        let iterations = measure(Case { plan, runtime, variant })?;
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

/// Runs a workload's root as a task, so that what it starts and awaits goes through the scheduler's own queue.
///
/// # Errors
/// The root fails or panics.
pub fn drive<T: Send + 'static>(
    runtime: &Runtime,
    root: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    runtime.block_on(runtime.spawn(root))?
}

/// Runs a workload's root as a task of a `LocalSet`, as which it can start others.
///
/// # Errors
/// The root fails or panics.
pub fn drive_locally<T: 'static>(runtime: &Runtime, root: impl Future<Output = Result<T>> + 'static) -> Result<T> {
    let tasks = LocalSet::new();
    tasks.block_on(runtime, tasks.spawn_local(root))?
}

/// Starts task `i`.
pub fn start<T: Send + 'static, P: Probe>(
    i: u64,
    task: impl Future<Output = T> + Send + 'static,
    probe: &P,
) -> JoinHandle<T> {
    start_by(tokio::spawn, i, task, probe)
}

/// Starts task `i` by one of tokio's functions.
pub fn start_by<T, F: Future<Output = T>, P: Probe>(
    spawn: impl Fn(F) -> JoinHandle<T>,
    i: u64,
    task: F,
    probe: &P,
) -> JoinHandle<T> {
    probe.event(Kind::Spawn, i);
    let handle = spawn(task);
    probe.event(Kind::Spawned, i);
    handle
}

fn unit() -> Option<String> {
    tokio::task::try_id().map(|id| id.to_string())
}
