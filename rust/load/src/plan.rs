//! What is to be sent: read from JSON, checked before the first connection.

use crate::error::Result;
use serde::Deserialize;
use serde_json::Value;

/// The streams that run at the same time against one server on 127.0.0.1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The server's port.
    pub port: u16,
    /// After so many milliseconds everything ends; what is under way is reported as over the limit.
    pub cap_ms: u64,
    /// At least one of them not in the background.
    pub streams: Vec<Stream>,
}

/// One kind of request, sent by a number of clients.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stream {
    /// How the report names it.
    pub name: String,
    /// GET or POST.
    pub method: String,
    /// The target, from its slash.
    pub path: String,
    /// The body, sent as JSON; empty: none.
    #[serde(default)]
    pub body: String,
    /// The status that every answer must have.
    pub status: u16,
    /// What every answer's body must be.
    pub expect: Expect,
    /// How many requests may be under way at once.
    pub clients: u32,
    /// Whether a client keeps its connection for the next request.
    pub keepalive: bool,
    /// How many requests are sent, at least. A background stream has none: it goes on until the others have ended.
    pub requests: Option<u64>,
    /// After its last request a stream goes on until so many milliseconds are over: a rate needs time to be one.
    #[serde(default)]
    pub least_ms: u64,
    /// Requests a second, evenly spaced on an absolute schedule (open loop). None: a client sends its next request when
    /// the last is answered (closed loop).
    pub rate: Option<f64>,
}

/// What a body must be.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expect {
    /// Exactly this text.
    Text(String),
    /// JSON of this value, however it is written.
    Json(Value),
}

impl Expect {
    /// Whether a body is what was expected.
    #[must_use]
    pub fn accepts(&self, body: &[u8]) -> bool {
        match self {
            Self::Text(text) => text.as_bytes() == body,
            Self::Json(value) => serde_json::from_slice::<Value>(body).is_ok_and(|got| got == *value),
        }
    }
}

impl Plan {
    /// A plan that can be carried out.
    ///
    /// # Errors
    /// It is not a plan, or asks for what does not exist.
    pub fn parse(text: &str) -> Result<Self> {
        let plan: Self = serde_json::from_str(text)?;
        if plan.streams.iter().all(Stream::is_background) {
            return Err("a plan needs a stream with a number of requests".into());
        }
        for stream in &plan.streams {
            stream.check().map_err(|wrong| format!("stream {:?}: {wrong}", stream.name))?;
        }
        Ok(plan)
    }
}

impl Stream {
    /// Whether it only lasts as long as the others.
    #[must_use]
    pub fn is_background(&self) -> bool {
        self.requests.is_none()
    }

    fn check(&self) -> std::result::Result<(), &'static str> {
        let blank = |text: &str| text.is_empty() || text.contains(|c: char| c.is_whitespace() || c.is_control());
        match self {
            _ if !matches!(self.method.as_str(), "GET" | "POST") => Err("method must be GET or POST"),
            _ if blank(&self.path) || !self.path.starts_with('/') => {
                Err("path must begin with a slash and hold no blanks")
            }
            _ if self.clients == 0 => Err("clients must be at least 1"),
            _ if self.requests == Some(0) => Err("requests must be at least 1"),
            _ if self.rate.is_some_and(|rate| !(rate.is_finite() && rate > 0.0)) => Err("rate must be above 0"),
            _ => Ok(()),
        }
    }

    /// The request as it goes over the wire.
    #[must_use]
    pub fn wire(&self, port: u16) -> Vec<u8> {
        let Self { method, path, body, .. } = self;
        let connection = if self.keepalive { "" } else { "Connection: close\r\n" };
        let entity = if body.is_empty() {
            String::new()
        } else {
            format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len())
        };
        let head = format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{connection}{entity}\r\n");
        (head + body).into_bytes()
    }
}
