//! The body of fizzbuzz: what a step says is made into a number, so that saying it can't be left out.

use crate::{Elapsed, Evidence, Keys, Plan};
use std::{borrow::Cow, hint::black_box};

/// The keys of the workload.
pub const KEYS: Keys<'static> = Keys { words: &[("phase", &["base", "spawn", "yield"])], ..Keys::numbers(&["n", "m"]) };

/// How many tasks finished, how many steps they played, and the sum of these.
pub type Outcome = (u64, u64, u64);

fn said(value: u64) -> Cow<'static, str> {
    if value % 15 == 0 {
        "FizzBuzz".into()
    } else if value % 5 == 0 {
        "Buzz".into()
    } else if value % 3 == 0 {
        "Fizz".into()
    } else {
        value.to_string().into()
    }
}

/// Step `x` of task `task`: 31 times the length of what is said, and its first byte.
#[must_use]
pub fn step(task: u64, x: u64) -> u64 {
    let text = said(task + x);
    31 * text.len() as u64 + u64::from(text.as_bytes()[0])
}

/// All `m` steps of a task without a pause: how many it played, and their sum.
#[inline]
#[must_use]
pub fn play(task: u64, m: u64) -> (u64, u64) {
    let (mut steps, mut sum) = (0, 0);
    for x in 0..m {
        sum += step(task, x);
        steps += 1;
    }
    (steps, sum)
}

/// What `n` plain calls do: the phase without tasks.
#[must_use]
pub fn base(n: u64, m: u64) -> Outcome {
    // A function that the compiler cannot see through is neither inlined nor folded away.
    let play: fn(u64, u64) -> (u64, u64) = black_box(play);
    let (mut finished, mut steps, mut checksum) = (0, 0, 0);
    for task in 0..n {
        let (played, sum) = play(task, m);
        finished += 1;
        steps += played;
        checksum += sum;
    }
    (finished, steps, checksum)
}

/// Keeps what an iteration did as its evidence.
pub fn record(plan: &mut Plan, elapsed: Elapsed, (finished, steps, checksum): Outcome) {
    let evidence = Evidence::default().with("finished", finished).with("steps", steps).with("checksum", checksum);
    plan.iterations.record(elapsed, finished, evidence);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_every_language_says() {
        assert_eq!([0, 3, 5, 7, 15].map(said), ["FizzBuzz", "Fizz", "Buzz", "7", "FizzBuzz"]);
        assert_eq!(step(3, 4), 31 + u64::from(b'7'));
        let total: u64 = (0..100_000).flat_map(|task| (0..10).map(move |x| step(task, x))).sum();
        assert_eq!(total, 207_366_715);
    }
}
