//! A channel by the standard library alone: room for one token, and for the waker of the one who waits for it.

use crate::link::{Failure, Inbox, Outbox};
use std::{
    convert::Infallible,
    future::{poll_fn, ready},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Poll, Waker},
};

#[derive(Default)]
struct Room {
    token: Option<u64>,
    reader: Option<Waker>,
}

/// Both ends of it. There is one reader, who is not told when nobody is left to send.
#[derive(Clone, Default)]
pub struct Mailbox(Arc<Mutex<Room>>);

impl Mailbox {
    #[inline]
    fn room(&self) -> MutexGuard<'_, Room> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn fill(&self, token: u64) -> Result<(), &'static str> {
        let mut room = self.room();
        if room.token.replace(token).is_some() {
            return Err("a token lies in the mailbox already");
        }
        let reader = room.reader.take();
        // Free again before anybody comes to look.
        drop(room);
        if let Some(reader) = reader {
            reader.wake();
        }
        Ok(())
    }
}

impl Outbox for Mailbox {
    type Inbox = Self;
    type Error = &'static str;

    fn pair() -> (Self, Self) {
        let mailbox = Self::default();
        (mailbox.clone(), mailbox)
    }

    #[inline]
    fn put(&mut self, token: u64) -> impl Future<Output = Result<(), &'static str>> + Send {
        ready(self.fill(token))
    }
}

impl Inbox for Mailbox {
    type Error = Infallible;

    #[inline]
    fn take(&mut self) -> impl Future<Output = Result<u64, Infallible>> + Send {
        poll_fn(|context| {
            let mut room = self.room();
            let Some(token) = room.token.take() else {
                room.reader = Some(context.waker().clone());
                return Poll::Pending;
            };
            Poll::Ready(Ok(token))
        })
    }

    fn left(&mut self) -> Result<u64, Failure> {
        self.room().token.take().ok_or_else(|| "no token is left".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        pin::pin,
        sync::atomic::{AtomicBool, Ordering::Relaxed},
        task::{Context, Wake},
    };

    struct Woken(AtomicBool);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.store(true, Relaxed);
        }
    }

    #[test]
    fn a_token_wakes_whoever_waits_for_it() {
        let (outbox, mut inbox) = Mailbox::pair();
        let woken = Arc::new(Woken(AtomicBool::new(false)));
        let waker = Waker::from(woken.clone());
        let mut context = Context::from_waker(&waker);
        let mut taking = pin!(inbox.take());
        assert!(taking.as_mut().poll(&mut context).is_pending());
        outbox.fill(7).unwrap();
        assert!(woken.0.load(Relaxed));
        assert!(matches!(taking.poll(&mut context), Poll::Ready(Ok(7))));
    }

    #[test]
    fn there_is_room_for_one() {
        let (outbox, mut inbox) = Mailbox::pair();
        outbox.fill(1).unwrap();
        assert!(outbox.fill(2).is_err());
        assert_eq!(inbox.left().unwrap(), 2);
        assert!(inbox.left().is_err());
    }
}
