//! A workload's program from its arguments to its last line, for runtimes without variants of their own to choose from.

use crate::{Arguments, Evidence, Hello, Iterations, Keys, Plan, Region, Result, Usage, exit, report, status};
use serde_json::{Map, Value};
use std::{
    env,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

/// The main function of a workload's program.
type Main = fn() -> ExitCode;

/// Runs the one of several programs by whose name their executable is called. By the name with which it is built, `programs`,
/// it says what names it is to be given.
#[must_use]
pub fn programs(programs: &[(&str, Main)]) -> ExitCode {
    let path = env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let called = path.file_name().unwrap_or_default();
    if let Some((_, main)) = programs.iter().find(|(name, _)| called == *name) {
        return main();
    }
    let names: Vec<_> = programs.iter().map(|(name, _)| *name).collect();
    status(if called == "programs" {
        writeln!(io::stdout(), "{}", names.join("\n")).map_err(Into::into)
    } else {
        Err(Usage(format!("call this by one of these names: {}", names.join(", "))).into())
    })
}

/// Runs it: `hello` says who it is, given the parameters; `unit` asks the runtime who is running; `measure` iterates.
pub fn program<'a>(
    keys: Keys<'_>,
    unit: fn() -> Option<String>,
    hello: impl FnOnce(Map<String, Value>) -> Result<Hello<'a>>,
    measure: impl FnOnce(Plan) -> Result<Iterations>,
) -> ExitCode {
    exit(|| {
        let mut arguments = Arguments::parse(env::args_os().skip(1))?;
        let plan = Plan::from_arguments(&mut arguments, keys, unit)?;
        arguments.finish()?;
        hello(plan.params())?.write()?;
        let trace = plan.trace.clone();
        let iterations = measure(plan)?;
        report(&iterations, trace.as_ref())
    })
}

/// Runs the workload startup: `first_task` starts the runtime, runs a task and returns its result.
pub fn startup<'a>(
    hello: impl FnOnce(Map<String, Value>) -> Result<Hello<'a>>,
    first_task: impl FnOnce() -> Result<u64>,
) -> ExitCode {
    exit(|| {
        let mut arguments = Arguments::parse(env::args_os().skip(1))?;
        let mode = arguments.choice("mode", &[("bare", "bare"), ("first-task", "first-task")])?;
        let wants_report = arguments.flag("report")?;
        arguments.finish()?;

        if wants_report {
            hello(Map::from_iter([("mode".to_owned(), mode.into())]))?.write()?;
        }
        let region = Region::start();
        let finished = if mode == "bare" { 0 } else { first_task()? };
        let elapsed = region.stop();
        if mode == "first-task" && finished != 1 {
            return Err(format!("the task returned {finished}").into());
        }
        if wants_report {
            let mut iterations = Iterations::once();
            iterations.record(elapsed, 1, Evidence::default().with("finished", finished));
            report(&iterations, None)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_no_program_has_is_a_usage_error() {
        // The name of this test's own executable.
        assert_eq!(programs(&[("spawn", || ExitCode::SUCCESS)]), ExitCode::from(2));
    }
}
