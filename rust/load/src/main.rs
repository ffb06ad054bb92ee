//! `corobench-load PLAN` puts the load of a plan (JSON) on a server and writes what came of it as one JSON object.
//! `corobench-load latency` is the latency server.

use corobench_load::{Plan, Result, run, serve_latency, single_threaded};
use std::{env, process::ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [what] = &arguments[..] else {
        eprintln!("usage: corobench-load PLAN | latency | --version");
        return ExitCode::from(2);
    };
    if what == "--version" {
        println!("corobench-load {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    let done = if what == "latency" { latency() } else { load(what) };
    if let Err(error) = done {
        eprintln!("corobench-load: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn load(plan: &str) -> Result {
    let report = single_threaded()?.block_on(run(Plan::parse(plan)?))?;
    println!("{}", serde_json::to_string(&report)?);
    Ok(())
}

fn latency() -> Result {
    single_threaded()?.block_on(serve_latency())
}
