//! The load that the runner puts on a server, and the latency server that programs wait for: one thread each.

mod client;
mod clock;
mod error;
mod generator;
mod http;
mod latency;
mod plan;
mod report;
mod samples;
mod stream;
mod ticker;

pub use clock::{Alarm, cpu_ns, now_ns};
pub use error::Result;
pub use generator::run;
pub use latency::serve_latency;
pub use plan::{Expect, Plan, Stream};
pub use report::{Report, StreamReport};
pub use samples::Samples;

/// A runtime without threads: the runner gives the process one CPU.
///
/// # Errors
/// The kernel refuses an epoll instance.
pub fn single_threaded() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}
