//! Two tasks send a byte back and forth over a pair of Unix stream sockets.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use runtime::{drive, program};
use std::process::ExitCode;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::UnixStream,
};

/// Each byte is 1, so what the tasks received adds up to the number of messages.
async fn first<P: Probe>(m: u64, mut stream: UnixStream, probe: P) -> Result<u64> {
    probe.event(Kind::Run, 0);
    let mut received = 0;
    for _ in 0..m {
        stream.write_u8(1).await?;
        received += u64::from(stream.read_u8().await?);
    }
    probe.event(Kind::Done, 0);
    Ok(received)
}

async fn second<P: Probe>(m: u64, mut stream: UnixStream, probe: P) -> Result<u64> {
    probe.event(Kind::Run, 1);
    let mut received = 0;
    for _ in 0..m {
        let byte = stream.read_u8().await?;
        received += u64::from(byte);
        stream.write_u8(byte).await?;
    }
    probe.event(Kind::Done, 1);
    Ok(received)
}

/// Returns how many tasks finished and how many bytes they received.
async fn io_switch<P: Probe>(m: u64, streams: (UnixStream, UnixStream), probe: &P) -> Result<(u64, u64)> {
    let handles = [
        probe.start(0, || tokio::spawn(first(m, streams.0, probe.clone()))),
        probe.start(1, || tokio::spawn(second(m, streams.1, probe.clone()))),
    ];
    let (mut finished, mut messages) = (0, 0);
    for (i, handle) in (0..).zip(handles) {
        messages += handle.await??;
        finished += 1;
        probe.event(Kind::Collect, i);
    }
    Ok((finished, messages))
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let m = plan.param("m");
    while plan.iterations.wanted() {
        let streams = UnixStream::pair()?;
        let region = Region::start();
        let (finished, messages) = io_switch(m, streams, &probe).await?;
        let elapsed = region.stop();
        let evidence = Evidence::default().with("finished", finished).with("messages", messages);
        plan.iterations.record(elapsed, messages / 2, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("io-switch", Keys::numbers(&["m"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
