//! What the programs with a coroutine a task share: how a task is started and joined, and who they are.
//!
//! Its names are those of the runtime threads, whose programs serve both: a coroutine of may blocks like a thread.

#[path = "../threads/gate.rs"]
pub mod gate;
#[path = "../threads/holds.rs"]
pub mod holds;
#[path = "../threads/token.rs"]
pub mod token;

use corobench_harness::{Hello, Iterations, Keys, Plan, Probe, Result};
use may::{
    config,
    coroutine::{JoinHandle, current, is_coroutine},
    coroutine_local, go,
    sync::SyncFlag,
};
pub use may::{
    coroutine::{sleep, yield_now},
    net::TcpStream,
    os::unix::net::UnixStream,
    sync::mpsc::{Receiver, Sender, Sender as Outbox, channel},
};
use serde_json::{Map, Value, json};
use std::{
    panic,
    process::ExitCode,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// A started task.
pub type Task<T> = JoinHandle<T>;

/// The whole of a workload's program: `measure` iterates, everything around it is here.
///
/// The root is a coroutine too: a thread that waits is woken by the kernel.
pub fn program(workload: &str, keys: Keys<'_>, measure: fn(Plan) -> Result<Iterations>) -> ExitCode {
    let hello = |params| Ok(hello(workload, params));
    corobench_harness::program(keys, unit, hello, |plan| join(go!(move || measure(plan))))
}

/// Who this is.
#[must_use]
pub fn hello(workload: &str, params: Map<String, Value>) -> Hello<'_> {
    let stack_words = join(go!(|| current().stack_size()));
    Hello {
        version: env!("COROBENCH_VERSION"),
        language_version: env!("COROBENCH_RUSTC"),
        workload,
        params,
        settings: json!({
            "workers": config().get_workers(),
            "stack_kib": stack_words * size_of::<usize>() / 1024,
        }),
    }
}

/// Starts task `i`.
pub fn start<T: Send + 'static, P: Probe>(i: u64, task: impl FnOnce() -> T + Send + 'static, probe: &P) -> Task<T> {
    probe.start(i, || go!(task))
}

/// Waits for a task's end. A panic in it has ended the process before.
#[expect(clippy::must_use_candidate, reason = "some tasks return nothing")]
pub fn join<T>(task: Task<T>) -> T {
    task.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
}

/// Both ends of a channel; may has none that is bounded.
#[must_use]
pub fn one_place() -> (Outbox<u64>, Receiver<u64>) {
    channel()
}

/// A gate that is opened once, for all.
#[derive(Debug, Default)]
pub struct Gate(SyncFlag);

impl Gate {
    /// Waits until it is open.
    pub fn wait(&self) {
        self.0.wait();
    }

    /// Lets everybody pass.
    pub fn open(&self) {
        self.0.fire();
    }
}

static NUMBERED: AtomicU64 = AtomicU64::new(0);

coroutine_local!(static NUMBER: u64 = NUMBERED.fetch_add(1, Relaxed));

/// A coroutine has no identity that can be asked for, but storage of its own: there lies a number that no other one has.
fn unit() -> Option<String> {
    is_coroutine().then(|| NUMBER.with(ToString::to_string))
}
