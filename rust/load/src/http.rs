//! One connection and one request at a time on it: just enough of HTTP/1.1 to check every answer.

use crate::plan::Expect;
use std::{io, net::Ipv4Addr};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

const MOST_HEADERS: usize = 64;
const MOST_BYTES: usize = 1 << 20;

/// Why a request has no right answer; the report counts them by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    /// No connection could be made.
    Connect,
    /// The connection ended before the answer was complete.
    Closed,
    /// The answer is not HTTP with a length.
    Malformed,
    /// The answer has another status.
    Status,
    /// The answer has another body.
    Body,
}

/// What is asked and what the answer must be.
pub struct Exchange {
    pub wire: Vec<u8>,
    pub status: u16,
    pub expect: Expect,
}

pub struct Connection {
    socket: TcpStream,
    buffer: Vec<u8>,
}

/// The parts of an answer's head that matter here.
struct Head {
    length: usize,
    body: usize,
    status: u16,
    keeps: bool,
}

impl Connection {
    pub async fn open(port: u16) -> Result<Self, Fault> {
        let connect = async {
            let socket = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
            socket.set_nodelay(true)?;
            io::Result::Ok(socket)
        };
        let socket = connect.await.map_err(|_| Fault::Connect)?;
        Ok(Self { socket, buffer: Vec::with_capacity(4096) })
    }

    /// Sends a request and checks the whole answer. Whether the connection may be used again.
    pub async fn exchange(&mut self, asked: &Exchange) -> Result<bool, Fault> {
        self.socket.write_all(&asked.wire).await.map_err(|_| Fault::Closed)?;
        self.buffer.clear();
        let head = loop {
            self.read().await?;
            if let Some(head) = head(&self.buffer)? {
                break head;
            }
        };
        let end = head.body.checked_add(head.length).filter(|end| *end <= MOST_BYTES).ok_or(Fault::Malformed)?;
        while self.buffer.len() < end {
            self.read().await?;
        }
        match &self.buffer[head.body..] {
            _ if head.status != asked.status => Err(Fault::Status),
            body if asked.expect.accepts(body) => Ok(head.keeps),
            _ => Err(Fault::Body),
        }
    }

    async fn read(&mut self) -> Result<(), Fault> {
        if self.buffer.len() >= MOST_BYTES {
            return Err(Fault::Malformed);
        }
        match self.socket.read_buf(&mut self.buffer).await {
            Ok(0) | Err(_) => Err(Fault::Closed),
            Ok(_) => Ok(()),
        }
    }
}

/// None where the head is not complete yet.
fn head(bytes: &[u8]) -> Result<Option<Head>, Fault> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let Ok(parsed) = response.parse(bytes) else { return Err(Fault::Malformed) };
    let httparse::Status::Complete(body) = parsed else { return Ok(None) };
    let (mut length, mut keeps) = (None, response.version == Some(1));
    for header in response.headers {
        let value = std::str::from_utf8(header.value).map_err(|_| Fault::Malformed)?;
        if header.name.eq_ignore_ascii_case("content-length") {
            length = Some(value.trim().parse().map_err(|_| Fault::Malformed)?);
        } else if header.name.eq_ignore_ascii_case("connection") {
            keeps = !value.eq_ignore_ascii_case("close");
        }
    }
    // Without a length the end of a body could only be told from the end of the connection.
    let (Some(length), Some(status)) = (length, response.code) else { return Err(Fault::Malformed) };
    Ok(Some(Head { length, body, status, keeps }))
}

#[cfg(test)]
mod tests {
    use super::{Fault, head};

    #[test]
    fn reads_length_status_and_whether_the_connection_stays() {
        let text = b"HTTP/1.1 404 Not Found\r\ncontent-LENGTH: 5\r\nX: y\r\n\r\nBlah\n";
        let found = head(text).unwrap().unwrap();
        assert_eq!((found.status, found.length, &text[found.body..], found.keeps), (404, 5, &b"Blah\n"[..], true));
        let closes = head(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: Close\r\n\r\n").unwrap().unwrap();
        assert!(!closes.keeps);
        let old = head(b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").unwrap().unwrap();
        assert!(!old.keeps);
        let kept = head(b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n").unwrap().unwrap();
        assert!(kept.keeps);
    }

    #[test]
    fn waits_for_the_rest_of_a_head_and_refuses_what_is_none() {
        assert!(head(b"HTTP/1.1 200 OK\r\nContent-Le").unwrap().is_none());
        for text in ["SSH-2.0-x\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\n"]
        {
            assert_eq!(head(text.as_bytes()).err(), Some(Fault::Malformed), "{text}");
        }
    }
}
