//! What task bodies tell: nothing (timed), every event (trace), or whether the resume was a true switch (count).
//!
//! A probe is a type parameter of the bodies, so the timed ones are compiled with `Off` and contain no trace of it.

use crate::{
    Evidence,
    watch::{Wakers, Watched},
};
use serde_json::{Value, json};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, Ordering::Relaxed},
};

/// The task number of events that belong to no task.
pub const ROOT: u64 = u64::MAX;

/// The kinds of traced events; the contract says who records which, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The starter is about to start the task.
    Spawn,
    /// The call that starts the task has returned.
    Spawned,
    /// The task runs.
    Run,
    /// The task is about to wait for the gate.
    Park,
    /// The task is about to ask for what lets it in: a lock, a permit.
    Ask,
    /// The task is inside.
    Enter,
    /// The task is about to leave.
    Leave,
    /// A scope is about to be opened; its number stands for a task's.
    Open,
    /// The scope has closed, and its error was caught.
    Close,
    /// The task is about to fail.
    Fail,
    /// A hold is about to be announced.
    Hold,
    /// The task is about to end.
    Done,
    /// The task's result has been received.
    Collect,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Spawn => "spawn",
            Self::Spawned => "spawned",
            Self::Run => "run",
            Self::Park => "park",
            Self::Ask => "ask",
            Self::Enter => "enter",
            Self::Leave => "leave",
            Self::Open => "open",
            Self::Close => "close",
            Self::Fail => "fail",
            Self::Hold => "hold",
            Self::Done => "done",
            Self::Collect => "collect",
        }
    }
}

/// Told of everything that happens to a task.
pub trait Probe: Clone + Send + Sync + 'static {
    /// Whether it costs nothing, as in what is timed.
    const TIMED: bool;

    /// A task's number, where it is not known from its place in a loop.
    type Number: Copy + Into<u64> + Send;

    /// Numbers the next task to start.
    fn number(&self) -> Self::Number;

    /// `task` is the task's number, or [`ROOT`].
    fn event(&self, kind: Kind, task: u64);

    /// Starts a task by the call that does so.
    #[inline]
    fn start<T>(&self, task: u64, start: impl FnOnce() -> T) -> T {
        self.event(Kind::Spawn, task);
        let started = start();
        self.event(Kind::Spawned, task);
        started
    }

    /// A task's future, watched.
    type Watched<F: Future<Output: 'static> + Send + 'static>: Future<Output = F::Output> + Send + 'static;

    /// The future of a task on an executor that gives it no name; [`crate::running`] knows it.
    fn watch<F: Future<Output: 'static> + Send + 'static>(self, future: F) -> Self::Watched<F>;

    /// Adds what the probe itself counted in this iteration.
    fn testify(&self, evidence: Evidence) -> Evidence {
        evidence
    }
}

/// Records nothing, costs nothing.
#[derive(Debug, Clone, Copy)]
pub struct Off;

/// The number of a task that nobody asks for; it takes no room in the task.
#[derive(Debug, Clone, Copy)]
pub struct Unnumbered;

impl From<Unnumbered> for u64 {
    fn from(_: Unnumbered) -> Self {
        ROOT
    }
}

impl Probe for Off {
    const TIMED: bool = true;

    type Number = Unnumbered;
    type Watched<F: Future<Output: 'static> + Send + 'static> = F;

    fn watch<F: Future<Output: 'static> + Send + 'static>(self, future: F) -> F {
        future
    }

    fn number(&self) -> Unnumbered {
        Unnumbered
    }

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "an empty body must not depend on the optimiser's mood")]
    fn event(&self, _: Kind, _: u64) {}
}

/// Records every event with the identity that the runtime gives to whatever is running.
#[derive(Debug, Clone)]
pub struct Trace {
    unit: fn() -> Option<String>,
    events: Arc<Mutex<Vec<Value>>>,
    numbered: Arc<AtomicU64>,
    wakers: Wakers,
}

