//! A token that travels a ring of tasks over channels, of one place each where the runtime has such; hand-off is the ring of two.

use crate::{Outbox, Receiver, gate::Latch, join, one_place, start};
use corobench_harness::{Elapsed, Evidence, Iterations, Kind, Plan, Probe, Region, Result};
use std::sync::Arc;

/// Receives a token `rounds` times and sends it on; returns how many it received, and its inbox, in which the last may lie.
fn task<P: Probe>(
    i: u64,
    rounds: u64,
    inbox: Receiver<u64>,
    next: &Outbox<u64>,
    waiting: &Latch,
    probe: &P,
) -> Result<(u64, Receiver<u64>)> {
    let mut received = 0;
    waiting.arrive();
    for _ in 0..rounds {
        let token = inbox.recv()?;
        probe.event(Kind::Run, i);
        received += 1;
        next.send(token + 1)?;
    }
    probe.event(Kind::Done, i);
    Ok((received, inbox))
}

fn pass<P: Probe>(k: u64, rounds: u64, first_token: u64, probe: &P) -> Result<(Elapsed, u64, Evidence)> {
    let (mut outboxes, inboxes): (Vec<_>, Vec<_>) = (0..k).map(|_| one_place()).unzip();
    let to_first = outboxes[0].clone();
    // Task i sends to task i + 1, the last to the first.
    outboxes.rotate_left(1);
    let waiting = Arc::new(Latch::new(k));
    let tasks: Vec<_> = (0..)
        .zip(inboxes.into_iter().zip(outboxes))
        .map(|(i, (inbox, next))| {
            let (waiting, task_probe) = (waiting.clone(), probe.clone());
            start(i, move || task(i, rounds, inbox, &next, &waiting, &task_probe), probe)
        })
        .collect();
    // A task that has not run yet would find the token on its way, and the hop would wake nobody.
    waiting.all();

    let mut inboxes = Vec::with_capacity(tasks.len());
    let region = Region::start();
    to_first.send(first_token)?;
    drop(to_first);
    let (mut finished, mut messages) = (0, 0);
    for (i, task) in (0..).zip(tasks) {
        let (received, inbox) = join(task)?;
        finished += 1;
        messages += received;
        inboxes.push(inbox);
        probe.event(Kind::Collect, i);
    }
    let elapsed = region.stop();

    // The last task's last send: only the root reads the first task's inbox now.
    let token = inboxes[0].try_recv()?;
    let evidence = Evidence::default().with("finished", finished).with("messages", messages).with("checksum", token);
    Ok((elapsed, messages, evidence))
}

/// Sends a token `rounds` times around a ring of `k` tasks.
///
/// # Errors
/// A task ends early.
pub fn measure<P: Probe>(mut plan: Plan, k: u64, rounds: u64, probe: &P) -> Result<Iterations> {
    while plan.iterations.wanted() {
        let (elapsed, messages, evidence) = pass(k, rounds, plan.nonce(), probe)?;
        plan.iterations.record(elapsed, messages, evidence);
    }
    Ok(plan.iterations)
}
