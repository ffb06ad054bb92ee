//! Durations as a histogram: what is kept of thousands of requests.

use hdrhistogram::Histogram;
use serde::{Serialize, Serializer};

/// Nanoseconds from 0 to an hour, each known to 0.1 %.
pub struct Samples(Histogram<u64>);

impl Default for Samples {
    fn default() -> Self {
        let hour = 3_600_000_000_000;
        Self(Histogram::new_with_bounds(1, hour, 3).expect("the bounds are constants"))
    }
}

impl Samples {
    /// Adds a duration; what is over an hour counts as an hour.
    pub fn record(&mut self, ns: u64) {
        self.0.saturating_record(ns);
    }

    /// How many durations were recorded.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// The duration in nanoseconds that a share (0 to 1) of all does not exceed; 0 where there is none.
    #[must_use]
    pub fn quantile(&self, share: f64) -> u64 {
        self.0.value_at_quantile(share)
    }
}

/// As `[[nanoseconds, count], ...]`, ascending: the buckets that hold something, each by its middle.
impl Serialize for Samples {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let buckets = self.0.iter_recorded();
        serializer.collect_seq(buckets.map(|b| (self.0.median_equivalent(b.value_iterated_to()), b.count_at_value())))
    }
}
