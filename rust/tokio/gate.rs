//! The places where the tasks of a workload wait for each other and for the root.

use corobench_harness::{Kind, Probe};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use tokio::sync::{Notify, futures::Notified};

/// Tells when every task is about to wait.
#[derive(Debug)]
pub struct Arrivals {
    expected: u64,
    /// Those that wait now, and all that ever came: the first may leave before the last is there.
    count: AtomicU64,
    arrived: AtomicU64,
    all: Notify,
}

impl Arrivals {
    /// Nobody has arrived yet.
    #[must_use]
    pub fn new(expected: u64) -> Self {
        Self { expected, count: AtomicU64::new(0), arrived: AtomicU64::new(0), all: Notify::new() }
    }

    /// One more task is here, and goes on to its wait without giving its thread away in between.
    pub fn arrive(&self) {
        self.count.fetch_add(1, SeqCst);
        if self.arrived.fetch_add(1, SeqCst) + 1 == self.expected {
            self.all.notify_one();
        }
    }

    /// A task's wait is over.
    pub fn leave(&self) {
        self.count.fetch_sub(1, SeqCst);
    }

    /// How many wait now.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count.load(SeqCst)
    }

    /// Waits for the last.
    pub async fn all(&self) {
        self.all.notified().await;
    }
}

/// A gate that is opened once, for all.
#[derive(Debug)]
pub struct Gate {
    /// The tasks that are parked at it.
    pub parked: Arrivals,
    opened: Notify,
}

impl Gate {
    /// A closed gate for so many tasks.
    #[must_use]
    pub fn new(expected: u64) -> Self {
        Self { parked: Arrivals::new(expected), opened: Notify::new() }
    }

    /// Task `i` parks as soon as it awaits what this returns. No async function: its state would be part of every task.
    pub fn park<P: Probe>(&self, i: u64, probe: &P) -> Notified<'_> {
        // From here on the opening cannot be missed, even if it comes before the wait.
        let opened = self.opened.notified();
        probe.event(Kind::Park, i);
        self.parked.arrive();
        opened
    }

    /// Lets everybody pass.
    pub fn open(&self) {
        self.opened.notify_waiters();
    }
}
