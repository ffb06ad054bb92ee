//! Chains of requests that work in pieces and wait in between; each finished request starts the next of its chain.

use async_channel::{Sender, unbounded};
use corobench_harness::{
    Calibration, Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Request, Result, Usage, keep_requests,
    nanoseconds,
};
use runtime::{AsyncReadExt, AsyncWriteExt, TcpStream, drive, program, sleep, start};
use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// How a chain waits: by the runtime's timer, or for a companion that answers after the delay.
enum Wait {
    Timer,
    Peer(TcpStream),
}

impl Wait {
    async fn new(peer: Option<u16>) -> Result<Self> {
        let Some(port) = peer else { return Ok(Self::Timer) };
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        Ok(Self::Peer(stream))
    }

    async fn delay(&mut self, delay: Duration) -> Result {
        match self {
            Self::Timer => sleep(delay).await,
            Self::Peer(stream) => {
                let asked = u64::try_from(delay.as_micros())?;
                let mut answer = [0; 8];
                stream.write_all(&asked.to_be_bytes()).await?;
                stream.read_exact(&mut answer).await?;
                let answered = u64::from_be_bytes(answer);
                if answered != asked {
                    return Err(format!("the companion answered {answered} to {asked}").into());
                }
            }
        }
        Ok(())
    }
}

struct Shared<P> {
    requests: u64,
    pieces: Vec<Duration>,
    wait: Duration,
    calibration: Calibration,
    arrived: AtomicU64,
    alive: AtomicU64,
    most_alive: AtomicU64,
    probe: P,
}

/// Handed from request to request; the last one hands it to the root.
struct Chain<P> {
    shared: Arc<Shared<P>>,
    wait: Wait,
    done: Vec<Request>,
    root: Sender<Result<Vec<Request>>>,
}

impl<P: Probe> Chain<P> {
    async fn request(&mut self, number: u64, arrival: Instant) -> Result {
        let begin = Instant::now();
        self.shared.probe.event(Kind::Run, number);
        let (mut pieces, mut worked) = (Vec::new(), Duration::ZERO);
        for piece in &self.shared.pieces {
            if !pieces.is_empty() {
                self.wait.delay(self.shared.wait).await?;
            }
            let piece_begin = Instant::now();
            worked += self.shared.calibration.work(*piece);
            pieces.push((piece_begin, Instant::now()));
        }
        self.done.push(Request { number, arrival, begin, end: Instant::now(), pieces, worked });
        self.shared.alive.fetch_sub(1, Relaxed);
        self.shared.probe.event(Kind::Done, number);
        Ok(())
    }

    fn end(self, result: Result) {
        let done = result.map(|()| self.done);
        self.root.try_send(done).expect("the root waits for every chain");
    }
}

/// Starts the chain's next request, if any is left.
fn start_next<P: Probe>(mut chain: Chain<P>) {
    let number = chain.shared.arrived.fetch_add(1, Relaxed);
    if number >= chain.shared.requests {
        return chain.end(Ok(()));
    }
    let shared = chain.shared.clone();
    shared.most_alive.fetch_max(shared.alive.fetch_add(1, Relaxed) + 1, Relaxed);
    let arrival = Instant::now();
    let request = async move {
        match chain.request(number, arrival).await {
            Ok(()) => start_next(chain),
            failed => chain.end(failed),
        }
    };
    start(number, request, &shared.probe).detach();
}

/// Runs `c` chains until no request is left, and returns their requests.
async fn chains<P: Probe>(waits: Vec<Wait>, shared: &Arc<Shared<P>>) -> Result<Vec<Request>> {
    let (root, ends) = unbounded();
    for wait in waits {
        start_next(Chain { shared: shared.clone(), wait, done: Vec::new(), root: root.clone() });
    }
    drop(root);
    let mut requests = Vec::new();
    while let Ok(done) = ends.recv().await {
        requests.append(&mut done?);
    }
    Ok(requests)
}

/// Equal parts, to a nanosecond, whose sum is the whole.
fn equal_parts(whole: u64, parts: u64) -> Vec<Duration> {
    let until = |part| whole * part / parts;
    (0..parts).map(|part| Duration::from_nanos(until(part + 1) - until(part))).collect()
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let (splits, cpu, wait) = (plan.param("splits"), plan.param("cpu_us"), plan.param("wait_us"));
    let shared = Arc::new(Shared {
        requests: plan.param("requests"),
        pieces: equal_parts(cpu * 1_000, splits + 1),
        wait: Duration::from_micros(wait / splits),
        calibration: Calibration::measure(),
        arrived: AtomicU64::new(0),
        alive: AtomicU64::new(0),
        most_alive: AtomicU64::new(0),
        probe,
    });
    let peer = match plan.word("wait") {
        "peer" => Some(plan.peer.ok_or_else(|| Usage("wait=peer needs the companion's port as peer".to_owned()))?),
        _ => None,
    };
    let mut waits = Vec::new();
    for _ in 0..plan.param("c") {
        waits.push(Wait::new(peer).await?);
    }

    let region = Region::start();
    let requests = chains(waits, &shared).await?;
    let elapsed = region.stop();

    let finished = requests.len() as u64;
    let pieces = requests.iter().map(|request| request.pieces.len() as u64).sum();
    let asked: Duration = requests.iter().map(|_| shared.pieces.iter().sum::<Duration>()).sum();
    let worked = requests.iter().map(|request| request.worked).sum();
    let evidence = Evidence::default()
        .with("finished", finished)
        .with("pieces", pieces)
        .with("asked_ns", nanoseconds(asked))
        .with("worked_ns", nanoseconds(worked))
        .with("most_alive", shared.most_alive.load(Relaxed));
    plan.iterations.record(elapsed, finished, evidence);
    keep_requests(&mut plan.iterations, requests);
    Ok(plan.iterations)
}

fn main() -> ExitCode {
    let keys = Keys {
        words: &[("wait", &["timer", "peer"])],
        peer: true,
        ..Keys::numbers(&["c", "splits", "cpu_us", "wait_us", "requests"])
    };
    program("mixed", keys, |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
