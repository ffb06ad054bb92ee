//! A token that travels a ring of futures over channels; hand-off is the ring of two.

use crate::{
    join_all,
    link::{Failure, Inbox, Outbox},
    run_until_waiting, start_all,
};
use corobench_harness::{Elapsed, Evidence, Iterations, Kind, Plan, Probe, Region};
use futures::{
    SinkExt, StreamExt,
    channel::mpsc::{Receiver, SendError, Sender, channel},
};

/// A channel with room for one message, and for one more of each sender.
impl Outbox for Sender<u64> {
    type Inbox = Receiver<u64>;
    type Error = SendError;

    fn pair() -> (Self, Self::Inbox) {
        channel(1)
    }

    fn put(&mut self, token: u64) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.feed(token)
    }
}

impl Inbox for Receiver<u64> {
    type Error = &'static str;

    #[inline]
    async fn take(&mut self) -> Result<u64, Self::Error> {
        self.next().await.ok_or("the future before is gone")
    }

    fn left(&mut self) -> Result<u64, Failure> {
        Ok(self.try_recv()?)
    }
}

/// What a future leaves behind: how many tokens it received, and its inbox, in which the last token may lie.
type Outcome<I> = Result<(u64, I), Failure>;

async fn hop<O: Outbox, P: Probe>(
    rounds: u64,
    i: u64,
    mut inbox: O::Inbox,
    mut next: O,
    probe: P,
) -> (u64, Outcome<O::Inbox>) {
    let mut received = 0;
    for _ in 0..rounds {
        let token = match inbox.take().await {
            Ok(token) => token,
            Err(error) => return (i, Err(error.into())),
        };
        probe.event(Kind::Run, i);
        received += 1;
        if let Err(error) = next.put(token + 1).await {
            return (i, Err(error.into()));
        }
    }
    probe.event(Kind::Done, i);
    (i, Ok((received, inbox)))
}

async fn pass<O: Outbox, P: Probe>(k: u64, rounds: u64, probe: &P) -> Result<(Elapsed, u64, Evidence), Failure> {
    let (mut outboxes, inboxes): (Vec<O>, Vec<_>) = (0..k).map(|_| O::pair()).unzip();
    let mut to_first = outboxes[0].clone();
    // Future i sends to future i + 1, the last to the first.
    outboxes.rotate_left(1);
    let hops = (0..).zip(inboxes).zip(outboxes);
    let mut set = start_all(hops.map(|((i, inbox), next)| hop(rounds, i, inbox, next, probe.clone())), probe);
    // One that has not run yet would find the token on its way, and the hop would wake nobody.
    run_until_waiting(&mut set).await?;

    let mut outcomes = Vec::with_capacity(set.len());
    let region = Region::start();
    to_first.put(0).await.map_err(Into::<Failure>::into)?;
    drop(to_first);
    let finished = join_all(set, probe, |outcome| outcomes.push(outcome)).await;
    let elapsed = region.stop();

    let (mut messages, mut token) = (0, None);
    for outcome in outcomes {
        let (received, mut inbox) = outcome?;
        messages += received;
        // The last one's last send lies where nobody reads any more.
        token = token.or(inbox.left().ok());
    }
    let token = token.ok_or("the token is lost")?;
    let evidence = Evidence::default().with("finished", finished).with("messages", messages).with("checksum", token);
    Ok((elapsed, messages, evidence))
}

/// Sends a token `rounds` times around a ring of `k` futures, over channels of the kind `O`.
///
/// # Errors
/// A future ends early.
pub async fn measure<O: Outbox, P: Probe>(
    mut plan: Plan,
    k: u64,
    rounds: u64,
    probe: P,
) -> Result<Iterations, Failure> {
    while plan.iterations.wanted() {
        let (elapsed, messages, evidence) = pass::<O, P>(k, rounds, &probe).await?;
        plan.iterations.record(elapsed, messages, evidence);
    }
    Ok(plan.iterations)
}
