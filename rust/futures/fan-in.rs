//! p producers send m messages each to one consumer, over a channel that holds 128.

use corobench_futures::{drive, join_all, program, start_all};
use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use futures::{
    FutureExt, SinkExt, StreamExt,
    channel::mpsc::{Receiver, Sender, channel},
};
use std::process::ExitCode;

const ROOM: u64 = 128;

/// How many messages a future received, and their sum; a producer receives none.
type Outcome = Result<(u64, u64)>;

async fn producer<P: Probe>(i: u64, message: u64, m: u64, mut outbox: Sender<u64>, probe: P) -> (u64, Outcome) {
    probe.event(Kind::Run, i);
    for _ in 0..m {
        if let Err(error) = outbox.feed(message).await {
            return (i, Err(error.into()));
        }
    }
    probe.event(Kind::Done, i);
    (i, Ok((0, 0)))
}

async fn consumer<P: Probe>(i: u64, mut inbox: Receiver<u64>, probe: P) -> (u64, Outcome) {
    probe.event(Kind::Run, i);
    let (mut messages, mut checksum) = (0, 0);
    while let Some(message) = inbox.next().await {
        messages += 1;
        checksum += message;
    }
    probe.event(Kind::Done, i);
    (i, Ok((messages, checksum)))
}

/// Returns how many futures finished, how many messages the consumer received, and their sum; producer i sends nonce + i + 1.
async fn fan_in<P: Probe>(p: u64, m: u64, nonce: u64, probe: &P) -> Result<(u64, u64, u64)> {
    // Every sender, the first one too, has a place of its own besides those of the channel.
    let places = ROOM.checked_sub(p + 1).ok_or("more producers than the channel has room")?;
    let (outbox, inbox) = channel(usize::try_from(places)?);
    let senders: Vec<_> = (0..p).map(|_| outbox.clone()).collect();
    let producers =
        (0..).zip(senders).map(|(i, outbox)| producer(i, nonce + i + 1, m, outbox, probe.clone()).left_future());
    let consumer = consumer(p, inbox, probe.clone()).right_future();
    let set = start_all(producers.chain([consumer]), probe);
    // The channel ends with its last sender.
    drop(outbox);
    let mut outcomes = Vec::with_capacity(set.len());
    let finished = join_all(set, probe, |outcome| outcomes.push(outcome)).await;
    let (mut messages, mut checksum) = (0, 0);
    for outcome in outcomes {
        let (received, sum) = outcome?;
        messages += received;
        checksum += sum;
    }
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
