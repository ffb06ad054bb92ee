//! A single-threaded executor in safe Rust: the tasks that were woken stand in one queue, first in, first out.

use std::{
    cell::RefCell,
    collections::VecDeque,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    task::{Context, Poll, Wake, Waker},
};

thread_local! {
    static QUEUE: RefCell<VecDeque<Arc<dyn Turn>>> = const { RefCell::new(VecDeque::new()) };
}

/// A task without its type, as the queue knows it.
trait Turn: Send + Sync {
    fn take(self: Arc<Self>);
}

/// A mutex, because wakers may be sent to other threads; a waker that is used there wakes nobody here.
struct Job<T> {
    state: Mutex<State<T>>,
    queued: AtomicBool,
}

struct State<T> {
    future: Option<Pin<Box<dyn Future<Output = T> + Send>>>,
    cancelled: bool,
    ended: bool,
    result: Option<T>,
    joiner: Option<Waker>,
}

impl<T> Job<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Send + 'static> Wake for Job<T> {
    fn wake(self: Arc<Self>) {
        if !self.queued.swap(true, Relaxed) {
            QUEUE.with_borrow_mut(|queue| queue.push_back(self));
        }
    }
}

impl<T: Send + 'static> Turn for Job<T> {
    fn take(self: Arc<Self>) {
        self.queued.store(false, Relaxed);
        let mut state = self.state();
        let Some(mut future) = state.future.take() else { return };
        let cancelled = state.cancelled;
        // What the task does in its turn may look at its own state.
        drop(state);
        let result = if cancelled {
            None
        } else {
            match future.as_mut().poll(&mut Context::from_waker(&Waker::from(self.clone()))) {
                Poll::Pending => {
                    self.state().future = Some(future);
                    return;
                }
                Poll::Ready(result) => Some(result),
            }
        };
        drop(future);
        let mut state = self.state();
        state.ended = true;
        state.result = result;
        if let Some(joiner) = state.joiner.take() {
            joiner.wake();
        }
    }
}

/// A started task: awaiting it joins it, dropping it lets it run on.
pub struct Task<T>(Arc<Job<T>>);

impl<T: Send + 'static> Task<T> {
    /// Lets it run on by itself.
    pub fn detach(self) {}

    /// Has it dropped in its next turn, and waits for that; returns its result if it came first.
    pub async fn cancel(self) -> Option<T> {
        self.0.state().cancelled = true;
        self.0.clone().wake();
        std::future::poll_fn(|context| self.poll_end(context)).await
    }

    fn poll_end(&self, context: &Context<'_>) -> Poll<Option<T>> {
        let mut state = self.0.state();
        if state.ended {
            return Poll::Ready(state.result.take());
        }
        state.joiner = Some(context.waker().clone());
        Poll::Pending
    }
}

impl<T: Send + 'static> Future for Task<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        self.poll_end(context).map(|result| result.expect("a task has one result and is joined once"))
    }
}

/// Puts a new task at the end of the queue.
pub fn spawn<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> Task<T> {
    let state = State { future: Some(Box::pin(future)), cancelled: false, ended: false, result: None, joiner: None };
    let job = Arc::new(Job { state: Mutex::new(state), queued: AtomicBool::new(false) });
    job.clone().wake();
    Task(job)
}

/// Gives every task in the queue its turn until this one has ended.
///
/// # Panics
/// The queue is empty before: every task waits for another.
pub fn block_on<T: Send + 'static>(task: Task<T>) -> T {
    let mut task = std::pin::pin!(task);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(result) = task.as_mut().poll(&mut context) {
            return result;
        }
        QUEUE.with_borrow_mut(VecDeque::pop_front).expect("somebody can go on").take();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yield_now;

    #[test]
    fn tasks_take_turns() {
        let order = Arc::new(Mutex::new(Vec::new()));
        let root = spawn({
            let order = order.clone();
            async move {
                let tasks: Vec<_> = (0..3)
                    .map(|i| {
                        let order = order.clone();
                        spawn(async move {
                            for _ in 0..2 {
                                order.lock().unwrap().push(i);
                                yield_now().await;
                            }
                            i
                        })
                    })
                    .collect();
                let mut sum = 0;
                for task in tasks {
                    sum += task.await;
                }
                sum
            }
        });
        assert_eq!(block_on(root), 3);
        assert_eq!(*order.lock().unwrap(), [0, 1, 2, 0, 1, 2]);
    }

    #[test]
    fn a_cancelled_task_is_dropped_and_an_ended_one_has_its_result() {
        let kept = Arc::new(());
        let held = kept.clone();
        let root = spawn(async move {
            let parked = spawn(async move {
                std::future::pending::<()>().await;
                drop(held);
            });
            let ended = spawn(async { 7 });
            yield_now().await;
            (parked.cancel().await, ended.cancel().await)
        });
        assert_eq!(block_on(root), (None, Some(7)));
        assert_eq!(Arc::strong_count(&kept), 1);
    }

    #[test]
    #[should_panic(expected = "somebody can go on")]
    fn waiting_for_nothing_is_no_silent_end() {
        block_on(spawn(std::future::pending::<()>()));
    }
}
