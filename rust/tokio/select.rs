//! One task waits on k channels at once, another sends through them in an order that the first does not know.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use runtime::{drive, program};
use std::{future::poll_fn, process::ExitCode, task::Poll};
use tokio::{
    select,
    sync::mpsc::{Receiver, Sender, channel},
};

/// Waits for the message of whichever channel is ready, and tells which: `select!` where the channels are few enough to be
/// written out, else what polls them all in turn. None if a channel is closed.
async fn next(inboxes: &mut [Receiver<u64>]) -> Option<(usize, u64)> {
    match inboxes {
        [first, second] => select! {
            message = first.recv() => Some((0, message?)),
            message = second.recv() => Some((1, message?)),
        },
        [first, second, third, fourth, fifth, sixth, seventh, eighth] => select! {
            message = first.recv() => Some((0, message?)),
            message = second.recv() => Some((1, message?)),
            message = third.recv() => Some((2, message?)),
            message = fourth.recv() => Some((3, message?)),
            message = fifth.recv() => Some((4, message?)),
            message = sixth.recv() => Some((5, message?)),
            message = seventh.recv() => Some((6, message?)),
            message = eighth.recv() => Some((7, message?)),
        },
        _ => {
            poll_fn(|context| {
                for (channel, inbox) in inboxes.iter_mut().enumerate() {
                    if let Poll::Ready(message) = inbox.poll_recv(context) {
                        return Poll::Ready(message.map(|message| (channel, message)));
                    }
                }
                Poll::Pending
            })
            .await
        }
    }
}

/// The parameters.
#[derive(Clone, Copy)]
struct Shape {
    channels: u64,
    before_answer: u64,
    messages: u64,
}

/// Task 0. Returns how many messages came through each channel, and the sum of all.
async fn selector<P: Probe>(
    mut inboxes: Vec<Receiver<u64>>,
    answers: Sender<()>,
    shape: Shape,
    probe: P,
) -> Result<(Vec<u64>, u64)> {
    let (mut counts, mut checksum) = (vec![0; inboxes.len()], 0);
    for received in 1..=shape.channels * shape.messages {
        let (channel, message) = next(&mut inboxes).await.ok_or("the sender is gone")?;
        probe.event(Kind::Run, 0);
        counts[channel] += 1;
        checksum += message;
        if received % shape.before_answer == 0 {
            answers.send(()).await?;
        }
    }
    probe.event(Kind::Done, 0);
    Ok((counts, checksum))
}

/// Task 1. Its order is the nonce's: each channel once a round, as their number is a power of two.
async fn sender<P: Probe>(
    outboxes: Vec<Sender<u64>>,
    mut answers: Receiver<()>,
    shape: Shape,
    nonce: u64,
    probe: P,
) -> Result {
    let k = shape.channels;
    let mut sent = 0;
    for round in nonce..nonce + shape.messages {
        for turn in 0..k {
            let channel = usize::try_from((round + turn * (2 * round + 1)) % k)?;
            outboxes[channel].send(nonce + sent).await?;
            sent += 1;
            if sent % shape.before_answer == 0 {
                answers.recv().await.ok_or("the receiver is gone")?;
                probe.event(Kind::Run, 1);
            }
        }
    }
    probe.event(Kind::Done, 1);
    Ok(())
}

/// Returns how many messages were received, and what else was counted.
async fn pass<P: Probe>(shape: Shape, nonce: u64, probe: &P) -> Result<(u64, Evidence)> {
    let (outboxes, inboxes): (Vec<_>, Vec<_>) = (0..shape.channels).map(|_| channel(1)).unzip();
    let (answer, answers) = channel(1);
    let selecting = probe.start(0, || tokio::spawn(selector(inboxes, answer, shape, probe.clone())));
    let sending = probe.start(1, || tokio::spawn(sender(outboxes, answers, shape, nonce, probe.clone())));
    let mut finished = 0;
    let (counts, checksum) = selecting.await??;
    finished += 1;
    probe.event(Kind::Collect, 0);
    sending.await??;
    finished += 1;
    probe.event(Kind::Collect, 1);
    let messages = counts.iter().sum();
    let evidence = Evidence::default()
        .with("finished", finished)
        .with("messages", messages)
        .with("least", counts.iter().min().copied().unwrap_or_default())
        .with("most", counts.iter().max().copied().unwrap_or_default())
        .with("checksum", checksum);
    Ok((messages, evidence))
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let shape = Shape { channels: plan.param("k"), before_answer: plan.param("w"), messages: plan.param("m") };
    while plan.iterations.wanted() {
        let nonce = plan.nonce();
        let region = Region::start();
        let (messages, evidence) = pass(shape, nonce, &probe).await?;
        plan.iterations.record(region.stop(), messages, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("select", Keys::numbers(&["k", "w", "m"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
