//! `key=value` arguments: each key is taken once, what is left over is an error.

use std::{collections::BTreeMap, error::Error, ffi::OsString, fmt, ops::RangeInclusive};

/// A message for whoever typed the command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "usage: {}", self.0)
    }
}

impl Error for Usage {}

/// The arguments that nobody has taken yet.
#[derive(Debug)]
pub struct Arguments(BTreeMap<String, String>);

impl Arguments {
    /// Splits arguments (without the program's own name) at their first `=`.
    ///
    /// # Errors
    /// An argument that is no `key=value`, or a key given twice.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, Usage> {
        let mut values = BTreeMap::new();
        for argument in arguments {
            let text = argument.to_string_lossy();
            let (key, value) = text.split_once('=').ok_or_else(|| Usage(format!("{text:?} is not key=value")))?;
            if values.insert(key.to_owned(), value.to_owned()).is_some() {
                return Err(Usage(format!("{key} is given twice")));
            }
        }
        Ok(Self(values))
    }

    /// Whether somebody has still to take a key.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Takes an integer within `range`.
    ///
    /// # Errors
    /// The key is missing, no integer, or out of range.
    pub fn integer(&mut self, key: &str, range: RangeInclusive<u64>) -> Result<u64, Usage> {
        let value = self.take(key)?;
        let number = value.bytes().all(|byte| byte.is_ascii_digit()).then(|| value.parse().ok()).flatten();
        number
            .filter(|number| range.contains(number))
            .ok_or_else(|| Usage(format!("{key}={value} must be an integer from {} to {}", range.start(), range.end())))
    }

    /// Takes a `0` or `1`, `0` where the key is missing.
    ///
    /// # Errors
    /// Any other value.
    pub fn flag(&mut self, key: &str) -> Result<bool, Usage> {
        if self.has(key) { Ok(self.integer(key, 0..=1)? == 1) } else { Ok(false) }
    }

    /// Takes one of several names.
    ///
    /// # Errors
    /// The key is missing or the name unknown.
    pub fn choice<T: Copy>(&mut self, key: &str, choices: &[(&str, T)]) -> Result<T, Usage> {
        let value = self.take(key)?;
        choices.iter().find(|(name, _)| *name == value).map(|(_, choice)| *choice).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
            Usage(format!("{key}={value} must be one of {}", names.join(", ")))
        })
    }

    /// Ends the parsing.
    ///
    /// # Errors
    /// A key that nobody took.
    pub fn finish(self) -> Result<(), Usage> {
        self.0.keys().next().map_or(Ok(()), |key| Err(Usage(format!("unknown key {key}"))))
    }

    fn take(&mut self, key: &str) -> Result<String, Usage> {
        self.0.remove(key).ok_or_else(|| Usage(format!("{key} is missing")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(words: &[&str]) -> Result<Arguments, Usage> {
        Arguments::parse(words.iter().map(OsString::from))
    }

    fn message<T: fmt::Debug>(result: Result<T, Usage>) -> String {
        result.unwrap_err().0
    }

    #[test]
    fn takes_what_is_there() {
        let mut given = arguments(&["n=10", "trace=1", "flavor=b"]).unwrap();
        assert_eq!(given.integer("n", 1..=10), Ok(10));
        assert_eq!(given.flag("trace"), Ok(true));
        assert_eq!(given.flag("count"), Ok(false));
        assert_eq!(given.choice("flavor", &[("a", 1), ("b", 2)]), Ok(2));
        assert_eq!(given.finish(), Ok(()));
    }

    #[test]
    fn names_the_argument_that_is_wrong() {
        assert_eq!(message(arguments(&["n"])), "\"n\" is not key=value");
        assert_eq!(message(arguments(&["n=1", "n=2"])), "n is given twice");
        assert_eq!(message(arguments(&["m=1"]).unwrap().finish()), "unknown key m");
        assert_eq!(message(arguments(&[]).unwrap().integer("n", 1..=2)), "n is missing");
        for value in ["", "0", "3", "+1", "-1", "1.0", "0x1", " 1", "99999999999999999999"] {
            let mut given = arguments(&[&format!("n={value}")]).unwrap();
            assert_eq!(message(given.integer("n", 1..=2)), format!("n={value} must be an integer from 1 to 2"));
        }
        let mut given = arguments(&["flavor=c", "trace=yes"]).unwrap();
        assert_eq!(message(given.choice("flavor", &[("a", 1), ("b", 2)])), "flavor=c must be one of a, b");
        assert_eq!(message(given.flag("trace")), "trace=yes must be an integer from 0 to 1");
    }
}
