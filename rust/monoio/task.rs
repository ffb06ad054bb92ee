//! Tasks, which stay on their thread.

use monoio::task::JoinHandle;
use std::{
    pin::Pin,
    task::{Context, Poll},
};

/// A started task: awaiting it joins it, dropping it lets it run on.
pub struct Task<T>(JoinHandle<T>);

impl<T> Task<T> {
    /// Lets it run on by itself.
    pub fn detach(self) {}
}

impl<T> Future for Task<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        Pin::new(&mut self.0).poll(context)
    }
}

/// Starts a task.
pub fn spawn<T: 'static>(future: impl Future<Output = T> + 'static) -> Task<T> {
    Task(monoio::spawn(future))
}
