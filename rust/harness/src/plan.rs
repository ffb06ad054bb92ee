//! What one invocation has to do, and the report of what it did.

use crate::{Arguments, Iterations, Result, Trace, Usage, end, iteration_lines, series_lines, trace_line};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The keys of a workload, besides those that every workload has.
#[derive(Debug, Clone, Copy, Default)]
pub struct Keys<'a> {
    /// Positive integers.
    pub numbers: &'a [&'a str],
    /// Names with the words that each may have.
    pub words: &'a [(&'a str, &'a [&'static str])],
    /// `0` or `1`, missing for `0`; not part of the parameters.
    pub flags: &'a [&'a str],
    /// Whether there may be a companion.
    pub peer: bool,
}

impl<'a> Keys<'a> {
    /// The keys of a workload that has numbers only.
    #[must_use]
    pub const fn numbers(numbers: &'a [&'a str]) -> Self {
        Self { numbers, words: &[], flags: &[], peer: false }
    }
}

/// The parameters of a workload and what is wanted of it.
#[derive(Debug)]
pub struct Plan {
    /// How often; empty so far.
    pub iterations: Iterations,
    /// Where events go, if they are asked for.
    pub trace: Option<Trace>,
    /// The companion's port on this machine.
    pub peer: Option<u16>,
    params: BTreeMap<String, u64>,
    words: BTreeMap<String, &'static str>,
    flags: BTreeMap<String, bool>,
}

impl Plan {
    /// Takes the workload's keys and those that every workload has.
    ///
    /// # Errors
    /// A key is missing or has a bad value.
    pub fn from_arguments(
        arguments: &mut Arguments,
        keys: Keys<'_>,
        unit: fn() -> Option<String>,
    ) -> std::result::Result<Self, Usage> {
        let iterations = Iterations::from_arguments(arguments)?;
        let trace = arguments.flag("trace")?.then(|| Trace::new(unit));
        let mut plan = Self {
            iterations: if trace.is_some() { iterations.first() } else { iterations },
            trace,
            peer: None,
            params: BTreeMap::new(),
            words: BTreeMap::new(),
            flags: BTreeMap::new(),
        };
        for name in keys.numbers {
            plan.params.insert((*name).to_owned(), arguments.integer(name, 1..=1 << 32)?);
        }
        for (name, words) in keys.words {
            let choices: Vec<_> = words.iter().map(|word| (*word, *word)).collect();
            plan.words.insert((*name).to_owned(), arguments.choice(name, &choices)?);
        }
        if keys.peer && arguments.has("peer") {
            plan.peer = u16::try_from(arguments.integer("peer", 1..=u64::from(u16::MAX))?).ok();
        }
        for name in keys.flags {
            plan.flags.insert((*name).to_owned(), arguments.flag(name)?);
        }
        Ok(plan)
    }

    /// A parameter's value.
    ///
    /// # Panics
    /// The program asks for a name that it did not declare.
    #[must_use]
    pub fn param(&self, name: &str) -> u64 {
        self.params[name]
    }

    /// What the results of the next iteration must contain.
    #[must_use]
    pub fn nonce(&self) -> u64 {
        self.iterations.nonce()
    }

    /// A parameter's word.
    ///
    /// # Panics
    /// The program asks for a name that it did not declare.
    #[must_use]
    pub fn word(&self, name: &str) -> &'static str {
        self.words[name]
    }

    /// Whether a flag is set.
    ///
    /// # Panics
    /// The program asks for a name that it did not declare.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.flags[name]
    }

    /// The parameters, for the hello.
    #[must_use]
    pub fn params(&self) -> Map<String, Value> {
        let numbers = self.params.iter().map(|(name, value)| (name.clone(), json!(value)));
        numbers.chain(self.words.iter().map(|(name, word)| (name.clone(), json!(word)))).collect()
    }
}

/// Writes everything that comes after the last iteration.
///
/// # Errors
/// stdout cannot be written.
pub fn report(iterations: &Iterations, trace: Option<&Trace>) -> Result {
    iteration_lines(iterations)?;
    series_lines(iterations)?;
    if let Some(trace) = trace {
        trace_line(trace)?;
    }
    end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(words: &[&str]) -> std::result::Result<Plan, Usage> {
        let mut arguments = Arguments::parse(words.iter().map(Into::into))?;
        let keys = Keys { flags: &["count"], ..Keys::numbers(&["k", "m"]) };
        let plan = Plan::from_arguments(&mut arguments, keys, || None)?;
        arguments.finish()?;
        Ok(plan)
    }

    #[test]
    fn reads_a_whole_command_line() {
        let plan = plan(&["k=2", "m=50", "iterations=40", "min_warm_ms=20"]).unwrap();
        assert_eq!((plan.param("k"), plan.param("m"), plan.flag("count")), (2, 50, false));
        assert_eq!(Value::Object(plan.params()), json!({"k": 2, "m": 50}));
        assert!(plan.trace.is_none());
        assert_eq!(plan.nonce(), 0);
    }

    #[test]
    fn traces_one_iteration_only() {
        let mut plan =
            plan(&["k=2", "m=50", "iterations=40", "min_warm_ms=20", "trace=1", "count=1", "nonce=7"]).unwrap();
        assert!(plan.trace.is_some() && plan.flag("count") && plan.iterations.wanted());
        assert_eq!(plan.nonce(), 7);
        plan.iterations.record(crate::Region::start().stop(), 1, crate::Evidence::default());
        assert!(!plan.iterations.wanted());
    }

    #[test]
    fn refuses_what_is_missing_unknown_or_zero() {
        for words in [&["k=2", "iterations=1", "min_warm_ms=0"][..], &["k=0", "m=1", "iterations=1", "min_warm_ms=0"]] {
            assert!(plan(words).is_err());
        }
        for nonce in ["nonce=", "nonce=-1", "nonce=1.5", "nonce=x"] {
            let wrong = plan(&["k=1", "m=1", "iterations=1", "min_warm_ms=0", nonce]).unwrap_err();
            assert_eq!(wrong.to_string(), format!("usage: {nonce} must be an integer from 0 to 4294967296"));
        }
        let unknown = plan(&["k=1", "m=1", "iterations=1", "min_warm_ms=0", "n=1"]).unwrap_err();
        assert_eq!(unknown.to_string(), "usage: unknown key n");
    }

    #[test]
    fn has_words_and_a_peer_where_they_are_declared() {
        let read = |words: &[&str]| {
            let mut arguments = Arguments::parse(words.iter().map(Into::into))?;
            let keys = Keys { words: &[("wait", &["timer", "peer"])], peer: true, ..Keys::numbers(&["c"]) };
            Plan::from_arguments(&mut arguments, keys, || None)
        };
        let plan = read(&["c=3", "wait=peer", "peer=40123", "iterations=1", "min_warm_ms=0"]).unwrap();
        assert_eq!((plan.word("wait"), plan.peer), ("peer", Some(40123)));
        assert_eq!(Value::Object(plan.params()), json!({"c": 3, "wait": "peer"}));
        assert_eq!(read(&["c=3", "wait=timer", "iterations=1", "min_warm_ms=0"]).unwrap().peer, None);
        for wrong in [["wait=sleep", "peer=1"], ["wait=peer", "peer=65536"]] {
            let words: Vec<_> = ["c=3", "iterations=1", "min_warm_ms=0"].into_iter().chain(wrong).collect();
            assert!(read(&words).is_err(), "{wrong:?}");
        }
    }
}