impl Trace {
    /// `unit` asks the runtime who is running; `None` is the root.
    #[must_use]
    pub fn new(unit: fn() -> Option<String>) -> Self {
        Self { unit, events: Arc::default(), numbered: Arc::default(), wakers: Arc::default() }
    }

    pub(crate) fn events(&self) -> Vec<Value> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Probe for Trace {
    const TIMED: bool = false;

    type Number = u64;
    type Watched<F: Future<Output: 'static> + Send + 'static> = Watched<F::Output>;

    fn number(&self) -> u64 {
        self.numbered.fetch_add(1, Relaxed)
    }

    fn watch<F: Future<Output: 'static> + Send + 'static>(self, future: F) -> Self::Watched<F> {
        Watched::new(future, self.wakers)
    }

    fn event(&self, kind: Kind, task: u64) {
        let unit = (self.unit)().unwrap_or_else(|| "main".to_owned());
        let task = if task == ROOT { json!(-1) } else { json!(task) };
        self.events.lock().unwrap_or_else(PoisonError::into_inner).push(json!([kind.name(), task, unit]));
    }
}

/// Counts the resumes of another task than the one resumed before, and passes events on.
#[derive(Debug, Clone)]
pub struct TrueSwitches<P> {
    inner: P,
    last: Arc<AtomicU64>,
    count: Arc<AtomicU64>,
}

impl<P> TrueSwitches<P> {
    /// The first resume comes after no other task's, and counts.
    pub fn new(inner: P) -> Self {
        Self { inner, last: Arc::new(AtomicU64::new(ROOT)), count: Arc::default() }
    }
}

impl<P: Probe> Probe for TrueSwitches<P> {
    const TIMED: bool = false;

    type Number = P::Number;
    type Watched<F: Future<Output: 'static> + Send + 'static> = P::Watched<F>;

    fn number(&self) -> P::Number {
        self.inner.number()
    }

    fn watch<F: Future<Output: 'static> + Send + 'static>(self, future: F) -> Self::Watched<F> {
        self.inner.watch(future)
    }

    fn event(&self, kind: Kind, task: u64) {
        self.inner.event(kind, task);
        if kind == Kind::Run && self.last.swap(task, Relaxed) != task {
            self.count.fetch_add(1, Relaxed);
        }
    }

    fn testify(&self, evidence: Evidence) -> Evidence {
        self.last.store(ROOT, Relaxed);
        evidence.with("true_switches", self.count.swap(0, Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_in_order_with_the_runtimes_identity() {
        let trace = Trace::new(|| Some("7".to_owned()));
        trace.event(Kind::Spawn, 0);
        trace.clone().event(Kind::Hold, ROOT);
        assert_eq!(trace.events(), [json!(["spawn", 0, "7"]), json!(["hold", -1, "7"])]);
        let root = Trace::new(|| None);
        root.event(Kind::Run, 3);
        assert_eq!(root.events(), [json!(["run", 3, "main"])]);
    }

    #[test]
    fn numbers_tasks_only_where_somebody_asks() {
        let trace = Trace::new(|| None);
        assert_eq!([trace.number(), trace.clone().number(), trace.number()], [0, 1, 2], "clones count on together");
        assert_eq!(TrueSwitches::new(trace).number(), 3);
        assert_eq!(size_of_val(&Off.number()), 0, "an unnumbered task is no larger");
        assert_eq!(u64::from(Off.number()), ROOT);
    }

    #[test]
    fn counts_true_switches() {
        let count = |order: &[u64]| {
            let probe = TrueSwitches::new(Off);
            for task in order {
                probe.event(Kind::Run, *task);
                probe.event(Kind::Done, 9);
            }
            let first = probe.testify(Evidence::default()).counts()[0];
            assert_eq!(probe.testify(Evidence::default()).counts()[0].1, 0, "an iteration starts anew");
            first
        };
        assert_eq!(count(&[0, 1, 0, 1]), ("true_switches", 4));
        assert_eq!(count(&[0, 1, 1, 0, 0, 1]), ("true_switches", 4));
        assert_eq!(count(&[0, 0, 0]), ("true_switches", 1));
    }
}
