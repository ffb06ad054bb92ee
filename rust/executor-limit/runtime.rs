//! What the shared programs need of a runtime: the minimal executor's queue, with tasks by the crate async-task in it.

#[path = "../portable/start.rs"]
mod start;
#[path = "../portable/yields.rs"]
mod yields;

pub use async_task::Task;
pub use start::{drive, start};
pub use yields::yield_now;

use async_task::Runnable;
use corobench_harness::{Hello, Iterations, Keys, Plan, Result, running};
use serde_json::{Map, Value, json};
use std::{
    cell::RefCell,
    collections::VecDeque,
    pin::pin,
    process::ExitCode,
    task::{Context, Poll, Waker},
};

thread_local! {
    static QUEUE: RefCell<VecDeque<Runnable>> = const { RefCell::new(VecDeque::new()) };
}

/// The whole of a workload's program: `measure` iterates, everything around it is here.
pub fn program(workload: &str, keys: Keys<'_>, measure: fn(Plan) -> Result<Iterations>) -> ExitCode {
    corobench_harness::program(keys, running, |params| Ok(hello(workload, params)), measure)
}

/// Who this is.
#[must_use]
pub fn hello(workload: &str, params: Map<String, Value>) -> Hello<'_> {
    Hello {
        version: env!("COROBENCH_VERSION"),
        language_version: env!("COROBENCH_RUSTC"),
        workload,
        params,
        settings: json!({}),
    }
}

/// Puts a new task at the end of the queue.
pub fn spawn<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> Task<T> {
    let (runnable, task) = async_task::spawn(future, |woken| QUEUE.with_borrow_mut(|queue| queue.push_back(woken)));
    runnable.schedule();
    task
}

/// Gives every task in the queue its turn until this one has ended. Not for use in a task.
///
/// # Panics
/// The queue is empty before: every task waits for another.
pub fn block_on<T>(task: Task<T>) -> T {
    let mut task = pin!(task);
    loop {
        if let Poll::Ready(result) = task.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return result;
        }
        while !task.is_finished() {
            QUEUE.with_borrow_mut(VecDeque::pop_front).expect("somebody can go on").run();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_take_turns_in_the_order_of_their_starts() {
        let (told, heard) = std::sync::mpsc::channel();
        let root = spawn(async move {
            let tasks: Vec<_> = (0..3)
                .map(|i| {
                    let told = told.clone();
                    spawn(async move {
                        for _ in 0..2 {
                            told.send(i).unwrap();
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
        });
        assert_eq!(block_on(root), 3);
        assert_eq!(heard.iter().collect::<Vec<_>>(), [0, 1, 2, 0, 1, 2]);
    }

    #[test]
    #[should_panic(expected = "somebody can go on")]
    fn waiting_for_nothing_is_no_silent_end() {
        block_on(spawn(std::future::pending::<()>()));
    }
}
