//! A server with a thread for each connection, whose answers a test decides.

use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

/// What a server of a test has counted.
#[derive(Default)]
pub struct Seen {
    pub connections: AtomicU64,
    pub requests: AtomicU64,
}

/// A request as a test sees it: its number (from 1), its first line, its body.
pub struct Request {
    pub number: u64,
    pub line: String,
    pub body: String,
}

pub struct Server {
    pub port: u16,
    pub seen: Arc<Seen>,
}

/// Serves until the test's process ends. An empty answer closes the connection.
pub fn serve(answer: impl Fn(&Request) -> String + Send + Sync + 'static) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (seen, answer) = (Arc::new(Seen::default()), Arc::new(answer));
    let counted = seen.clone();
    thread::spawn(move || {
        for socket in listener.incoming() {
            let (seen, answer) = (counted.clone(), answer.clone());
            seen.connections.fetch_add(1, Ordering::Relaxed);
            thread::spawn(move || speak(&socket.unwrap(), &seen, &*answer));
        }
    });
    Server { port, seen }
}

/// An answer with status, body and the right length.
pub fn answer(status: u16, body: &str) -> String {
    format!("HTTP/1.1 {status} Any\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

fn speak(mut socket: &TcpStream, seen: &Seen, answer: &(impl Fn(&Request) -> String + ?Sized)) {
    let mut reader = BufReader::new(socket);
    while let Some((line, body)) = read(&mut reader) {
        let number = seen.requests.fetch_add(1, Ordering::Relaxed) + 1;
        let text = answer(&Request { number, line, body });
        if text.is_empty() || socket.write_all(text.as_bytes()).is_err() {
            return;
        }
    }
}

fn read(reader: &mut impl BufRead) -> Option<(String, String)> {
    let mut lines = reader.by_ref().lines().map_while(Result::ok);
    let first = lines.next()?;
    let length = lines
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("Content-Length: ").map(str::to_owned))
        .last();
    let mut body = vec![0; length.map_or(0, |text| text.parse().unwrap())];
    reader.read_exact(&mut body).ok()?;
    Some((first, String::from_utf8(body).unwrap()))
}
