//! The loop around the timed regions: how many there are, what each took, and what it proved.

use crate::{Arguments, Usage};
use rustix::time::{ClockId, clock_gettime};
use std::{
    ops::Add,
    time::{Duration, Instant},
};

const MOST: u64 = 10_000;

/// A running clock: monotonic, with the CPU time of the whole process read just outside it.
pub struct Region {
    cpu: Duration,
    wall: Instant,
}

impl Region {
    /// Starts the clock.
    #[must_use]
    pub fn start() -> Self {
        let cpu = process_cpu();
        Self { cpu, wall: Instant::now() }
    }

    /// Stops the clock.
    #[must_use]
    pub fn stop(self) -> Elapsed {
        let wall = self.wall.elapsed();
        Elapsed { wall, cpu: process_cpu().saturating_sub(self.cpu) }
    }
}

/// What a region took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Elapsed {
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
}

impl Add for Elapsed {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { wall: self.wall + other.wall, cpu: self.cpu + other.cpu }
    }
}

fn process_cpu() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or_default())
}

/// Named counts of what happened, stored inline: between two iterations the heap that they measure is left alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evidence {
    counts: [(&'static str, u64); 8],
    length: usize,
}

impl Evidence {
    /// Adds a count.
    ///
    /// # Panics
    /// On the ninth.
    #[must_use]
    pub fn with(mut self, name: &'static str, count: u64) -> Self {
        self.counts[self.length] = (name, count);
        self.length += 1;
        self
    }

    pub(crate) fn counts(&self) -> &[(&'static str, u64)] {
        &self.counts[..self.length]
    }
}

/// One timed repetition.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Iteration {
    pub elapsed: Elapsed,
    pub ops: u64,
    pub evidence: Evidence,
}

/// How often to iterate, and the iterations so far.
#[derive(Debug)]
pub struct Iterations {
    least: u64,
    min_warm: Duration,
    first_nonce: u64,
    warm: Duration,
    done: Vec<Iteration>,
    series: Vec<(&'static str, Vec<u64>)>,
}

impl Iterations {
    /// Takes `iterations`, `min_warm_ms` and, where it is given, `nonce`.
    ///
    /// # Errors
    /// One is missing or out of range.
    pub fn from_arguments(arguments: &mut Arguments) -> Result<Self, Usage> {
        let least = arguments.integer("iterations", 1..=MOST)?;
        let min_warm = Duration::from_millis(arguments.integer("min_warm_ms", 0..=u64::from(u32::MAX))?);
        let first_nonce = if arguments.has("nonce") { arguments.integer("nonce", 0..=1 << 32)? } else { 0 };
        // Room for all, of which no page is touched before it is needed. A list that grows would move about among what the
        // programs allocate: beside it a task of Tokio's took longer, which the cross-check told.
        let done = Vec::with_capacity(usize::try_from(MOST).unwrap_or_default());
        Ok(Self { least, min_warm, first_nonce, done, ..Self::once() })
    }

    /// One iteration: for traces, and for workloads that are read from outside.
    #[must_use]
    pub fn once() -> Self {
        Self {
            least: 1,
            min_warm: Duration::ZERO,
            first_nonce: 0,
            warm: Duration::ZERO,
            done: Vec::new(),
            series: Vec::new(),
        }
    }

    /// The first of them alone.
    pub(crate) fn first(self) -> Self {
        Self { first_nonce: self.first_nonce, ..Self::once() }
    }

    /// What the results of the next iteration must contain.
    pub(crate) fn nonce(&self) -> u64 {
        self.first_nonce + self.done.len() as u64
    }

    /// Whether another iteration is wanted: fewer than asked for, or the warm ones (all but the first) were too short.
    #[must_use]
    pub fn wanted(&self) -> bool {
        let count = self.done.len() as u64;
        count < self.least || (self.warm < self.min_warm && count < MOST)
    }

    /// Keeps an iteration.
    pub fn record(&mut self, elapsed: Elapsed, ops: u64, evidence: Evidence) {
        if !self.done.is_empty() {
            self.warm += elapsed.wall;
        }
        self.done.push(Iteration { elapsed, ops, evidence });
    }

    /// Keeps samples in nanoseconds, in the order in which they happened.
    pub fn keep(&mut self, name: &'static str, samples: Vec<u64>) {
        self.series.push((name, samples));
    }

    pub(crate) fn series(&self) -> &[(&'static str, Vec<u64>)] {
        &self.series
    }

    pub(crate) fn all(&self) -> &[Iteration] {
        &self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(words: &[&str], each: Duration) -> usize {
        let mut arguments = Arguments::parse(words.iter().map(Into::into)).unwrap();
        let mut iterations = Iterations::from_arguments(&mut arguments).unwrap();
        while iterations.wanted() {
            iterations.record(Elapsed { wall: each, cpu: each }, 1, Evidence::default());
        }
        iterations.all().len()
    }

    #[test]
    fn goes_on_until_both_are_reached() {
        let millisecond = Duration::from_millis(1);
        assert_eq!(count(&["iterations=1", "min_warm_ms=0"], millisecond), 1);
        assert_eq!(count(&["iterations=40", "min_warm_ms=20"], millisecond), 40);
        assert_eq!(count(&["iterations=3", "min_warm_ms=20"], millisecond), 21, "the cold one does not count as warm");
        assert_eq!(count(&["iterations=3", "min_warm_ms=20"], Duration::ZERO), 10_000, "never more than this");
    }

    #[test]
    fn iterations_have_limits() {
        for word in ["iterations=0", "iterations=10001"] {
            let mut arguments = Arguments::parse([word.into(), "min_warm_ms=0".into()]).unwrap();
            assert!(Iterations::from_arguments(&mut arguments).is_err());
        }
    }

    #[test]
    fn each_iteration_has_a_nonce_of_its_own() {
        let words = ["iterations=3", "min_warm_ms=0", "nonce=1000000"];
        let mut iterations = Iterations::from_arguments(&mut Arguments::parse(words.map(Into::into)).unwrap()).unwrap();
        let mut nonces = Vec::new();
        while iterations.wanted() {
            nonces.push(iterations.nonce());
            iterations.record(Elapsed::default(), 1, Evidence::default());
        }
        assert_eq!(nonces, [1_000_000, 1_000_001, 1_000_002]);
        assert_eq!(Iterations::once().nonce(), 0);
    }

    #[test]
    fn a_region_may_have_a_gap() {
        let part = |wall, cpu| Elapsed { wall: Duration::from_nanos(wall), cpu: Duration::from_nanos(cpu) };
        let both = part(3, 2) + part(40, 10);
        assert_eq!((both.wall.as_nanos(), both.cpu.as_nanos()), (43, 12));
    }

    #[test]
    fn cpu_and_wall_time_move() {
        let region = Region::start();
        let mut sum = 0_u64;
        while region.wall.elapsed() < Duration::from_millis(20) {
            sum = std::hint::black_box(sum + 1);
        }
        let elapsed = region.stop();
        assert!(elapsed.wall >= Duration::from_millis(20));
        assert!(elapsed.cpu > Duration::ZERO);
    }
}
