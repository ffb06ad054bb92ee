//! A plain thread and a task pass a token to each other: the thread by a blocking send, the task by a channel of the standard library.

use corobench_harness::{Elapsed, Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use runtime::{drive, gate::Latch, program};
use std::{
    process::ExitCode,
    sync::{
        Arc,
        mpsc::{self, RecvError},
    },
    thread::{self, ThreadId},
};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Number 0. Returns how many tokens it received, its inbox, in which the last one lies in the end, and who it is.
fn in_thread<P: Probe>(
    inbox: mpsc::Receiver<u64>,
    to_task: &Sender<u64>,
    m: u64,
    waiting: &Latch,
    probe: &P,
) -> Result<(u64, mpsc::Receiver<u64>, ThreadId)> {
    let mut received = 0;
    waiting.arrive();
    for _ in 0..m {
        let token = inbox.recv()?;
        probe.event(Kind::Run, 0);
        received += 1;
        to_task.blocking_send(token + 1)?;
    }
    probe.event(Kind::Done, 0);
    Ok((received, inbox, thread::current().id()))
}

/// Number 1. Returns how many tokens it received, and the thread that it ended on.
async fn in_task<P: Probe>(
    mut inbox: Receiver<u64>,
    to_thread: mpsc::Sender<u64>,
    m: u64,
    waiting: Arc<Latch>,
    probe: P,
) -> Result<(u64, ThreadId)> {
    let mut received = 0;
    waiting.arrive();
    for _ in 0..m {
        let token = inbox.recv().await.ok_or(RecvError)?;
        probe.event(Kind::Run, 1);
        received += 1;
        to_thread.send(token + 1)?;
    }
    probe.event(Kind::Done, 1);
    Ok((received, thread::current().id()))
}

async fn pass<P: Probe>(m: u64, first_token: u64, probe: &P) -> Result<(Elapsed, u64, Evidence)> {
    let (to_task, task_inbox) = channel(1);
    let (to_thread, thread_inbox) = mpsc::channel();
    let waiting = Arc::new(Latch::new(2));
    let of_thread = (waiting.clone(), probe.clone());
    let body = move || in_thread(thread_inbox, &to_task, m, &of_thread.0, &of_thread.1);
    let thread = probe.start(0, || thread::Builder::new().name("thread".into()).spawn(body))?;
    let task = in_task(task_inbox, to_thread.clone(), m, waiting.clone(), probe.clone());
    let task = probe.start(1, || tokio::spawn(task));
    waiting.all().await;

    let region = Region::start();
    to_thread.send(first_token)?;
    let mut finished = 0;
    let (by_task, thread_of_task) = task.await??;
    finished += 1;
    probe.event(Kind::Collect, 1);
    // It has sent its last token before the task could end.
    let (by_thread, inbox, own) = thread.join().map_err(|_| "the thread panicked")??;
    finished += 1;
    probe.event(Kind::Collect, 0);
    let elapsed = region.stop();

    let evidence = Evidence::default()
        .with("finished", finished)
        .with("messages", by_thread + by_task)
        .with("threads", 1 + u64::from(own != thread_of_task))
        .with("checksum", inbox.try_recv()?);
    Ok((elapsed, by_task, evidence))
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let m = plan.param("m");
    while plan.iterations.wanted() {
        let (elapsed, round_trips, evidence) = pass(m, plan.nonce(), &probe).await?;
        plan.iterations.record(elapsed, round_trips, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("wake-thread", Keys::numbers(&["m"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
