//! Two futures pass a token back and forth over two mailboxes, each a place for one token and its one reader.

use corobench_futures::{drive, join_all, mailbox::Mailbox, program, run_until_waiting, start_all};
use corobench_harness::{Elapsed, Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use std::process::ExitCode;

/// Takes a token `m` times and puts it into the other's mailbox; returns its number, and how many it took.
async fn player<P: Probe>(i: u64, m: u64, own: Mailbox, other: Mailbox, probe: P) -> (u64, Result<u64>) {
    let mut received = 0;
    for _ in 0..m {
        let token = match own.take().await {
            Ok(token) => token,
            Err(error) => return (i, Err(error.into())),
        };
        probe.event(Kind::Run, i);
        received += 1;
        if let Err(error) = other.put(token + 1) {
            return (i, Err(error.into()));
        }
    }
    probe.event(Kind::Done, i);
    (i, Ok(received))
}

async fn hand_off<P: Probe>(m: u64, first_token: u64, probe: &P) -> Result<(Elapsed, u64, Evidence)> {
    let (first, second) = (Mailbox::default(), Mailbox::default());
    let players = (0..).zip([(first.clone(), second.clone()), (second, first.clone())]);
    let mut set = start_all(players.map(|(i, (own, other))| player(i, m, own, other, probe.clone())), probe);
    // A player that has not run yet would find the token on its way, and the hand-off would wake nobody.
    run_until_waiting(&mut set).await?;

    let mut outcomes = Vec::with_capacity(set.len());
    let region = Region::start();
    first.put(first_token)?;
    let finished = join_all(set, probe, |outcome| outcomes.push(outcome)).await;
    let elapsed = region.stop();

    let messages = outcomes.into_iter().sum::<Result<u64>>()?;
    let token = first.left().ok_or("the token is lost")?;
    let evidence = Evidence::default().with("finished", finished).with("messages", messages).with("checksum", token);
    Ok((elapsed, messages, evidence))
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let m = plan.param("m");
    while plan.iterations.wanted() {
        let (elapsed, messages, evidence) = hand_off(m, plan.nonce(), &probe).await?;
        plan.iterations.record(elapsed, messages, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("hand-off", Keys::numbers(&["m"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
