//! What the shared programs need of a runtime, from async-std: its one executor, which is global.

#[path = "../portable/gate.rs"]
pub mod gate;
#[path = "../portable/holds.rs"]
pub mod holds;
#[path = "../portable/levels.rs"]
pub mod levels;
pub mod load;
#[path = "../portable/start.rs"]
mod start;
mod task;
#[path = "../portable/token.rs"]
pub mod token;

pub use async_std::{
    io::{ReadExt as AsyncReadExt, WriteExt as AsyncWriteExt},
    net::TcpStream,
    os::unix::net::UnixStream,
    task::{block_on, sleep, yield_now},
};
pub use start::{drive, start};
pub use task::{Task, before, sleep_until, spawn};

use corobench_harness::{Hello, Iterations, Keys, Plan, Result, running};
use serde_json::{Map, Value, json};
use std::{fs, io, process::ExitCode, thread};

/// The whole of a workload's program: `measure` iterates, everything around it is here.
pub fn program(workload: &str, keys: Keys<'_>, measure: impl FnOnce(Plan) -> Result<Iterations>) -> ExitCode {
    corobench_harness::program(keys, running, |params| hello(workload, params), measure)
}

/// Who this is.
///
/// # Errors
/// The system does not tell what threads there are.
pub fn hello(workload: &str, params: Map<String, Value>) -> Result<Hello<'_>> {
    // Starts the executor.
    block_on(spawn(async {}));
    Ok(Hello {
        version: env!("COROBENCH_VERSION"),
        language_version: env!("COROBENCH_RUSTC"),
        workload,
        params,
        settings: json!({"threads": executor_threads()?}),
    })
}

/// Async-std does not say how many threads run its tasks; the system knows them by their name, of which it keeps 15 letters.
fn executor_threads() -> io::Result<usize> {
    let own = fs::read("/proc/thread-self/comm")?;
    loop {
        let threads: Vec<_> = fs::read_dir("/proc/self/task")?.collect::<io::Result<_>>()?;
        let names: Vec<_> =
            threads.iter().map(|thread| fs::read(thread.path().join("comm"))).collect::<io::Result<_>>()?;
        let count = |start: &[u8]| names.iter().filter(|name| name.starts_with(start)).count();
        // A thread has its starter's name until it runs for the first time and takes its own. This one starts the executor's;
        // one of them may have started that of async-io.
        if count(&own) == 1 && count(b"async-io") == 1 {
            return Ok(count(b"async-std/runti"));
        }
        thread::yield_now();
    }
}
