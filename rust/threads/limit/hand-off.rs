//! Two tasks pass a token back and forth over two mailboxes, each a place for one token and for the thread that is parked until it comes.

use corobench_harness::{Elapsed, Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use runtime::{gate::Latch, join, mailbox::Mailbox, program, start};
use std::{process::ExitCode, sync::Arc};

/// Takes a token `m` times and puts it into the other's mailbox; returns how many it took.
fn player<P: Probe>(i: u64, m: u64, own: &Mailbox, other: &Mailbox, waiting: &Latch, probe: &P) -> Result<u64> {
    let mut received = 0;
    waiting.arrive();
    for _ in 0..m {
        let token = own.take();
        probe.event(Kind::Run, i);
        received += 1;
        other.put(token + 1)?;
    }
    probe.event(Kind::Done, i);
    Ok(received)
}

fn hand_off<P: Probe>(m: u64, first_token: u64, probe: &P) -> Result<(Elapsed, u64, Evidence)> {
    let (first, second) = (Mailbox::default(), Mailbox::default());
    let waiting = Arc::new(Latch::new(2));
    let players = [(first.clone(), second.clone()), (second, first.clone())];
    let tasks: Vec<_> = (0..)
        .zip(players)
        .map(|(i, (own, other))| {
            let (waiting, task_probe) = (waiting.clone(), probe.clone());
            start(i, move || player(i, m, &own, &other, &waiting, &task_probe), probe)
        })
        .collect();
    // A player that has not run yet would find the token on its way, and the hand-off would wake nobody.
    waiting.all();

    let region = Region::start();
    first.put(first_token)?;
    let (mut finished, mut messages) = (0, 0);
    for (i, task) in (0..).zip(tasks) {
        messages += join(task)?;
        finished += 1;
        probe.event(Kind::Collect, i);
    }
    let elapsed = region.stop();

    let token = first.left().ok_or("the token is lost")?;
    let evidence = Evidence::default().with("finished", finished).with("messages", messages).with("checksum", token);
    Ok((elapsed, messages, evidence))
}

fn measure<P: Probe>(mut plan: Plan, probe: &P) -> Result<Iterations> {
    let m = plan.param("m");
    while plan.iterations.wanted() {
        let (elapsed, messages, evidence) = hand_off(m, plan.nonce(), probe)?;
        plan.iterations.record(elapsed, messages, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("hand-off", Keys::numbers(&["m"]), |plan| match plan.trace.clone() {
        None => measure(plan, &Off),
        Some(trace) => measure(plan, &trace),
    })
}
