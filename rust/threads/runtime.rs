//! What the programs with a task that blocks share, for threads: how a task is started and joined, and who they are.
//!
//! What blocks, or gives way, the programs call by the names here: those of may are its own.

pub mod gate;
pub mod holds;
pub mod mailbox;
pub mod token;

use corobench_harness::{Hello, Iterations, Keys, Plan, Probe, Result};
use serde_json::{Map, Value, json};
use std::{
    fs, panic,
    process::ExitCode,
    ptr,
    sync::{Condvar, Mutex, PoisonError, mpsc::sync_channel},
    thread::{self, JoinHandle},
};
pub use std::{
    net::TcpStream,
    os::unix::net::UnixStream,
    sync::mpsc::{Receiver, Sender, SyncSender as Outbox, channel},
    thread::{sleep, yield_now},
};

/// A started task.
pub type Task<T> = JoinHandle<T>;

/// The whole of a workload's program: `measure` iterates, everything around it is here.
pub fn program(workload: &str, keys: Keys<'_>, measure: fn(Plan) -> Result<Iterations>) -> ExitCode {
    corobench_harness::program(keys, unit, |params| hello(workload, params), measure)
}

/// Who this is.
///
/// # Errors
/// The system does not tell how many CPUs there are, or where the memory of a thread lies.
pub fn hello(workload: &str, params: Map<String, Value>) -> Result<Hello<'_>> {
    Ok(Hello {
        version: env!("COROBENCH_RUSTC"),
        language_version: env!("COROBENCH_RUSTC"),
        workload,
        params,
        settings: json!({
            "parallelism": thread::available_parallelism()?.get(),
            "stack_kib": join(thread::spawn(stack_kib))?,
        }),
    })
}

/// Starts task `i`.
pub fn start<T: Send + 'static, P: Probe>(i: u64, task: impl FnOnce() -> T + Send + 'static, probe: &P) -> Task<T> {
    probe.start(i, || thread::spawn(task))
}

/// Waits for a task's end. A panic in it has ended the process before.
#[expect(clippy::must_use_candidate, reason = "some tasks return nothing")]
pub fn join<T>(task: Task<T>) -> T {
    task.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
}

/// Both ends of a channel that holds one message.
#[must_use]
pub fn one_place() -> (Outbox<u64>, Receiver<u64>) {
    sync_channel(1)
}

/// A gate that is opened once, for all.
#[derive(Debug, Default)]
pub struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    /// Waits until it is open.
    pub fn wait(&self) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.opened.wait_while(open, |open| !*open).unwrap_or_else(PoisonError::into_inner));
    }

    /// Lets everybody pass.
    pub fn open(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.opened.notify_all();
    }
}

/// The standard library never uses a thread's number twice.
fn unit() -> Option<String> {
    let current = thread::current();
    (current.name() != Some("main")).then(|| format!("{:?}", current.id()))
}

/// The size of this thread's stack, as the system has it: the mapping in which its locals lie.
fn stack_kib() -> Result<usize> {
    let local = 0;
    let address = ptr::from_ref(&local).addr();
    for line in fs::read_to_string("/proc/self/maps")?.lines() {
        let (begin, rest) = line.split_once('-').ok_or("a mapping is a range")?;
        let (end, _) = rest.split_once(' ').ok_or("a mapping has an end")?;
        let range = usize::from_str_radix(begin, 16)?..usize::from_str_radix(end, 16)?;
        if range.contains(&address) {
            return Ok(range.len() / 1024);
        }
    }
    Err("no mapping holds this thread's stack".into())
}
