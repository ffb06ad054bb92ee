//! A token that travels a ring of tasks over channels; hand-off is the ring of two.

use crate::{
    gate::Arrivals,
    link::{Failure, Inbox, Outbox},
    start, start_by,
};
use corobench_harness::{Elapsed, Evidence, Iterations, Kind, Plan, Probe, Region};
use std::sync::Arc;
use tokio::{
    sync::mpsc::{Receiver, Sender, channel, error::SendError},
    task::spawn_local,
};

/// A channel that holds one message.
impl Outbox for Sender<u64> {
    type Inbox = Receiver<u64>;
    type Error = SendError<u64>;

    fn pair() -> (Self, Self::Inbox) {
        channel(1)
    }

    fn put(&mut self, token: u64) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.send(token)
    }
}

impl Inbox for Receiver<u64> {
    type Error = &'static str;

    #[inline]
    async fn take(&mut self) -> Result<u64, Self::Error> {
        self.recv().await.ok_or("the task before is gone")
    }

    fn left(&mut self) -> Result<u64, Failure> {
        Ok(self.try_recv()?)
    }
}

/// What a task leaves behind: how many tokens it received, and its inbox, in which the last token may lie.
type Outcome<I> = Result<(u64, I), Failure>;

async fn task<O: Outbox, P: Probe>(
    i: u64,
    rounds: u64,
    mut inbox: O::Inbox,
    mut next: O,
    waiting: Arc<Arrivals>,
    probe: P,
) -> Outcome<O::Inbox> {
    let mut received = 0;
    waiting.arrive();
    for _ in 0..rounds {
        let token = inbox.take().await.map_err(Into::<Failure>::into)?;
        probe.event(Kind::Run, i);
        received += 1;
        next.put(token + 1).await.map_err(Into::<Failure>::into)?;
    }
    probe.event(Kind::Done, i);
    Ok((received, inbox))
}

async fn pass<O: Outbox, P: Probe>(
    k: u64,
    rounds: u64,
    local: bool,
    probe: &P,
) -> Result<(Elapsed, u64, Evidence), Failure> {
    let (mut outboxes, inboxes): (Vec<O>, Vec<_>) = (0..k).map(|_| O::pair()).unzip();
    let mut to_first = outboxes[0].clone();
    // Task i sends to task i + 1, the last to the first.
    outboxes.rotate_left(1);
    let waiting = Arc::new(Arrivals::new(k));
    let handles: Vec<_> = (0..)
        .zip(inboxes.into_iter().zip(outboxes))
        .map(|(i, (inbox, next))| {
            let task = task(i, rounds, inbox, next, waiting.clone(), probe.clone());
            if local { start_by(spawn_local, i, task, probe) } else { start(i, task, probe) }
        })
        .collect();
    // A task that has not run yet would find the token on its way, and the hop would wake nobody.
    waiting.all().await;

    let mut inboxes = Vec::with_capacity(handles.len());
    let region = Region::start();
    to_first.put(0).await.map_err(Into::<Failure>::into)?;
    drop(to_first);
    let (mut finished, mut messages) = (0, 0);
    for (i, handle) in (0..).zip(handles) {
        let (received, inbox) = handle.await??;
        finished += 1;
        messages += received;
        inboxes.push(inbox);
        probe.event(Kind::Collect, i);
    }
    let elapsed = region.stop();

    // The last task's last send: only the root reads the first task's inbox now.
    let token = inboxes[0].left()?;
    let evidence = Evidence::default().with("finished", finished).with("messages", messages).with("checksum", token);
    Ok((elapsed, messages, evidence))
}

/// Sends a token `rounds` times around a ring of `k` tasks, over channels of the kind `O`; `local` tasks need a `LocalSet` around this.
///
/// # Errors
/// A task panics, or ends early.
pub async fn measure<O: Outbox, P: Probe>(
    mut plan: Plan,
    k: u64,
    rounds: u64,
    local: bool,
    probe: P,
) -> Result<Iterations, Failure> {
    while plan.iterations.wanted() {
        let (elapsed, messages, evidence) = pass::<O, P>(k, rounds, local, &probe).await?;
        plan.iterations.record(elapsed, messages, evidence);
    }
    Ok(plan.iterations)
}
