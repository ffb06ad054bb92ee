//! Streams in progress: what is sent when, and what came of it.

use crate::{
    Alarm, Plan, Report, Result, Stream, StreamReport,
    client::client,
    cpu_ns,
    http::{Connection, Exchange, Fault},
    now_ns,
    ticker::Ticker,
};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};
use tokio::{
    task::{JoinSet, LocalSet},
    time::timeout,
};

/// A stream in progress, shared by its clients.
pub struct Running {
    pub port: u16,
    pub keepalive: bool,
    pub exchange: Exchange,
    pub report: RefCell<StreamReport>,
    requests: Option<u64>,
    least_ns: u64,
    interval_ns: Option<f64>,
    begun_ns: Cell<u64>,
    taken: Cell<u64>,
    /// Since when the request of each client has been under way.
    under_way: Vec<Cell<Option<u64>>>,
}

impl Running {
    fn new(port: u16, stream: Stream) -> Self {
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
    async fn open(&self) -> Vec<Option<Connection>> {
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

    fn is_counted(&self) -> bool {
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
    fn cut_off(&self) {
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

/// Carries out a plan. Connections that are kept are made before the clock starts.
///
/// # Errors
/// The generator itself fails: no file descriptors, a panic; or connecting takes longer than the cap.
pub async fn run(plan: Plan) -> Result<Report> {
    let cap = Duration::from_millis(plan.cap_ms);
    let streams: Vec<_> = plan.streams.into_iter().map(|stream| Rc::new(Running::new(plan.port, stream))).collect();
    let kept = timeout(cap, open(&streams)).await.map_err(|_| "the server did not let all clients connect in time")?;
    let local = LocalSet::new();
    let (mut counted, mut background) = (JoinSet::new(), JoinSet::new());
    let (begun_ns, begun_cpu_ns) = (now_ns(), cpu_ns());
    let ticker = streams.iter().any(|stream| stream.is_open()).then(|| Rc::new(Ticker::new(begun_ns)));
    if let Some(ticker) = &ticker {
        background.spawn_local_on(ticker.clone().tick(Alarm::new()?), &local);
    }
    for (stream, connections) in streams.iter().zip(kept) {
        let tasks = if stream.is_counted() { &mut counted } else { &mut background };
        stream.begun_ns.set(begun_ns);
        for (number, connection) in connections.into_iter().enumerate() {
            tasks.spawn_local_on(client(stream.clone(), number, connection), &local);
        }
    }
    let all = local.run_until(async {
        while let Some(client) = counted.join_next().await {
            client??;
        }
        Result::Ok(())
    });
    match timeout(cap, all).await {
        Ok(result) => result?,
        Err(_) => streams.iter().filter(|stream| stream.is_counted()).for_each(|stream| stream.cut_off()),
    }
    let (ended_ns, cpu_ns) = (now_ns(), cpu_ns() - begun_cpu_ns);
    drop((counted, background, local));
    let lateness = ticker.map(|ticker| ticker.lateness(ended_ns)).unwrap_or_default();
    let streams = streams.into_iter().map(|stream| stream.report.take()).collect();
    Ok(Report { elapsed_ns: ended_ns - begun_ns, cpu_ns, lateness, streams })
}

async fn open(streams: &[Rc<Running>]) -> Vec<Vec<Option<Connection>>> {
    let mut kept = Vec::new();
    for stream in streams {
        kept.push(stream.open().await);
    }
    kept
}
