//! A token that travels a ring of futures over channels; hand-off is the ring of two.

use crate::{join_all, run_until_waiting, start_all};
use corobench_harness::{Elapsed, Evidence, Iterations, Kind, Plan, Probe, Region, Result};
use futures::{
    SinkExt, StreamExt,
    channel::mpsc::{Receiver, Sender, channel},
};

/// What a future leaves behind: how many tokens it received, and its inbox, in which the last token may lie.
type Outcome = Result<(u64, Receiver<u64>)>;

async fn hop<P: Probe>(
    rounds: u64,
    i: u64,
    mut inbox: Receiver<u64>,
    mut next: Sender<u64>,
    probe: P,
) -> (u64, Outcome) {
    let mut received = 0;
    for _ in 0..rounds {
        let Some(token) = inbox.next().await else { return (i, Err("the future before is gone".into())) };
        probe.event(Kind::Run, i);
        received += 1;
        if let Err(error) = next.feed(token + 1).await {
            return (i, Err(error.into()));
        }
    }
    probe.event(Kind::Done, i);
    (i, Ok((received, inbox)))
}

async fn pass<P: Probe>(k: u64, rounds: u64, first_token: u64, probe: &P) -> Result<(Elapsed, u64, Evidence)> {
    // Room for one message, and for one more of each sender.
    let (mut outboxes, inboxes): (Vec<_>, Vec<_>) = (0..k).map(|_| channel(1)).unzip();
    let mut to_first = outboxes[0].clone();
    // Future i sends to future i + 1, the last to the first.
    outboxes.rotate_left(1);
    let hops = (0..).zip(inboxes).zip(outboxes);
    let mut set = start_all(hops.map(|((i, inbox), next)| hop(rounds, i, inbox, next, probe.clone())), probe);
    // One that has not run yet would find the token on its way, and the hop would wake nobody.
    run_until_waiting(&mut set).await?;

    let mut outcomes = Vec::with_capacity(set.len());
    let region = Region::start();
    to_first.feed(first_token).await?;
    drop(to_first);
    let finished = join_all(set, probe, |outcome| outcomes.push(outcome)).await;
    let elapsed = region.stop();

    let (mut messages, mut token) = (0, None);
    for outcome in outcomes {
        let (received, mut inbox) = outcome?;
        messages += received;
        // The last one's last send lies where nobody reads any more.
        token = token.or(inbox.try_recv().ok());
    }
    let token = token.ok_or("the token is lost")?;
    let evidence = Evidence::default().with("finished", finished).with("messages", messages).with("checksum", token);
    Ok((elapsed, messages, evidence))
}

/// Sends a token `rounds` times around a ring of `k` futures.
///
/// # Errors
/// A future ends early.
pub async fn measure<P: Probe>(mut plan: Plan, k: u64, rounds: u64, probe: P) -> Result<Iterations> {
    while plan.iterations.wanted() {
        let (elapsed, messages, evidence) = pass(k, rounds, plan.nonce(), &probe).await?;
        plan.iterations.record(elapsed, messages, evidence);
    }
    Ok(plan.iterations)
}
