//! A channel of one's own: room for one token, and for the thread that is parked until it comes.

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

    /// Leaves a token, and wakes the reader.
    ///
    /// # Errors
    /// There is no room: a token lies there.
    pub fn put(&self, token: u64) -> Result {
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

    /// Waits for a token.
    #[must_use]
    pub fn take(&self) -> u64 {
        loop {
            match self.look() {
                Some(token) => return token,
                None => thread::park(),
            }
        }
    }

    /// The token that lies there.
    #[must_use]
    pub fn left(&self) -> Option<u64> {
        self.room().token.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_wakes_whoever_waits_for_it() {
        let mailbox = Mailbox::default();
        let inbox = mailbox.clone();
        let reader = thread::spawn(move || inbox.take());
        while mailbox.room().reader.is_none() {
            thread::yield_now();
        }
        mailbox.put(7).unwrap();
        assert_eq!(reader.join().unwrap(), 7);
    }

    #[test]
    fn there_is_room_for_one() {
        let mailbox = Mailbox::default();
        mailbox.put(1).unwrap();
        assert!(mailbox.put(2).is_err());
        assert_eq!(mailbox.left(), Some(2));
        assert_eq!(mailbox.left(), None);
    }
}
