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

/// Mutexes, because wakers may be sent to other threads; a waker that is used there wakes nobody here.
struct Job<T> {
    /// Locked for as long as the task has its turn; there is none once it has ended.
    future: Mutex<Option<Pin<Box<dyn Future<Output = T> + Send>>>>,
    end: Mutex<End<T>>,
    queued: AtomicBool,
    cancelled: AtomicBool,
    ended: AtomicBool,
}

struct End<T> {
    result: Option<T>,
    joiner: Option<Waker>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Job<T> {
    /// What the task's turn came to: its result, none where it was cancelled, or that it goes on. Its future is gone when it has ended.
    fn turn(&self, waker: &Waker) -> Poll<Option<T>> {
        let mut future = lock(&self.future);
        let Some(running) = future.as_mut() else { return Poll::Pending };
        let result = if self.cancelled.load(Relaxed) {
            None
        } else {
            match running.as_mut().poll(&mut Context::from_waker(waker)) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(result) => Some(result),
            }
        };
        *future = None;
        Poll::Ready(result)
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
        let Poll::Ready(result) = self.turn(&Waker::from(self.clone())) else { return };
        let mut end = lock(&self.end);
        end.result = result;
        self.ended.store(true, Relaxed);
        if let Some(joiner) = end.joiner.take() {
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
        self.0.cancelled.store(true, Relaxed);
        self.0.clone().wake();
        std::future::poll_fn(|context| self.poll_end(context)).await
    }

    fn poll_end(&self, context: &Context<'_>) -> Poll<Option<T>> {
        let mut end = lock(&self.0.end);
        if self.0.ended.load(Relaxed) {
            return Poll::Ready(end.result.take());
        }
        end.joiner = Some(context.waker().clone());
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
    let job = Arc::new(Job {
        future: Mutex::new(Some(Box::pin(future))),
        end: Mutex::new(End { result: None, joiner: None }),
        queued: AtomicBool::new(false),
        cancelled: AtomicBool::new(false),
        ended: AtomicBool::new(false),
    });
    job.clone().wake();
    Task(job)
}

/// Gives every task in the queue its turn until this one has ended. Not for use in a task.
///
/// # Panics
/// The queue is empty before: every task waits for another.
pub fn block_on<T: Send + 'static>(task: Task<T>) -> T {
    let Task(job) = task;
    while !job.ended.load(Relaxed) {
        QUEUE.with_borrow_mut(VecDeque::pop_front).expect("somebody can go on").take();
    }
    lock(&job.end).result.take().expect("a task has one result and is joined once")
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
