//! p producers send m messages each to c consumers, which share one bounded channel.

use async_channel::{Receiver, Sender, bounded};
use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use runtime::{drive, program, start};
use std::{ops::Range, process::ExitCode};

async fn producer<P: Probe>(i: u64, messages: Range<u64>, outbox: Sender<u64>, probe: P) -> Result {
    probe.event(Kind::Run, i);
    for message in messages {
        outbox.send(message).await?;
        probe.event(Kind::Run, i);
    }
    probe.event(Kind::Done, i);
    Ok(())
}

/// Returns how many messages it got and their sum, when all producers have ended.
async fn consumer<P: Probe>(i: u64, inbox: Receiver<u64>, probe: P) -> (u64, u64) {
    probe.event(Kind::Run, i);
    let (mut messages, mut checksum) = (0, 0);
    while let Ok(message) = inbox.recv().await {
        probe.event(Kind::Run, i);
        messages += 1;
        checksum += message;
    }
    probe.event(Kind::Done, i);
    (messages, checksum)
}

/// The parameters.
#[derive(Clone, Copy)]
struct Shape {
    producers: u64,
    consumers: u64,
    room: usize,
    messages: u64,
}

/// Returns how many messages were received, and what else was counted.
async fn pass<P: Probe>(shape: Shape, nonce: u64, probe: &P) -> Result<(u64, Evidence)> {
    let Shape { producers: p, consumers: c, room, messages: m } = shape;
    let (outbox, inbox) = bounded(room);
    let producers: Vec<_> = (0..p)
        .map(|i| {
            let first = nonce + i * m;
            start(i, producer(i, first..first + m, outbox.clone(), probe.clone()), probe)
        })
        .collect();
    // The channel is closed with its last sender.
    drop(outbox);
    let consumers: Vec<_> = (p..p + c).map(|i| start(i, consumer(i, inbox.clone(), probe.clone()), probe)).collect();
    let (mut finished, mut messages, mut most, mut checksum) = (0, 0, 0, 0);
    for (i, handle) in (0..).zip(producers) {
        handle.await?;
        finished += 1;
        probe.event(Kind::Collect, i);
    }
    for (i, handle) in (p..).zip(consumers) {
        let (received, sum) = handle.await;
        finished += 1;
        messages += received;
        most = most.max(received);
        checksum += sum;
        probe.event(Kind::Collect, i);
    }
    let evidence = Evidence::default()
        .with("finished", finished)
        .with("messages", messages)
        .with("most", most)
        .with("checksum", checksum);
    Ok((messages, evidence))
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let shape = Shape {
        producers: plan.param("p"),
        consumers: plan.param("c"),
        room: usize::try_from(plan.param("b"))?,
        messages: plan.param("m"),
    };
    while plan.iterations.wanted() {
        let nonce = plan.nonce();
        let region = Region::start();
        let (messages, evidence) = pass(shape, nonce, &probe).await?;
        plan.iterations.record(region.stop(), messages, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("channel", Keys::numbers(&["p", "c", "b", "m"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
