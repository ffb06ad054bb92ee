//! How many tasks wait, and whether all of them have come to their wait.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

/// Counts the tasks of a workload as they come to their wait and leave it.
#[derive(Debug)]
pub struct Arrivals {
    expected: u64,
    /// Those that wait now, and all that ever came: the first may leave before the last is there.
    waiting: AtomicU64,
    arrived: AtomicU64,
}

impl Arrivals {
    /// Nobody has arrived yet.
    #[must_use]
    pub fn new(expected: u64) -> Self {
        Self { expected, waiting: AtomicU64::new(0), arrived: AtomicU64::new(0) }
    }

    /// One more task is about to wait; returns whether it is the last.
    #[inline]
    #[must_use]
    pub fn arrive(&self) -> bool {
        self.waiting.fetch_add(1, SeqCst);
        self.arrived.fetch_add(1, SeqCst) + 1 == self.expected
    }

    /// A task's wait is over.
    #[inline]
    pub fn leave(&self) {
        self.waiting.fetch_sub(1, SeqCst);
    }

    /// How many wait now.
    #[must_use]
    pub fn waiting(&self) -> u64 {
        self.waiting.load(SeqCst)
    }

    /// Whether the last has come.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.arrived.load(SeqCst) >= self.expected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_is_told_so_whoever_has_left_before() {
        let arrivals = Arrivals::new(3);
        assert!(!arrivals.arrive());
        arrivals.leave();
        assert!(!arrivals.arrive());
        assert!(!arrivals.complete());
        assert!(arrivals.arrive());
        assert!(arrivals.complete());
        assert_eq!(arrivals.waiting(), 2);
    }
}
