//! Does nothing, or starts the runtime, runs one task and joins it.

use corobench_harness::{Arguments, Evidence, Iterations, Region, Result, exit, report};
use runtime::{Flavor, hello};
use serde_json::{Map, json};
use std::{env, process::ExitCode};

fn first_task(flavor: Flavor) -> Result<u64> {
    let runtime = flavor.start()?;
    let result = runtime.block_on(async { tokio::spawn(async { 1 }).await })?;
    if result == 1 { Ok(1) } else { Err(format!("the task returned {result}").into()) }
}

fn main() -> ExitCode {
    exit(|| {
        let mut arguments = Arguments::parse(env::args_os().skip(1))?;
        let flavor = Flavor::from_arguments(&mut arguments)?;
        let modes = [("bare", "bare"), ("first-task", "first-task")];
        let mode = arguments.choice("mode", &modes)?;
        let wants_report = arguments.flag("report")?;
        arguments.finish()?;

        let operation = || if mode == "bare" { Ok(0) } else { first_task(flavor) };
        if !wants_report {
            return operation().map(drop);
        }
        // A runtime of its own, started only to be asked for its settings.
        hello("startup", Map::from_iter([("mode".to_owned(), json!(mode))]), &flavor.start()?).write()?;
        let mut iterations = Iterations::once();
        let region = Region::start();
        let finished = operation()?;
        iterations.record(region.stop(), 1, Evidence::default().with("finished", finished));
        report(&iterations, None)
    })
}
