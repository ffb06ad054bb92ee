//! The life of a server's process: it listens, says where, and serves until it is told to stop.

use crate::{Flavor, hello};
use corobench_harness::{Arguments, Hello, Iterations, exit, report, serving};
use serde_json::{Map, json};
use std::{env, io, process::ExitCode};
use tokio::{net::TcpListener, task::spawn_blocking};

const PHASES: [&str; 5] = ["one-new", "one-keep", "many-new", "many-keep", "open"];

/// The whole of a program of the workload http. `version` is that of the server's crate; `serve` is given the listener
/// and goes on for ever.
///
/// # Panics
/// In the server's task, where the server ends by itself.
pub fn http<S: Future<Output = io::Result<()>> + Send + 'static>(
    version: &str,
    serve: impl FnOnce(TcpListener) -> S,
) -> ExitCode {
    exit(|| {
        let mut arguments = Arguments::parse(env::args_os().skip(1))?;
        let flavor = Flavor::from_arguments(&mut arguments)?;
        // The load is the runner's: a server is only told its name.
        let phase = arguments.choice("phase", &PHASES.map(|phase| (phase, phase)))?;
        arguments.finish()?;
        let runtime = flavor.start()?;
        let params = Map::from_iter([("phase".to_owned(), json!(phase))]);
        Hello { version, ..hello("http", params, &runtime) }.write()?;
        runtime.block_on(async {
            let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
            let port = listener.local_addr()?.port();
            let server = serve(listener);
            tokio::spawn(async { panic!("the server ended by itself: {:?}", server.await) });
            spawn_blocking(move || serving(port)).await?
        })?;
        report(&Iterations::once(), None)
    })
}
