//! Futures that one task polls: a `FuturesUnordered`, which gives each a waker of its own and polls only those woken.

#[path = "../portable/gate.rs"]
pub mod gate;
pub mod holds;
#[path = "../portable/levels.rs"]
pub mod levels;
#[path = "../portable/mailbox.rs"]
pub mod mailbox;
pub mod token;
#[path = "../portable/yields.rs"]
mod yields;

pub use yields::yield_now;

use corobench_harness::{Hello, Iterations, Keys, Kind, Plan, Probe, Result, running};
use futures::{Stream, StreamExt, executor::block_on, poll, stream::FuturesUnordered};
use serde_json::{Map, Value, json};
use std::process::ExitCode;

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

/// Runs the one task, on the calling thread.
///
/// # Errors
/// The root fails.
pub fn drive<T>(root: impl Future<Output = Result<T>>) -> Result<T> {
    block_on(root)
}

/// Puts futures into a set; they are numbered from 0.
pub fn start_all<T: 'static, F: Future<Output = T> + Send + 'static, P: Probe>(
    futures: impl IntoIterator<Item = F>,
    probe: &P,
) -> FuturesUnordered<P::Watched<F>> {
    start_from(0, futures, probe)
}

/// Puts futures into a set; they are numbered from `first`.
pub fn start_from<T: 'static, F: Future<Output = T> + Send + 'static, P: Probe>(
    first: u64,
    futures: impl IntoIterator<Item = F>,
    probe: &P,
) -> FuturesUnordered<P::Watched<F>> {
    let set = FuturesUnordered::new();
    for (i, future) in (first..).zip(futures) {
        probe.event(Kind::Spawn, i);
        set.push(probe.clone().watch(future));
        probe.event(Kind::Spawned, i);
    }
    set
}

/// Takes the results as they come, each with its future's number; returns how many came.
pub async fn join_all<T, P: Probe>(
    mut set: impl Stream<Item = (u64, T)> + Unpin,
    probe: &P,
    mut take: impl FnMut(T),
) -> u64 {
    let mut finished = 0;
    while let Some((i, result)) = set.next().await {
        take(result);
        finished += 1;
        probe.event(Kind::Collect, i);
    }
    finished
}

/// Polls every future of a new set once: they run until they wait.
///
/// # Errors
/// One of them has ended.
pub async fn run_until_waiting(mut set: impl Stream + Unpin) -> Result {
    if poll!(set.next()).is_ready() {
        return Err("a future did not wait".into());
    }
    Ok(())
}
