//! How a token gets from one task to the next.

use std::error::Error;

/// Why it did not.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Where a task's tokens come from.
pub trait Inbox: Send + 'static {
    /// Why none comes.
    type Error: Into<Failure>;
    /// Waits for a token.
    fn take(&mut self) -> impl Future<Output = Result<u64, Self::Error>> + Send;
    /// The one that lies there.
    ///
    /// # Errors
    /// None does.
    fn left(&mut self) -> Result<u64, Failure>;
}

/// The other end of a channel.
pub trait Outbox: Clone + Send + 'static {
    /// Where what is put comes out.
    type Inbox: Inbox;
    /// Why a token can't be sent.
    type Error: Into<Failure>;
    /// A channel.
    fn pair() -> (Self, Self::Inbox);
    /// Sends a token on.
    fn put(&mut self, token: u64) -> impl Future<Output = Result<(), Self::Error>> + Send;
}
