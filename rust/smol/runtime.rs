//! What the shared programs need of a runtime, from smol: its global executor.

#[path = "../portable/gate.rs"]
pub mod gate;
#[path = "../portable/holds.rs"]
pub mod holds;
#[path = "../portable/levels.rs"]
pub mod levels;
pub mod load;
#[path = "../portable/mailbox.rs"]
pub mod mailbox;
#[path = "../portable/start.rs"]
mod start;
#[path = "../portable/threads.rs"]
mod threads;
#[path = "../portable/token.rs"]
pub mod token;

pub use smol::{
    Task, block_on,
    future::yield_now,
    io::{AsyncReadExt, AsyncWriteExt},
    lock::{Mutex, Semaphore},
    net::{TcpStream, unix::UnixStream},
    spawn,
};
pub use start::{drive, start};

use corobench_harness::{Hello, Iterations, Keys, Plan, Result, running};
use serde_json::{Map, Value, json};
use smol::lock::SemaphoreGuard;
use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

/// The whole of a workload's program: `measure` iterates, everything around it is here.
pub fn program(workload: &str, keys: Keys<'_>, measure: fn(Plan) -> Result<Iterations>) -> ExitCode {
    corobench_harness::program(keys, running, |params| hello(workload, params), measure)
}

/// Who this is.
///
/// # Errors
/// The system does not tell what threads there are.
pub fn hello(workload: &str, params: Map<String, Value>) -> Result<Hello<'_>> {
    // Starts the global executor.
    block_on(spawn(async {}));
    Ok(Hello {
        version: env!("COROBENCH_VERSION"),
        language_version: env!("COROBENCH_RUSTC"),
        workload,
        params,
        settings: json!({"threads": threads::named(b"smol-")?}),
    })
}

/// Waits for one of the permits; it is given back when it is dropped.
pub async fn permit(semaphore: &Semaphore) -> SemaphoreGuard<'_> {
    semaphore.acquire().await
}

/// Sleeps until so much time has passed.
pub async fn sleep(duration: Duration) {
    smol::Timer::after(duration).await;
}

/// What the future comes to, if it does so before the limit.
pub async fn before<T>(limit: Instant, future: impl Future<Output = T>) -> Option<T> {
    let expire = async {
        sleep_until(limit).await;
        None
    };
    smol::future::or(async { Some(future.await) }, expire).await
}

/// Sleeps until then.
pub async fn sleep_until(deadline: Instant) {
    smol::Timer::at(deadline).await;
}
