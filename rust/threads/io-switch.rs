//! Two tasks send a byte back and forth over a pair of Unix stream sockets; a read blocks its task.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use runtime::{UnixStream, join, program, start};
use std::{
    io::{Read, Write},
    process::ExitCode,
};

/// Each byte is 1, so what the tasks received adds up to the number of messages.
fn first<P: Probe>(m: u64, mut stream: UnixStream, probe: &P) -> Result<u64> {
    probe.event(Kind::Run, 0);
    let (mut received, mut byte) = (0, [0]);
    for _ in 0..m {
        stream.write_all(&[1])?;
        stream.read_exact(&mut byte)?;
        received += u64::from(byte[0]);
    }
    probe.event(Kind::Done, 0);
    Ok(received)
}

fn second<P: Probe>(m: u64, mut stream: UnixStream, probe: &P) -> Result<u64> {
    probe.event(Kind::Run, 1);
    let (mut received, mut byte) = (0, [0]);
    for _ in 0..m {
        stream.read_exact(&mut byte)?;
        received += u64::from(byte[0]);
        stream.write_all(&byte)?;
    }
    probe.event(Kind::Done, 1);
    Ok(received)
}

/// Returns how many tasks finished and how many bytes they received.
fn io_switch<P: Probe>(m: u64, (one, other): (UnixStream, UnixStream), probe: &P) -> Result<(u64, u64)> {
    let (first_probe, second_probe) = (probe.clone(), probe.clone());
    let tasks = [
        start(0, move || first(m, one, &first_probe), probe),
        start(1, move || second(m, other, &second_probe), probe),
    ];
    let (mut finished, mut messages) = (0, 0);
    for (i, task) in (0..).zip(tasks) {
        messages += join(task)?;
        finished += 1;
        probe.event(Kind::Collect, i);
    }
    Ok((finished, messages))
}

fn measure<P: Probe>(mut plan: Plan, probe: &P) -> Result<Iterations> {
    let m = plan.param("m");
    while plan.iterations.wanted() {
        let streams = UnixStream::pair()?;
        let region = Region::start();
        let (finished, messages) = io_switch(m, streams, probe)?;
        let elapsed = region.stop();
        let evidence = Evidence::default().with("finished", finished).with("messages", messages);
        plan.iterations.record(elapsed, messages / 2, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("io-switch", Keys::numbers(&["m"]), |plan| match plan.trace.clone() {
        None => measure(plan, &Off),
        Some(trace) => measure(plan, &trace),
    })
}
