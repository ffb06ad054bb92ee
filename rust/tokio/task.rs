//! What the portable programs need of tasks and time.

use corobench_harness::Probe;
use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Instant,
};
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    task::JoinHandle,
    time::timeout_at,
};

/// A started task: awaiting it joins it, dropping it lets it run on.
#[derive(Debug)]
pub struct Task<T>(JoinHandle<T>);

impl<T> Task<T> {
    /// Lets it run on by itself.
    pub fn detach(self) {}

    /// Has it dropped where it waits, and waits for that; returns its result if it came first.
    pub async fn cancel(self) -> Option<T> {
        self.0.abort();
        self.0.await.ok()
    }
}

impl<T> Future for Task<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        // A panic in a task ends the process before its handle hears of it.
        Pin::new(&mut self.0).poll(context).map(|result| result.expect("a task that is joined was not aborted"))
    }
}

/// Starts a task.
pub fn spawn<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> Task<T> {
    Task(tokio::spawn(future))
}

/// Starts task `i`.
pub fn start<T: Send + 'static, P: Probe>(
    i: u64,
    task: impl Future<Output = T> + Send + 'static,
    probe: &P,
) -> Task<T> {
    probe.start(i, || spawn(task))
}

/// Waits for one of the permits; it is given back when it is dropped.
///
/// # Panics
/// The semaphore was closed, which no program does.
pub async fn permit(semaphore: &Semaphore) -> SemaphorePermit<'_> {
    semaphore.acquire().await.expect("the semaphore is open")
}

/// Sleeps until then.
pub async fn sleep_until(deadline: Instant) {
    tokio::time::sleep_until(deadline.into()).await;
}

/// What the future comes to, if it does so before the limit.
pub async fn before<T>(limit: Instant, future: impl Future<Output = T>) -> Option<T> {
    timeout_at(limit.into(), future).await.ok()
}
