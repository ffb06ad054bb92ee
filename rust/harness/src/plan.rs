//! What one invocation has to do, and the report of what it did.

use crate::{Arguments, Iterations, Result, Trace, Usage, end, iteration_lines, trace_line};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The parameters of a workload and what is wanted of it.
#[derive(Debug)]
pub struct Plan {
    /// How often; empty so far.
    pub iterations: Iterations,
    /// Where events go, if they are asked for.
    pub trace: Option<Trace>,
    params: BTreeMap<String, u64>,
    flags: BTreeMap<String, bool>,
}

impl Plan {
    /// Takes the workload's parameters (all positive) and flags, and the keys that every workload has.
    ///
    /// # Errors
    /// A key is missing or has a bad value.
    pub fn from_arguments(
        arguments: &mut Arguments,
        params: &[&str],
        flags: &[&str],
        unit: fn() -> Option<String>,
    ) -> std::result::Result<Self, Usage> {
        let iterations = Iterations::from_arguments(arguments)?;
        let trace = arguments.flag("trace")?.then(|| Trace::new(unit));
        let mut plan = Self {
            iterations: if trace.is_some() { Iterations::once() } else { iterations },
            trace,
            params: BTreeMap::new(),
            flags: BTreeMap::new(),
        };
        for name in params {
            plan.params.insert((*name).to_owned(), arguments.integer(name, 1..=1 << 32)?);
        }
        for name in flags {
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
        self.params.iter().map(|(name, value)| (name.clone(), json!(value))).collect()
    }
}

/// Writes everything that comes after the last iteration.
///
/// # Errors
/// stdout cannot be written.
pub fn report(iterations: &Iterations, trace: Option<&Trace>) -> Result {
    iteration_lines(iterations)?;
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
        let plan = Plan::from_arguments(&mut arguments, &["k", "m"], &["count"], || None)?;
        arguments.finish()?;
        Ok(plan)
    }

    #[test]
    fn reads_a_whole_command_line() {
        let plan = plan(&["k=2", "m=50", "iterations=40", "min_warm_ms=20"]).unwrap();
        assert_eq!((plan.param("k"), plan.param("m"), plan.flag("count")), (2, 50, false));
        assert_eq!(Value::Object(plan.params()), json!({"k": 2, "m": 50}));
        assert!(plan.trace.is_none());
    }

    #[test]
    fn traces_one_iteration_only() {
        let mut plan = plan(&["k=2", "m=50", "iterations=40", "min_warm_ms=20", "trace=1", "count=1"]).unwrap();
        assert!(plan.trace.is_some() && plan.flag("count") && plan.iterations.wanted());
        plan.iterations.record(crate::Region::start().stop(), 1, crate::Evidence::default());
        assert!(!plan.iterations.wanted());
    }

    #[test]
    fn refuses_what_is_missing_unknown_or_zero() {
        for words in [&["k=2", "iterations=1", "min_warm_ms=0"][..], &["k=0", "m=1", "iterations=1", "min_warm_ms=0"]] {
            assert!(plan(words).is_err());
        }
        let unknown = plan(&["k=1", "m=1", "iterations=1", "min_warm_ms=0", "n=1"]).unwrap_err();
        assert_eq!(unknown.to_string(), "usage: unknown key n");
    }
}
