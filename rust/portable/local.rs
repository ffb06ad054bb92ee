//! How programs start tasks that stay on their thread, on whatever `spawn` is here, and who of them is running.

use crate::{Task, spawn};
use corobench_harness::Probe;
use std::{
    cell::Cell,
    mem,
    pin::Pin,
    task::{Context, Poll},
};

/// Starts task `i`. Not by the harness's watch, which takes only what may be sent to other threads.
pub fn start<T: 'static, P: Probe>(i: u64, task: impl Future<Output = T> + 'static, probe: &P) -> Task<T> {
    probe.start(i, || if P::TIMED { spawn(task) } else { spawn(Watched { task: Some(Box::pin(task)), unit: None }) })
}

thread_local! {
    static RUNNING: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The task that is polled, known by the address in its waker.
pub(crate) fn running() -> Option<String> {
    RUNNING.get().map(|unit| format!("{unit:#x}"))
}

/// A task's future, which says who it is whenever it is polled, and when it is dropped where it waits.
struct Watched<T> {
    task: Option<Pin<Box<dyn Future<Output = T>>>>,
    unit: Option<usize>,
}

impl<T> Future for Watched<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        if self.unit.is_none() {
            self.unit = Some(context.waker().data().addr());
            // As long as there is a waker, the task's memory is not given to another, and no identity is used twice.
            mem::forget(context.waker().clone());
        }
        let before = RUNNING.replace(Some(context.waker().data().addr()));
        let result = self.task.as_mut().expect("it is polled until it ends").as_mut().poll(context);
        RUNNING.set(before);
        result
    }
}

impl<T> Drop for Watched<T> {
    fn drop(&mut self) {
        let before = RUNNING.replace(self.unit);
        self.task = None;
        RUNNING.set(before);
    }
}
