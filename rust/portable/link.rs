//! How a token gets from one task to the next.

use corobench_harness::Result;

/// Where a task's tokens come from.
pub trait Inbox: Send + 'static {
    /// Waits for a token.
    fn take(&mut self) -> impl Future<Output = Result<u64>> + Send;
    /// The one that lies there.
    ///
    /// # Errors
    /// None does.
    fn left(&mut self) -> Result<u64>;
}

/// The other end of a channel.
pub trait Outbox: Clone + Send + 'static {
    /// Where what is put comes out.
    type Inbox: Inbox;
    /// A channel.
    fn pair() -> (Self, Self::Inbox);
    /// Sends a token on.
    fn put(&mut self, token: u64) -> impl Future<Output = Result> + Send;
}
