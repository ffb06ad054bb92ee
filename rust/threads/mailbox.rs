//! A channel of one's own: room for one token, and for the thread that is parked until it comes.

use crate::token::{Inbox, Outbox};
use corobench_harness::Result;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, Thread},
};

#[derive(Default)]
struct Room {
    token: Option<u64>,
    reader: Option<Thread>,
}

/// Both ends of it. There is one reader, who is not told when nobody is left to send.
#[derive(Clone, Default)]
pub struct Mailbox(Arc<Mutex<Room>>);

impl Mailbox {
    fn room(&self) -> MutexGuard<'_, Room> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The token; where there is none, whoever puts one in wakes this thread.
    fn look(&self) -> Option<u64> {
        let mut room = self.room();
        if room.token.is_none() {
            room.reader = Some(thread::current());
        }
        room.token.take()
    }
}

impl Outbox for Mailbox {
    type Inbox = Self;

    fn pair() -> (Self, Self) {
        let mailbox = Self::default();
        (mailbox.clone(), mailbox)
    }

    fn put(&self, token: u64) -> Result {
        let mut room = self.room();
        if room.token.replace(token).is_some() {
            return Err("a token lies in the mailbox already".into());
        }
        let reader = room.reader.take();
        // Free again when the reader wakes up.
        drop(room);
        if let Some(reader) = reader {
            reader.unpark();
        }
        Ok(())
    }
}

impl Inbox for Mailbox {
    fn take(&self) -> Result<u64> {
        loop {
            match self.look() {
                Some(token) => return Ok(token),
                None => thread::park(),
            }
        }
    }

    fn left(&self) -> Result<u64> {
        self.room().token.take().ok_or_else(|| "no token is left".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_wakes_whoever_waits_for_it() {
        let (outbox, inbox) = Mailbox::pair();
        let reader = thread::spawn(move || inbox.take().unwrap());
        while outbox.room().reader.is_none() {
            thread::yield_now();
        }
        outbox.put(7).unwrap();
        assert_eq!(reader.join().unwrap(), 7);
    }

    #[test]
    fn there_is_room_for_one() {
        let (outbox, inbox) = Mailbox::pair();
        outbox.put(1).unwrap();
        assert!(outbox.put(2).is_err());
        assert_eq!(inbox.left().unwrap(), 2);
        assert!(inbox.left().is_err());
    }
}
