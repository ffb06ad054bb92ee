//! p producers send m messages each to one consumer, over a channel that holds 128.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use runtime::{join, program, start};
use std::{
    process::ExitCode,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
};

fn producer<P: Probe>(i: u64, message: u64, m: u64, outbox: &SyncSender<u64>, probe: &P) -> Result {
    probe.event(Kind::Run, i);
    for _ in 0..m {
        outbox.send(message)?;
    }
    probe.event(Kind::Done, i);
    Ok(())
}

/// Returns how many messages came and their sum, when all producers have ended.
fn consumer<P: Probe>(i: u64, inbox: Receiver<u64>, probe: &P) -> (u64, u64) {
    probe.event(Kind::Run, i);
    let (mut messages, mut checksum) = (0, 0);
    for message in inbox {
        messages += 1;
        checksum += message;
    }
    probe.event(Kind::Done, i);
    (messages, checksum)
}

/// Returns how many tasks finished, how many messages the consumer received, and their sum; producer i sends nonce + i + 1.
fn fan_in<P: Probe>(p: u64, m: u64, nonce: u64, probe: &P) -> Result<(u64, u64, u64)> {
    let (outbox, inbox) = sync_channel(128);
    let producers: Vec<_> = (0..p)
        .map(|i| {
            let (outbox, task_probe) = (outbox.clone(), probe.clone());
            start(i, move || producer(i, nonce + i + 1, m, &outbox, &task_probe), probe)
        })
        .collect();
    // The channel ends with its last sender.
    drop(outbox);
    let task_probe = probe.clone();
    let consumer = start(p, move || consumer(p, inbox, &task_probe), probe);
    let mut finished = 0;
    for (i, task) in (0..).zip(producers) {
        join(task)?;
        finished += 1;
        probe.event(Kind::Collect, i);
    }
    let (messages, checksum) = join(consumer);
    finished += 1;
    probe.event(Kind::Collect, p);
    Ok((finished, messages, checksum))
}

fn measure<P: Probe>(mut plan: Plan, probe: &P) -> Result<Iterations> {
    let (p, m) = (plan.param("p"), plan.param("m"));
    while plan.iterations.wanted() {
        let nonce = plan.nonce();
        let region = Region::start();
        let (finished, messages, checksum) = fan_in(p, m, nonce, probe)?;
        let elapsed = region.stop();
        let evidence =
            Evidence::default().with("finished", finished).with("messages", messages).with("checksum", checksum);
        plan.iterations.record(elapsed, messages, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("fan-in", Keys::numbers(&["p", "m"]), |plan| match plan.trace.clone() {
        None => measure(plan, &Off),
        Some(trace) => measure(plan, &trace),
    })
}
