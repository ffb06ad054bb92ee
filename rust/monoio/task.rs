//! Tasks, which stay on their thread, and who of them is running.

use corobench_harness::{Off, Probe};
use monoio::task::JoinHandle;
use std::{
    any::TypeId,
    cell::Cell,
    mem,
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

/// Starts task `i`. Not by the harness's watch, which takes only what may be sent to other threads.
pub fn start<T: 'static, P: Probe>(i: u64, task: impl Future<Output = T> + 'static, probe: &P) -> Task<T> {
    let is_timed = TypeId::of::<P>() == TypeId::of::<Off>();
    probe.start(i, || if is_timed { spawn(task) } else { spawn(Watched { task: Box::pin(task), is_new: true }) })
}

thread_local! {
    static RUNNING: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The task that is polled, known by the address in its waker.
pub(crate) fn running() -> Option<String> {
    RUNNING.get().map(|unit| format!("{unit:#x}"))
}

/// A task's future, which says who it is whenever it is polled.
struct Watched<F> {
    task: Pin<Box<F>>,
    is_new: bool,
}

impl<F: Future> Future for Watched<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        if mem::take(&mut self.is_new) {
            // As long as there is a waker, the task's memory is not given to another, and no identity is used twice.
            mem::forget(context.waker().clone());
        }
        RUNNING.set(Some(context.waker().data().addr()));
        let result = self.task.as_mut().poll(context);
        RUNNING.set(None);
        result
    }
}
