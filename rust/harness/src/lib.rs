//! What every Rust program owes the runner: its arguments, its clock, its lines and its exit status.

mod arguments;
mod arrivals;
mod course;
pub mod fizzbuzz;
mod iterations;
mod plan;
mod probe;
mod program;
mod protocol;
mod requests;
mod starvation;
mod watch;
mod work;

pub use arguments::{Arguments, Usage};
pub use arrivals::Arrivals;
pub use course::Course;
pub use iterations::{Elapsed, Evidence, Iterations, Region};
pub use plan::{Keys, Plan, report};
pub use probe::{Kind, Off, Probe, ROOT, Trace, TrueSwitches};
pub use program::{program, programs, startup};
pub use protocol::{Hello, hold, nanoseconds, serving};
pub use requests::Request;
pub use starvation::{Answers, Jobs, NAP, Observed, Progress, Schedule};
pub use watch::{Watched, running};
pub use work::{Calibration, START, xorshift};

use protocol::{end, iteration_lines, series_lines, trace_line};

use std::{
    error::Error,
    panic,
    process::{self, ExitCode},
};

/// Any failure; a [`Usage`] inside ends in exit status 2, everything else in 1.
pub type Result<T = ()> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Runs a program's body and turns its failure into words on stderr and an exit status.
pub fn exit(program: impl FnOnce() -> Result) -> ExitCode {
    // Runtimes catch the panic of a task for whoever joins it; where the root waits for something else, it would wait for ever.
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        report(panic);
        process::exit(1);
    }));
    status(program())
}

fn status(result: Result) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    eprintln!("{error}");
    if error.is::<Usage>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_argument_is_a_usage_error() {
        let words = ["iterations=1", "min_warm_ms=0", "nonce=-1"];
        let read = || {
            let mut arguments = Arguments::parse(words.map(Into::into))?;
            Plan::from_arguments(&mut arguments, Keys::numbers(&[]), || None)?;
            Ok(())
        };
        assert_eq!(status(read()), ExitCode::from(2));
        assert_eq!(status(Err("a task failed".into())), ExitCode::from(1));
        assert_eq!(status(Ok(())), ExitCode::from(0));
    }
}
