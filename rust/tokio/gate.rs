//! The places where the tasks of a workload wait for each other and for the root.

use corobench_harness::{Arrivals, Kind, Probe};
use tokio::sync::{Notify, futures::Notified};

/// Tells when every task is about to wait.
#[derive(Debug)]
pub struct Latch {
    arrivals: Arrivals,
    all: Notify,
}

impl Latch {
    /// Nobody has arrived yet.
    #[must_use]
    pub fn new(expected: u64) -> Self {
        Self { arrivals: Arrivals::new(expected), all: Notify::new() }
    }

    /// One more task is here, and goes on to its wait without giving its thread away in between.
    pub fn arrive(&self) {
        if self.arrivals.arrive() {
            self.all.notify_one();
        }
    }

    /// A task's wait is over.
    pub fn leave(&self) {
        self.arrivals.leave();
    }

    /// How many wait now.
    #[must_use]
    pub fn waiting(&self) -> u64 {
        self.arrivals.waiting()
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
    pub parked: Latch,
    opened: Notify,
}

impl Gate {
    /// A closed gate for so many tasks.
    #[must_use]
    pub fn new(expected: u64) -> Self {
        Self { parked: Latch::new(expected), opened: Notify::new() }
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
