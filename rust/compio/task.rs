//! Tasks, which stay on their thread.

use compio::runtime::JoinHandle;
use std::{
    panic::resume_unwind,
    pin::Pin,
    task::{Context, Poll},
};

/// A started task: awaiting it joins it, dropping it cancels it.
#[derive(Debug)]
pub struct Task<T>(JoinHandle<T>);

impl<T> Task<T> {
    /// Lets it run on by itself.
    pub fn detach(self) {
        self.0.detach();
    }

    /// Has it dropped where it waits, and waits for that; returns its result if it came first.
    pub async fn cancel(self) -> Option<T> {
        Some(self.0.cancel().await?.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

impl<T> Future for Task<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        Pin::new(&mut self.0).poll(context).map(|ended| ended.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

/// Starts a task.
pub fn spawn<T: 'static>(future: impl Future<Output = T> + 'static) -> Task<T> {
    Task(compio::runtime::spawn(future))
}
