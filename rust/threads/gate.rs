//! The places where the tasks of a workload wait for each other and for the root.

use crate::Gate;
use corobench_harness::{Arrivals, Kind, Probe};

/// Tells when every task is about to wait.
#[derive(Debug)]
pub struct Latch {
    arrivals: Arrivals,
    all: Gate,
}

impl Latch {
    /// Nobody has arrived yet.
    #[must_use]
    pub fn new(expected: u64) -> Self {
        Self { arrivals: Arrivals::new(expected), all: Gate::default() }
    }

    /// One more task is here, and goes on to its wait.
    pub fn arrive(&self) {
        if self.arrivals.arrive() {
            self.all.open();
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
    pub fn all(&self) {
        self.all.wait();
    }
}

/// Where tasks park.
#[derive(Debug)]
pub struct Parking {
    /// The tasks that are parked.
    pub parked: Latch,
    gate: Gate,
}

impl Parking {
    /// Closed, with places for so many tasks.
    #[must_use]
    pub fn new(places: u64) -> Self {
        Self { parked: Latch::new(places), gate: Gate::default() }
    }

    /// Task `i` waits until it may go.
    pub fn park<P: Probe>(&self, i: u64, probe: &P) {
        probe.event(Kind::Park, i);
        self.parked.arrive();
        self.gate.wait();
        self.parked.leave();
    }

    /// Lets everybody go.
    pub fn open(&self) {
        self.gate.open();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{join, start};
    use corobench_harness::Off;
    use std::sync::Arc;

    #[test]
    fn tasks_park_until_the_gate_opens() {
        let parking = Arc::new(Parking::new(3));
        let tasks: Vec<_> = (0..3)
            .map(|i| {
                let parking = parking.clone();
                start(i, move || parking.park(i, &Off), &Off)
            })
            .collect();
        parking.parked.all();
        assert_eq!(parking.parked.waiting(), 3);
        parking.open();
        for task in tasks {
            join(task);
        }
        assert_eq!(parking.parked.waiting(), 0);
    }
}
