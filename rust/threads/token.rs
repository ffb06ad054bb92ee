//! A token that travels a ring of tasks over channels; hand-off is the ring of two.

use crate::{gate::Arrivals, join, start};
use corobench_harness::{Elapsed, Evidence, Iterations, Kind, Plan, Probe, Region, Result};
use std::sync::{
    Arc,
    mpsc::{Receiver, SyncSender, sync_channel},
};

/// Where a task's tokens come from.
pub trait Inbox: Send + 'static {
    /// Waits for a token.
    ///
    /// # Errors
    /// Nobody is left to send one.
    fn take(&self) -> Result<u64>;
    /// The one that lies there.
    ///
    /// # Errors
    /// None does.
    fn left(&self) -> Result<u64>;
}

/// The other end of a channel.
pub trait Outbox: Clone + Send + 'static {
    /// Where what is put comes out.
    type Inbox: Inbox;
    /// A channel.
    fn pair() -> (Self, Self::Inbox);
    /// Sends a token on.
    ///
    /// # Errors
    /// There is nobody to receive it, or no room.
    fn put(&self, token: u64) -> Result;
}

/// A channel that holds one message.
impl Outbox for SyncSender<u64> {
    type Inbox = Receiver<u64>;

    fn pair() -> (Self, Self::Inbox) {
        sync_channel(1)
    }

    fn put(&self, token: u64) -> Result {
        Ok(self.send(token)?)
    }
}

impl Inbox for Receiver<u64> {
    fn take(&self) -> Result<u64> {
        Ok(self.recv()?)
    }

    fn left(&self) -> Result<u64> {
        Ok(self.try_recv()?)
    }
}

/// What a task leaves behind: how many tokens it received, and its inbox, in which the last token may lie.
type Outcome<I> = Result<(u64, I)>;

fn task<O: Outbox, P: Probe>(
    i: u64,
    rounds: u64,
    inbox: O::Inbox,
    next: &O,
    waiting: &Arrivals,
    probe: &P,
) -> Outcome<O::Inbox> {
    let mut received = 0;
    waiting.arrive();
    for _ in 0..rounds {
        let token = inbox.take()?;
        probe.event(Kind::Run, i);
        received += 1;
        next.put(token + 1)?;
    }
    probe.event(Kind::Done, i);
    Ok((received, inbox))
}

fn pass<O: Outbox, P: Probe>(k: u64, rounds: u64, probe: &P) -> Result<(Elapsed, u64, Evidence)> {
    let (mut outboxes, inboxes): (Vec<O>, Vec<_>) = (0..k).map(|_| O::pair()).unzip();
    let to_first = outboxes[0].clone();
    // Task i sends to task i + 1, the last to the first.
    outboxes.rotate_left(1);
    let waiting = Arc::new(Arrivals::new(k));
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
    to_first.put(0)?;
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
    let token = inboxes[0].left()?;
    let evidence = Evidence::default().with("finished", finished).with("messages", messages).with("checksum", token);
    Ok((elapsed, messages, evidence))
}

/// Sends a token `rounds` times around a ring of `k` tasks, over channels of the kind `O`.
///
/// # Errors
/// A task ends early.
pub fn measure<O: Outbox, P: Probe>(mut plan: Plan, k: u64, rounds: u64, probe: &P) -> Result<Iterations> {
    while plan.iterations.wanted() {
        let (elapsed, messages, evidence) = pass::<O, P>(k, rounds, probe)?;
        plan.iterations.record(elapsed, messages, evidence);
    }
    Ok(plan.iterations)
}
