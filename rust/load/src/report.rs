//! What the generator says when it has ended.

use crate::{http::Fault, samples::Samples};
use serde::Serialize;
use std::collections::BTreeMap;

/// What came of a plan.
#[derive(Serialize)]
pub struct Report {
    /// From before the first request to after the last answer of the streams that have a number of requests.
    pub elapsed_ns: u64,
    /// CPU time of the generator over the same time.
    pub cpu_ns: u64,
    /// Where there is an open loop: by how many nanoseconds the generator itself was late, asked every millisecond.
    pub lateness: Samples,
    /// In the order of the plan.
    pub streams: Vec<StreamReport>,
}

/// What came of a stream.
#[derive(Default, Serialize)]
pub struct StreamReport {
    /// Its name in the plan.
    pub name: String,
    /// Right answers.
    pub requests: u64,
    /// Requests without a right answer, by kind.
    pub errors: BTreeMap<Fault, u64>,
    /// Requests that had no answer yet when the cap came; their latency so far is among the latencies.
    pub over_limit: u64,
    /// Connections made, those beforehand included.
    pub connections: u64,
    /// Of these, those made before the clock started: one for each client that keeps its own.
    pub opened: u64,
    /// From the first request to the last answer.
    pub elapsed_ns: u64,
    /// Nanoseconds from the start of a request (closed loop) or from its scheduled time (open loop) to its answer. In
    /// both, the time to connect is inside, where a connection was not kept.
    pub latency: Samples,
    /// Open loop: requests that were due while every client waited for an answer, or while the generator was late.
    pub queued: u64,
}
