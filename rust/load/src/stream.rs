//! A stream in progress: what is sent when, and what came of it.

use crate::{
    clock::now_ns,
    http::{Connection, Exchange, Fault},
    plan::Stream,
    report::StreamReport,
};
use std::cell::{Cell, RefCell};

/// A stream in progress, shared by its clients.
pub struct Running {
    pub port: u16,
    pub keepalive: bool,
    pub exchange: Exchange,
    pub report: RefCell<StreamReport>,
    /// When the clock of all streams was started.
    pub begun_ns: Cell<u64>,
    requests: Option<u64>,
    least_ns: u64,
    interval_ns: Option<f64>,
    taken: Cell<u64>,
    /// Since when the request of each client has been under way.
    under_way: Vec<Cell<Option<u64>>>,
}

impl Running {
    pub fn new(port: u16, stream: Stream) -> Self {
        Self {
            port,
            keepalive: stream.keepalive,
            requests: stream.requests,
            least_ns: stream.least_ms.saturating_mul(1_000_000),
            interval_ns: stream.rate.map(|rate| 1e9 / rate),
            begun_ns: Cell::new(0),
            taken: Cell::new(0),
            under_way: vec![Cell::new(None); stream.clients as usize],
            report: RefCell::new(StreamReport { name: stream.name.clone(), ..StreamReport::default() }),
            exchange: Exchange { wire: stream.wire(port), status: stream.status, expect: stream.expect },
        }
    }

    /// A connection for each client that keeps its own. One that can't be made is tried again by its client, and counted there.
    pub async fn open(&self) -> Vec<Option<Connection>> {
        let mut connections = Vec::new();
        for _ in &self.under_way {
            connections.push(if self.keepalive { Connection::open(self.port).await.ok() } else { None });
        }
        let mut report = self.report.borrow_mut();
        report.opened = connections.iter().flatten().count() as u64;
        report.connections = report.opened;
        connections
    }

    /// The next request: None where there is none, else when it is due (closed loop: now).
    pub fn take(&self) -> Option<u64> {
        let number = self.taken.get();
        let due = self.due_ns(number);
        if self.requests.is_some_and(|least| number >= least && due >= self.begun_ns.get() + self.least_ns) {
            return None;
        }
        self.taken.set(number + 1);
        Some(due)
    }

    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn due_ns(&self, number: u64) -> u64 {
        self.interval_ns.map_or_else(now_ns, |interval| self.begun_ns.get() + (number as f64 * interval) as u64)
    }

    pub fn is_counted(&self) -> bool {
        self.requests.is_some()
    }

    pub fn is_open(&self) -> bool {
        self.interval_ns.is_some()
    }

    pub fn begin(&self, client: usize, since_ns: u64) {
        self.under_way[client].set(Some(since_ns));
    }

    pub fn finish(&self, client: usize, result: std::result::Result<(), Fault>) {
        let now = now_ns();
        let since = self.under_way[client].take().expect("a request was begun");
        let mut report = self.report.borrow_mut();
        report.elapsed_ns = now - self.begun_ns.get();
        match result {
            Ok(()) => {
                report.requests += 1;
                report.latency.record(now - since);
            }
            Err(fault) => *report.errors.entry(fault).or_default() += 1,
        }
    }

    /// Counts what the cap cut off: requests under way, and those that were due and never sent.
    pub fn cut_off(&self) {
        let now = now_ns();
        let unsent = self.is_open().then(|| std::iter::from_fn(|| self.take())).into_iter().flatten();
        let late = self.under_way.iter().filter_map(Cell::take).chain(unsent.take_while(|due| *due < now));
        let mut report = self.report.borrow_mut();
        report.elapsed_ns = now - self.begun_ns.get();
        for since in late {
            report.over_limit += 1;
            report.latency.record(now.saturating_sub(since));
        }
    }
}
