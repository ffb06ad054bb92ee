//! Two tasks pass a token back and forth over two channels that hold one message each.

use corobench_harness::{Elapsed, Evidence, Iterations, Kind, Off, Plan, Probe, Region, Result};
use corobench_tokio::{drive, program};
use std::process::ExitCode;
use tokio::{
    sync::mpsc::{Receiver, Sender, channel},
    task::JoinHandle,
};

/// What a task leaves behind: how many tokens it received, and its inbox, in which the last token may lie.
type Outcome = Result<(u64, Receiver<u64>)>;

async fn task<P: Probe>(i: u64, m: u64, mut inbox: Receiver<u64>, partner: Sender<u64>, probe: P) -> Outcome {
    let mut received = 0;
    for _ in 0..m {
        let token = inbox.recv().await.ok_or("the partner is gone")?;
        probe.event(Kind::Run, i);
        received += 1;
        partner.send(token + 1).await?;
    }
    probe.event(Kind::Done, i);
    Ok((received, inbox))
}

fn start<P: Probe>(i: u64, m: u64, inbox: Receiver<u64>, partner: Sender<u64>, probe: &P) -> JoinHandle<Outcome> {
    probe.event(Kind::Spawn, i);
    let handle = tokio::spawn(task(i, m, inbox, partner, probe.clone()));
    probe.event(Kind::Spawned, i);
    handle
}

async fn hand_off<P: Probe>(m: u64, probe: &P) -> Result<(Elapsed, u64, Evidence)> {
    let (to_first, first_inbox) = channel(1);
    let (to_second, second_inbox) = channel(1);
    let first = start(0, m, first_inbox, to_second, probe);
    let second = start(1, m, second_inbox, to_first.clone(), probe);

    let region = Region::start();
    to_first.send(0).await?;
    drop(to_first);
    let (mut finished, mut messages) = (0, 0);
    let mut inboxes = Vec::with_capacity(2);
    for (i, handle) in (0..).zip([first, second]) {
        let (received, inbox) = handle.await??;
        finished += 1;
        messages += received;
        inboxes.push(inbox);
        probe.event(Kind::Collect, i);
    }
    let elapsed = region.stop();

    let token = inboxes[0].try_recv()?;
    let evidence = Evidence::default().with("finished", finished).with("messages", messages).with("checksum", token);
    Ok((elapsed, messages, evidence))
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let m = plan.param("m");
    while plan.iterations.wanted() {
        let (elapsed, messages, evidence) = hand_off(m, &probe).await?;
        plan.iterations.record(elapsed, messages, evidence);
    }
    Ok(plan.iterations)
}

fn main() -> ExitCode {
    program("hand-off", &["m"], &[], |case| match case.plan.trace.clone() {
        None => drive(&case.runtime, measure(case.plan, Off)),
        Some(trace) => drive(&case.runtime, measure(case.plan, trace)),
    })
}
