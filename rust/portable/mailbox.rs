//! A channel by the standard library alone: a place for one token, and the waker of its one reader, who leaves it there once.

use std::{
    future::poll_fn,
    sync::{
        Arc, OnceLock,
        atomic::{
            AtomicU64,
            Ordering::{Acquire, Release, SeqCst},
            fence,
        },
    },
    task::{Context, Poll, Waker},
};

/// Stands where no token lies.
const NONE: u64 = u64::MAX;

struct Room {
    token: AtomicU64,
    reader: OnceLock<Waker>,
}

/// Both ends of it. There is one reader, and one who sends at a time; the reader is not told when nobody is left to send.
#[derive(Clone)]
pub struct Mailbox(Arc<Room>);

impl Default for Mailbox {
    fn default() -> Self {
        Self(Arc::new(Room { token: AtomicU64::new(NONE), reader: OnceLock::new() }))
    }
}

impl Mailbox {
    /// Leaves a token for the reader, and wakes it.
    ///
    /// # Errors
    /// There is no room: a token lies there.
    #[inline]
    pub fn put(&self, token: u64) -> Result<(), &'static str> {
        let room = &*self.0;
        if room.token.load(Acquire) != NONE {
            return Err("a token lies in the mailbox already");
        }
        room.token.store(token, Release);
        // Either it is seen here that a reader has come, or by the reader that a token has.
        let reader = room.reader.get().or_else(|| {
            fence(SeqCst);
            room.reader.get()
        });
        if let Some(reader) = reader {
            reader.wake_by_ref();
        }
        Ok(())
    }

    /// Waits for a token.
    ///
    /// # Errors
    /// Another task has waited here before.
    #[inline]
    pub fn take(&self) -> impl Future<Output = Result<u64, &'static str>> + Send {
        poll_fn(|context| self.poll_take(context))
    }

    /// The token that lies there.
    #[inline]
    #[must_use]
    pub fn left(&self) -> Option<u64> {
        let token = self.0.token.load(Acquire);
        if token == NONE {
            return None;
        }
        self.0.token.store(NONE, Release);
        Some(token)
    }

    #[inline]
    fn poll_take(&self, context: &Context<'_>) -> Poll<Result<u64, &'static str>> {
        if let Some(token) = self.left() {
            return Poll::Ready(Ok(token));
        }
        let mut is_new = false;
        let reader = self.0.reader.get_or_init(|| {
            is_new = true;
            context.waker().clone()
        });
        // Not will_wake, which may take two wakers of one task for different ones.
        if reader.data() != context.waker().data() {
            return Poll::Ready(Err("the mailbox has another reader"));
        }
        if !is_new {
            return Poll::Pending;
        }
        fence(SeqCst);
        self.left().map_or(Poll::Pending, |token| Poll::Ready(Ok(token)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        pin::pin,
        sync::atomic::{AtomicBool, Ordering::Relaxed},
        task::Wake,
        thread,
    };

    struct Woken(AtomicBool);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.store(true, Relaxed);
        }
    }

    fn reader() -> (Arc<Woken>, Waker) {
        let woken = Arc::new(Woken(AtomicBool::new(false)));
        (woken.clone(), Waker::from(woken))
    }

    #[test]
    fn a_token_wakes_whoever_waits_for_it() {
        let mailbox = Mailbox::default();
        let (woken, waker) = reader();
        let mut context = Context::from_waker(&waker);
        for token in [7, 8] {
            let mut taking = pin!(mailbox.take());
            assert!(taking.as_mut().poll(&mut context).is_pending());
            mailbox.put(token).unwrap();
            assert!(woken.0.swap(false, Relaxed));
            assert_eq!(taking.poll(&mut context), Poll::Ready(Ok(token)));
        }
    }

    #[test]
    fn there_is_room_for_one() {
        let mailbox = Mailbox::default();
        mailbox.put(1).unwrap();
        assert!(mailbox.put(2).is_err());
        assert_eq!(mailbox.left(), Some(1));
        assert_eq!(mailbox.left(), None);
    }

    #[test]
    fn there_is_one_reader() {
        let mailbox = Mailbox::default();
        let ((_, first), (_, second)) = (reader(), reader());
        assert!(mailbox.poll_take(&Context::from_waker(&first)).is_pending());
        assert!(mailbox.poll_take(&Context::from_waker(&first)).is_pending());
        assert!(matches!(mailbox.poll_take(&Context::from_waker(&second)), Poll::Ready(Err(_))));
    }

    /// A token that comes while its reader is about to wait is either found by it or wakes it.
    #[test]
    fn no_token_is_missed_between_threads() {
        for token in 0..10_000 {
            let mailbox = Mailbox::default();
            let (woken, waker) = reader();
            let outbox = mailbox.clone();
            let sender = thread::spawn(move || outbox.put(token));
            let found = mailbox.poll_take(&Context::from_waker(&waker)).is_ready();
            sender.join().unwrap().unwrap();
            assert!(found || woken.0.load(Relaxed));
        }
    }
}
