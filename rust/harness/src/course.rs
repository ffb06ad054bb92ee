//! A mixed load: the requests that all chains share until none is left, and what each consists of.

use crate::{
    Calibration, Elapsed, Evidence, Iterations, Keys, Plan, Request, Usage, nanoseconds,
    requests::{keep_requests, steady},
};
use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// One run of the load.
#[derive(Debug)]
pub struct Course {
    /// How often a request waits, between its pieces of CPU work.
    pub waits: u64,
    /// How long it waits each time.
    pub wait: Duration,
    pub(crate) shares: Vec<Duration>,
    pub(crate) calibration: Calibration,
    chains: usize,
    requests: u64,
    arrived: AtomicU64,
    alive: AtomicU64,
    most_alive: AtomicU64,
}

impl Course {
    /// The keys of a program that runs one.
    pub const KEYS: Keys<'static> = Keys {
        words: &[("wait", &["timer", "peer"])],
        peer: true,
        ..Keys::numbers(&["c", "splits", "cpu_us", "wait_us", "requests"])
    };

    /// All requests are still to come. Takes some time, to see how fast this machine is.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let waits = plan.param("splits");
        Self {
            waits,
            wait: Duration::from_micros(plan.param("wait_us") / waits),
            shares: equal_parts(plan.param("cpu_us") * 1_000, waits + 1),
            calibration: Calibration::measure(),
            chains: usize::try_from(plan.param("c")).unwrap_or(usize::MAX),
            requests: plan.param("requests"),
            arrived: AtomicU64::new(0),
            alive: AtomicU64::new(0),
            most_alive: AtomicU64::new(0),
        }
    }

    /// The port of the companion that requests wait for; none where they wait by a timer.
    ///
    /// # Errors
    /// The command line names no port, although there should be a companion.
    pub fn peer(plan: &Plan) -> Result<Option<u16>, Usage> {
        match (plan.word("wait"), plan.peer) {
            ("peer", None) => Err(Usage("wait=peer needs the companion's port as peer".to_owned())),
            ("peer", port) => Ok(port),
            _ => Ok(None),
        }
    }

    /// The request that arrives now, for a task that is started at once; none when all have arrived.
    pub fn arrive(&self) -> Option<Request> {
        let number = self.arrived.fetch_add(1, Relaxed);
        (number < self.requests).then(|| {
            self.most_alive.fetch_max(self.alive.fetch_add(1, Relaxed) + 1, Relaxed);
            Request::arriving(number)
        })
    }

    pub(crate) fn leave(&self) {
        self.alive.fetch_sub(1, Relaxed);
    }

    /// Keeps what all requests add up to, and the series of those in the steady window.
    pub fn record(&self, iterations: &mut Iterations, elapsed: Elapsed, mut requests: Vec<Request>) {
        let finished = requests.len() as u64;
        let window = steady(&mut requests, self.chains);
        let evidence = Evidence::default()
            .with("finished", finished)
            .with("pieces", requests.iter().map(Request::pieces).sum())
            .with("asked_ns", nanoseconds(requests.iter().map(|request| request.asked).sum()))
            .with("worked_ns", nanoseconds(requests.iter().map(|request| request.worked).sum()))
            .with("most_alive", self.most_alive.load(Relaxed))
            .with("steady_ops", window.ended.len() as u64)
            .with("steady_ns", nanoseconds(window.length))
            .with("steady_alive_ns", nanoseconds(window.alive));
        iterations.record(elapsed, finished, evidence);
        keep_requests(iterations, &requests, window.ended);
    }
}

/// Equal parts, to a nanosecond, whose sum is the whole.
fn equal_parts(whole: u64, parts: u64) -> Vec<Duration> {
    let until = |part| whole * part / parts;
    (0..parts).map(|part| Duration::from_nanos(until(part + 1) - until(part))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arguments;

    fn plan(words: &[&str]) -> Plan {
        let all = ["c=2", "splits=2", "cpu_us=1", "wait_us=9", "requests=3", "iterations=1", "min_warm_ms=0"];
        let mut arguments = Arguments::parse(all.iter().chain(words).map(Into::into)).unwrap();
        Plan::from_arguments(&mut arguments, Course::KEYS, || None).unwrap()
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let parts: Vec<_> = equal_parts(1_000, 3).iter().map(Duration::as_nanos).collect();
        assert_eq!(parts, [333, 333, 334]);
    }

    #[test]
    fn counts_what_its_requests_did() {
        let course = Course::new(&plan(&["wait=timer"]));
        assert_eq!((course.waits, course.wait), (2, Duration::from_micros(4)));
        let (mut first, mut second) = (course.arrive().unwrap(), course.arrive().unwrap());
        for request in [&mut first, &mut second] {
            request.begin();
            for _ in 0..=course.waits {
                request.compute(&course);
            }
            request.end(&course);
        }
        let third = course.arrive().unwrap();
        assert!(course.arrive().is_none(), "all have arrived");
        let mut iterations = Iterations::once();
        course.record(&mut iterations, Elapsed::default(), vec![second, third, first]);
        let counts = iterations.all()[0].evidence;
        let expected = [("finished", 3), ("pieces", 6), ("asked_ns", 2_000), ("most_alive", 2), ("steady_ops", 0)];
        for expected in expected {
            assert!(counts.counts().contains(&expected), "{expected:?} in {counts:?}");
        }
    }

    #[test]
    fn a_companion_needs_a_port() {
        assert_eq!(Course::peer(&plan(&["wait=timer", "peer=1"])).unwrap(), None);
        assert_eq!(Course::peer(&plan(&["wait=peer", "peer=7"])).unwrap(), Some(7));
        assert!(Course::peer(&plan(&["wait=peer"])).is_err());
    }
}
