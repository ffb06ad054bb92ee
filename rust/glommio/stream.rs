//! A stream of glommio's with the errors of others: glommio's own can't be sent to another thread, as the programs' must.

use futures_lite::io::{AsyncRead, AsyncWrite};
use glommio::net;
use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

/// One end of a pair of Unix stream sockets.
#[derive(Debug)]
pub struct UnixStream(net::UnixStream);

impl UnixStream {
    /// Both ends.
    ///
    /// # Errors
    /// The system has no more descriptors.
    pub fn pair() -> io::Result<(Self, Self)> {
        let (first, second) = net::UnixStream::pair().map_err(io::Error::from)?;
        Ok((Self(first), Self(second)))
    }
}

impl AsyncRead for UnixStream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for UnixStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, buffer)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_close(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_close(context)
    }
}
