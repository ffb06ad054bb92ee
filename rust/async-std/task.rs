//! What the portable programs need of tasks and time.

use async_std::{future::timeout, task::JoinHandle};
use std::{
    pin::Pin,
    task::{Context, Poll},
    time::{Duration, Instant},
};

/// A started task: awaiting it joins it, dropping it lets it run on.
#[derive(Debug)]
pub struct Task<T>(JoinHandle<T>);

impl<T> Task<T> {
    /// Lets it run on by itself.
    pub fn detach(self) {}

    /// Has it dropped where it waits, and waits for that; returns its result if it came first.
    pub async fn cancel(self) -> Option<T> {
        self.0.cancel().await
    }
}

impl<T> Future for Task<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        Pin::new(&mut self.0).poll(context)
    }
}

/// Starts a task.
pub fn spawn<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> Task<T> {
    Task(async_std::task::spawn(future))
}

fn until(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// Sleeps until then.
pub async fn sleep_until(deadline: Instant) {
    async_std::task::sleep(until(deadline)).await;
}

/// What the future comes to, if it does so before the limit.
pub async fn before<T>(limit: Instant, future: impl Future<Output = T>) -> Option<T> {
    timeout(until(limit), future).await.ok()
}
