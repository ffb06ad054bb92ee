//! When each request of a mixed load arrived, began, computed and ended, and the series made of it.

use crate::{Course, Iterations, nanoseconds};
use std::{
    ops::Range,
    time::{Duration, Instant},
};

/// The most triples of a timeline.
const MOST_PIECES: usize = 200;

/// One request in the hands of one task.
#[derive(Debug)]
pub struct Request {
    pub(crate) asked: Duration,
    pub(crate) worked: Duration,
    number: u64,
    arrival: Instant,
    begin: Instant,
    end: Instant,
    pieces: Vec<(Instant, Instant)>,
}

impl Request {
    /// Its task is about to be started.
    pub(crate) fn arriving(number: u64) -> Self {
        let now = Instant::now();
        let (pieces, asked, worked) = (Vec::new(), Duration::ZERO, Duration::ZERO);
        Self { number, arrival: now, begin: now, end: now, pieces, asked, worked }
    }

    /// In the order of arrival.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// First statement of its task.
    pub fn begin(&mut self) {
        self.begin = Instant::now();
    }

    /// The next piece of its CPU work.
    ///
    /// # Panics
    /// All of it has been done.
    pub fn compute(&mut self, course: &Course) {
        let begin = Instant::now();
        let asked = course.shares[self.pieces.len()];
        self.worked += course.calibration.work(asked);
        self.asked += asked;
        self.pieces.push((begin, Instant::now()));
    }

    /// Last statement, before the task starts the next request.
    pub fn end(&mut self, course: &Course) {
        self.end = Instant::now();
        course.leave();
    }

    pub(crate) fn pieces(&self) -> u64 {
        self.pieces.len() as u64
    }

    fn response(&self) -> Duration {
        self.end - self.arrival
    }
}

/// Whole rounds of all chains, up to the end that started the last request and without the first ends, one for each chain:
/// every chain was busy all that time, and no longer in step with the others, as all were when they began.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// Which requests ended in it, in the order of their ends.
    pub ended: Range<usize>,
    pub length: Duration,
    /// How long all requests together were between arrival and end in it.
    pub alive: Duration,
}

/// Sorts the requests by their ends.
pub(crate) fn steady(requests: &mut [Request], chains: usize) -> Window {
    requests.sort_unstable_by_key(|request| request.end);
    match requests.len().checked_sub(chains.saturating_add(1)) {
        Some(last) if last >= 2 * chains => {
            let first = chains + last % chains; // the end with which the window opens
            let (opens, closes) = (requests[first].end, requests[last].end);
            let inside = |r: &Request| r.end.min(closes).saturating_duration_since(r.arrival.max(opens));
            Window { ended: first + 1..last + 1, length: closes - opens, alive: requests.iter().map(inside).sum() }
        }
        _ => Window { ended: 0..0, length: Duration::ZERO, alive: Duration::ZERO },
    }
}

/// Keeps response, service and queueing times of some requests, and the timeline of the one of them that took longest.
pub(crate) fn keep_requests(iterations: &mut Iterations, requests: &[Request], some: Range<usize>) {
    let some = &requests[some];
    let times = |of: fn(&Request) -> Duration| some.iter().map(|request| nanoseconds(of(request))).collect();
    iterations.keep("response", times(Request::response));
    iterations.keep("service", times(|request| request.end - request.begin));
    iterations.keep("queueing", times(|request| request.begin - request.arrival));
    iterations.keep("timeline", timeline(requests, some));
}

/// Who had the CPU while the longest of some requests lived: triples of request, begin and end (ns after its arrival), its
/// own pieces first.
fn timeline(requests: &[Request], some: &[Request]) -> Vec<u64> {
    let Some(longest) = some.iter().max_by_key(|request| request.response()) else { return Vec::new() };
    let since = |time: Instant| nanoseconds(time.saturating_duration_since(longest.arrival));
    let others = requests.iter().filter(|request| request.number != longest.number);
    std::iter::once(longest)
        .chain(others)
        .flat_map(|request| request.pieces.iter().map(|(begin, end)| (request.number, *begin, *end)))
        .filter(|(_, begin, end)| *begin < longest.end && *end > longest.arrival)
        .take(MOST_PIECES)
        .flat_map(|(number, begin, end)| [number, since(begin), since(end)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(start: Instant, number: u64, times: [u64; 3], pieces: &[(u64, u64)]) -> Request {
        let at = |ms| start + Duration::from_millis(ms);
        let [arrival, begin, end] = times.map(at);
        let pieces = pieces.iter().map(|(begin, end)| (at(*begin), at(*end))).collect();
        Request { arrival, begin, end, pieces, ..Request::arriving(number) }
    }

    #[test]
    fn the_steady_window_is_whole_rounds_until_the_last_start() {
        let start = Instant::now();
        let mut ended: Vec<_> =
            (1..=10).map(|i| request(start, 10 - i, [90_u64.saturating_sub(10 * i), 90, 110 - 10 * i], &[])).collect();
        let (length, alive) = (Duration::from_millis(40), Duration::from_millis(80));
        assert_eq!(steady(&mut ended, 2), Window { ended: 4..8, length, alive });
        assert_eq!(ended.iter().map(Request::number).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(steady(&mut ended[..6], 2).ended, 0..0);
        assert_eq!(steady(&mut [], 2).ended, 0..0);
    }

    #[test]
    fn series_are_those_of_some_requests() {
        let start = Instant::now();
        let mut iterations = Iterations::once();
        let requests = [([0, 0, 3], 0), ([0, 1, 5], 1), ([2, 3, 9], 2)].map(|(times, i)| request(start, i, times, &[]));
        keep_requests(&mut iterations, &requests, 1..3);
        let milliseconds = |values: &[u64]| values.iter().map(|ns| ns / 1_000_000).collect::<Vec<_>>();
        let kept: Vec<_> = iterations.series().iter().map(|(name, values)| (*name, milliseconds(values))).collect();
        let expected =
            [("response", vec![5, 7]), ("service", vec![4, 6]), ("queueing", vec![1, 1]), ("timeline", vec![])];
        assert_eq!(kept, expected);
    }

    #[test]
    fn the_timeline_has_the_pieces_beside_the_longest_request() {
        let start = Instant::now();
        let requests = [
            request(start, 0, [0, 0, 12], &[(0, 5), (10, 12)]),
            request(start, 1, [4, 5, 20], &[(5, 9), (17, 20)]),
            request(start, 2, [20, 20, 25], &[(20, 25)]),
        ];
        let values: Vec<_> =
            timeline(&requests, &requests[1..]).chunks(3).map(|t| (t[0], t[1] / 1_000_000, t[2] / 1_000_000)).collect();
        assert_eq!(values, [(1, 1, 5), (1, 13, 16), (0, 0, 1), (0, 6, 8)]);
    }
}
