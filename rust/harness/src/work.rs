//! Work for a CPU: xorshift32, as many rounds as take a given CPU time on this machine.

use rustix::time::{ClockId, clock_gettime};
use std::{hint::black_box, time::Duration};

/// Where every sequence of rounds starts.
pub const START: u32 = 2_463_534_242;

const SLICE: u64 = 1_000_000;
const SLICES: usize = 31;
/// A step of work: some times what reading the clock costs.
const SHORTEST: Duration = Duration::from_micros(2);

/// Applies so many rounds of xorshift32 (Marsaglia 2003, shifts 13, 17, 5).
#[must_use]
pub fn xorshift(start: u32, rounds: u64) -> u32 {
    let mut state = start;
    for _ in 0..rounds {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
    }
    state
}

/// How fast one thread of this machine is.
#[derive(Debug, Clone, Copy)]
pub struct Calibration {
    rounds_per_ns: f64,
}

impl Calibration {
    /// Takes the median speed of some slices; lasts several tens of milliseconds.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a slice's rounds and nanoseconds are far below 2^52")]
    pub fn measure() -> Self {
        let mut taken: Vec<_> = (0..SLICES).map(|_| spin(SLICE)).collect();
        taken.sort_unstable();
        Self { rounds_per_ns: SLICE as f64 / taken[SLICES / 2].as_nanos().max(1) as f64 }
    }

    /// Works until the calling thread has used this much CPU time, and returns how much it was.
    ///
    /// The speed alone would not do: what neighbours do to caches and clock changes it by more than 5 % from one moment to the
    /// next. So it goes by halves of what is left.
    #[must_use]
    pub fn work(&self, asked: Duration) -> Duration {
        let start = thread_cpu();
        let mut used = Duration::ZERO;
        loop {
            let left = asked.saturating_sub(used);
            if left < SHORTEST {
                return used;
            }
            compute(self.rounds((left / 2).max(SHORTEST)));
            used = thread_cpu().saturating_sub(start);
        }
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounds are positive and few")]
    fn rounds(self, asked: Duration) -> u64 {
        (asked.as_secs_f64() * 1e9 * self.rounds_per_ns) as u64
    }
}

/// Returns the thread's CPU time for so many rounds.
fn spin(rounds: u64) -> Duration {
    let before = thread_cpu();
    compute(rounds);
    thread_cpu().saturating_sub(before)
}

fn compute(rounds: u64) {
    black_box(xorshift(black_box(START), rounds));
}

fn thread_cpu() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_those_of_every_language() {
        assert_eq!(xorshift(START, 0), START);
        assert_eq!(xorshift(START, 1_000), 3_298_996_588);
        assert_eq!(xorshift(xorshift(START, 400), 600), 3_298_996_588);
    }

    #[test]
    fn rounds_follow_the_calibration() {
        assert_eq!(Calibration { rounds_per_ns: 0.5 }.rounds(Duration::from_micros(3)), 1_500);
        assert!(Calibration::measure().rounds_per_ns > 0.0);
    }

    #[test]
    fn work_is_cpu_time_and_not_rounds() {
        let asked = Duration::from_millis(1);
        let wrong = Calibration { rounds_per_ns: 0.01 };
        assert!(wrong.work(asked) + SHORTEST > asked, "a calibration that is wrong by far is found out by the clock");
    }
}
