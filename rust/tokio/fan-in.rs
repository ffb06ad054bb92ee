//! p producers send m messages each to one consumer, over a channel that holds 128.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use runtime::{drive, program};
use std::process::ExitCode;
use tokio::sync::mpsc::{Receiver, Sender, channel};

async fn producer<P: Probe>(i: u64, message: u64, m: u64, outbox: Sender<u64>, probe: P) -> Result {
    probe.event(Kind::Run, i);
    for _ in 0..m {
        outbox.send(message).await?;
    }
    probe.event(Kind::Done, i);
    Ok(())
}

/// Returns how many messages came and their sum, when all producers have ended.
async fn consumer<P: Probe>(i: u64, mut inbox: Receiver<u64>, probe: P) -> (u64, u64) {
    probe.event(Kind::Run, i);
    let (mut messages, mut checksum) = (0, 0);
    while let Some(message) = inbox.recv().await {
        messages += 1;
        checksum += message;
    }
    probe.event(Kind::Done, i);
    (messages, checksum)
}

/// Returns how many tasks finished, how many messages the consumer received, and their sum; producer i sends nonce + i + 1.
async fn fan_in<P: Probe>(p: u64, m: u64, nonce: u64, probe: &P) -> Result<(u64, u64, u64)> {
    let (outbox, inbox) = channel(128);
    let producers: Vec<_> = (0..p)
        .map(|i| probe.start(i, || tokio::spawn(producer(i, nonce + i + 1, m, outbox.clone(), probe.clone()))))
        .collect();
    // The channel ends with its last sender.
    drop(outbox);
    let consumer = probe.start(p, || tokio::spawn(consumer(p, inbox, probe.clone())));
    let mut finished = 0;
    for (i, handle) in (0..).zip(producers) {
        handle.await??;
        finished += 1;
        probe.event(Kind::Collect, i);
    }
    let (messages, checksum) = consumer.await?;
    finished += 1;
    probe.event(Kind::Collect, p);
    Ok((finished, messages, checksum))
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let (p, m) = (plan.param("p"), plan.param("m"));
    while plan.iterations.wanted() {
        let nonce = plan.nonce();
        let region = Region::start();
        let (finished, messages, checksum) = fan_in(p, m, nonce, &probe).await?;
        let elapsed = region.stop();
        let evidence =
            Evidence::default().with("finished", finished).with("messages", messages).with("checksum", checksum);
        plan.iterations.record(elapsed, messages, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("fan-in", Keys::numbers(&["p", "m"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
