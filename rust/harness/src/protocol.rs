//! The lines on stdout, one JSON object each.

use crate::{Iterations, Result, Trace, Usage};
use serde_json::{Map, Value, json};
use std::{
    io::{self, BufRead, Write},
    time::Duration,
};

/// Who is speaking.
#[derive(Debug)]
pub struct Hello<'a> {
    /// The runtime's version, as the program sees it.
    pub version: &'a str,
    /// The compiler's version.
    pub language_version: &'a str,
    /// The workload's name.
    pub workload: &'a str,
    /// The workload's own parameters.
    pub params: Map<String, Value>,
    /// The effective settings, asked of the runtime.
    pub settings: Value,
}

impl Hello<'_> {
    /// Writes the first line.
    ///
    /// # Errors
    /// `COROBENCH_RUNTIME` does not name the variant, or stdout cannot be written.
    ///
    /// # Panics
    /// The settings are no object.
    pub fn write(self) -> Result {
        let mut settings = self.settings;
        let said = settings.as_object_mut().expect("settings are an object");
        said.insert("opt_level".to_owned(), env!("COROBENCH_OPT_LEVEL").into());
        said.insert("lto".to_owned(), env!("COROBENCH_LTO").into());
        said.insert("codegen_units".to_owned(), env!("COROBENCH_CODEGEN_UNITS").into());
        said.insert("debug_assertions".to_owned(), cfg!(debug_assertions).into());
        let runtime = std::env::var("COROBENCH_RUNTIME")
            .map_err(|_| Usage("the environment variable COROBENCH_RUNTIME must name the runtime".to_owned()))?;
        write_lines([json!({
            "type": "hello", "protocol": 1, "runtime": runtime,
            "version": self.version, "language_version": self.language_version,
            "workload": self.workload, "params": self.params, "settings": settings,
        })])
    }
}

/// Writes all iterations, after the last.
///
/// # Errors
/// stdout cannot be written.
pub fn iteration_lines(iterations: &Iterations) -> Result {
    write_lines(iterations.all().iter().enumerate().map(|(index, iteration)| {
        let evidence: Map<_, _> = iteration.evidence.counts().iter().map(|&(k, v)| (k.to_owned(), json!(v))).collect();
        json!({
            "type": "iteration", "index": index, "ops": iteration.ops, "evidence": evidence,
            "elapsed_ns": nanoseconds(iteration.elapsed.wall), "cpu_ns": nanoseconds(iteration.elapsed.cpu),
        })
    }))
}

/// A duration as the lines have it.
///
/// # Panics
/// After 584 years.
#[must_use]
pub fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).expect("nothing lasts 584 years")
}

/// Writes the samples that were kept.
///
/// # Errors
/// stdout cannot be written.
pub fn series_lines(iterations: &Iterations) -> Result {
    write_lines(
        iterations.series().iter().map(|(name, values)| json!({"type": "series", "name": name, "values": values})),
    )
}

/// Announces a point at which the runner reads the process, and waits to be let go on.
///
/// # Errors
/// stdout cannot be written, or stdin has ended because the runner is gone.
pub fn hold(point: &str, units: u64) -> Result {
    write_lines([json!({"type": "hold", "point": point, "units": units})])?;
    wait(&mut io::stdin().lock(), point)
}

/// Announces a server that accepts connections on 127.0.0.1, and waits until it is to stop.
///
/// # Errors
/// stdout cannot be written, or stdin has ended because the runner is gone.
pub fn serving(port: u16) -> Result {
    write_lines([json!({"type": "hold", "point": "serving", "units": 0, "port": port})])?;
    wait(&mut io::stdin().lock(), "serving")
}

fn wait(input: &mut impl BufRead, point: &str) -> Result {
    if input.read_line(&mut String::new())? == 0 {
        return Err(format!("stdin ended at the hold {point}").into());
    }
    Ok(())
}

/// Writes a trace.
///
/// # Errors
/// stdout cannot be written.
pub fn trace_line(trace: &Trace) -> Result {
    write_lines([json!({"type": "trace", "events": trace.events()})])
}

/// Writes the last line.
///
/// # Errors
/// stdout cannot be written.
pub fn end() -> Result {
    write_lines([json!({"type": "end"})])
}

fn write_lines(lines: impl IntoIterator<Item = Value>) -> Result {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in lines {
        writeln!(out, "{line}")?;
    }
    out.flush().map_err(|error| format!("stdout: {error}").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hold_ends_with_a_line_or_an_error() {
        assert!(wait(&mut "\n".as_bytes(), "base").is_ok());
        assert!(wait(&mut "go\nmore".as_bytes(), "base").is_ok());
        assert_eq!(wait(&mut "".as_bytes(), "live").unwrap_err().to_string(), "stdin ended at the hold live");
    }
}
