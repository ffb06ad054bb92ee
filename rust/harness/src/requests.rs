//! What is known of each request of a mixed load, and the series made of it.

use crate::{Iterations, nanoseconds};
use std::time::{Duration, Instant};

/// The most triples of a timeline.
const MOST_PIECES: usize = 200;

/// One request, finished.
#[derive(Debug)]
pub struct Request {
    /// In the order of arrival.
    pub number: u64,
    /// Just before its task was started.
    pub arrival: Instant,
    /// The first statement of its task.
    pub begin: Instant,
    /// When it was done.
    pub end: Instant,
    /// When each of its CPU pieces began and ended.
    pub pieces: Vec<(Instant, Instant)>,
    /// The CPU time that its pieces took together.
    pub worked: Duration,
}

impl Request {
    fn response(&self) -> Duration {
        self.end - self.arrival
    }
}

/// Keeps response, service and queueing times, and the timeline of the request that took longest.
pub fn keep_requests(iterations: &mut Iterations, mut requests: Vec<Request>) {
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
        Request { number, arrival, begin, end, pieces, worked: Duration::ZERO }
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
