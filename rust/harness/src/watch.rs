//! Who is running, for executors that give their tasks no name: the address in the waker of the task that is polled.

use std::{
    cell::Cell,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, Waker},
};

thread_local! {
    static RUNNING: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The identity of the watched task that runs on this thread; `None` for anything else.
#[must_use]
pub fn running() -> Option<String> {
    RUNNING.get().map(|unit| format!("{unit:#x}"))
}

/// Sets who runs for as long as it lives.
struct Turn(Option<usize>);

impl Turn {
    fn of(unit: Option<usize>) -> Self {
        Self(RUNNING.replace(unit))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        RUNNING.set(self.0);
    }
}

/// Keeps a waker of every task: while it lives, the task's memory is not given to another, and no identity is used twice.
pub(crate) type Wakers = Arc<Mutex<Vec<Waker>>>;

/// A task's future, which says who it is whenever it is polled, and when it is dropped.
pub struct Watched<T> {
    future: Option<Pin<Box<dyn Future<Output = T> + Send>>>,
    unit: Option<usize>,
    wakers: Wakers,
}

impl<T> Watched<T> {
    pub(crate) fn new(future: impl Future<Output = T> + Send + 'static, wakers: Wakers) -> Self {
        Self { future: Some(Box::pin(future)), unit: None, wakers }
    }
}

impl<T> Future for Watched<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let task = self.get_mut();
        if task.unit.is_none() {
            task.unit = Some(context.waker().data().addr());
            task.wakers.lock().unwrap_or_else(PoisonError::into_inner).push(context.waker().clone());
        }
        let _turn = Turn::of(task.unit);
        task.future.as_mut().expect("the future is there until the drop").as_mut().poll(context)
    }
}

impl<T> Drop for Watched<T> {
    fn drop(&mut self) {
        let _turn = Turn::of(self.unit);
        self.future = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{pin::pin, task::Wake};

    struct Task;

    impl Wake for Task {
        fn wake(self: Arc<Self>) {}
    }

    struct Seen(Arc<Mutex<Vec<Option<String>>>>);

    impl Drop for Seen {
        fn drop(&mut self) {
            self.0.lock().unwrap().push(running());
        }
    }

    #[test]
    fn a_task_is_known_when_polled_and_dropped() {
        let seen = Arc::default();
        let units: Vec<_> = [Arc::new(Task), Arc::new(Task)]
            .into_iter()
            .map(|task| {
                let waker = Waker::from(task);
                let guard = Seen(Arc::clone(&seen));
                let body = async move {
                    let guard = guard;
                    std::future::pending::<()>().await;
                    drop(guard);
                };
                let mut watched = pin!(Watched::new(body, Wakers::default()));
                assert!(watched.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
                format!("{:#x}", waker.data().addr())
            })
            .collect();
        let seen: Vec<_> = seen.lock().unwrap().iter().cloned().map(Option::unwrap).collect();
        assert_eq!(seen, units);
        assert_eq!(running(), None);
    }
}
