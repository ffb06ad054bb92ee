//! When each request of a mixed load arrived, began, computed and ended, and the series made of it.

use crate::{Course, Iterations, nanoseconds};
use std::time::{Duration, Instant};

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

/// Keeps response, service and queueing times, and the timeline of the request that took longest.
pub(crate) fn keep_requests(iterations: &mut Iterations, mut requests: Vec<Request>) {
    requests.sort_unstable_by_key(|request| request.number);
    let times = |of: fn(&Request) -> Duration| requests.iter().map(|request| nanoseconds(of(request))).collect();
    iterations.keep("response", times(Request::response));
    iterations.keep("service", times(|request| request.end - request.begin));
    iterations.keep("queueing", times(|request| request.begin - request.arrival));
    iterations.keep("timeline", timeline(&requests));
}

/// Who had the CPU while the longest request lived: triples of request, begin and end (ns after its arrival), its own
/// pieces first.
fn timeline(requests: &[Request]) -> Vec<u64> {
    let Some(longest) = requests.iter().max_by_key(|request| request.response()) else { return Vec::new() };
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
    fn series_are_in_the_order_of_arrival() {
        let start = Instant::now();
        let mut iterations = Iterations::once();
        let requests = vec![request(start, 1, [2, 3, 9], &[]), request(start, 0, [0, 1, 5], &[])];
        keep_requests(&mut iterations, requests);
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
            timeline(&requests).chunks(3).map(|t| (t[0], t[1] / 1_000_000, t[2] / 1_000_000)).collect();
        assert_eq!(values, [(1, 1, 5), (1, 13, 16), (0, 0, 1), (0, 6, 8)]);
    }
}
