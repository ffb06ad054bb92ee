//! How late the generator itself is: a clock that ticks beside the clients of open loops.

use crate::{
    clock::{Alarm, now_ns},
    error::Result,
    samples::Samples,
};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

const TICK_NS: u64 = 1_000_000;

/// Ticks every millisecond of an absolute schedule, and records of each tick by how much the generator missed it.
///
/// Requests can't tell: when the generator goes on after a stall, each client knows of one request that it was late for, and
/// all others that were due meanwhile look as if they had waited for the server.
pub struct Ticker {
    due_ns: Cell<u64>,
    lateness: RefCell<Samples>,
}

impl Ticker {
    /// The first tick is due a millisecond from then.
    pub fn new(begun_ns: u64) -> Self {
        Self { due_ns: Cell::new(begun_ns + TICK_NS), lateness: RefCell::default() }
    }

    /// Ticks for ever. Should the alarm fail, all ticks from then on count as late.
    pub async fn tick(self: Rc<Self>, mut alarm: Alarm) -> Result {
        loop {
            alarm.sleep_until(self.due_ns.get()).await?;
            self.catch_up(now_ns());
        }
    }

    fn catch_up(&self, now_ns: u64) {
        let mut lateness = self.lateness.borrow_mut();
        while let Some(late) = now_ns.checked_sub(self.due_ns.get()) {
            lateness.record(late);
            self.due_ns.set(self.due_ns.get() + TICK_NS);
        }
    }

    /// By how many nanoseconds each tick until then was missed.
    pub fn lateness(&self, ended_ns: u64) -> Samples {
        self.catch_up(ended_ns);
        self.lateness.take()
    }
}

#[cfg(test)]
mod tests {
    use super::Ticker;

    #[test]
    fn every_tick_of_a_stall_is_late_by_what_is_left_of_it() {
        let ticker = Ticker::new(0);
        for now_ms in [1, 2, 3, 53] {
            ticker.catch_up(now_ms * 1_000_000);
        }
        let lateness = ticker.lateness(54_000_000);
        assert_eq!(lateness.count(), 54);
        let ms = |number: f64| lateness.quantile((number - 0.5) / 54.0) / 1_000_000;
        assert_eq!([ms(5.0), ms(6.0), ms(29.0), ms(54.0)], [0, 1, 24, 49], "five in time, then 1, 2 ... 49 ms");
    }
}
