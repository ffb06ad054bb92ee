//! The body of fizzbuzz: what a step says is made into a number, so that saying it can't be left out.

use std::borrow::Cow;

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
