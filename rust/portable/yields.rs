//! A yield that every executor understands.

use std::{future::poll_fn, task::Poll};

/// Wakes itself, which puts it at the end of those that can go on.
pub async fn yield_now() {
    let mut woken = false;
    poll_fn(|context| {
        if woken {
            return Poll::Ready(());
        }
        woken = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
