//! Chains of requests that work in pieces and wait in between; each finished request starts the next of its chain.

use async_channel::{Sender, unbounded};
use corobench_harness::{Course, Iterations, Kind, Off, Plan, Probe, Region, Request, Result};
use runtime::{AsyncReadExt, AsyncWriteExt, TcpStream, drive, program, sleep, start};
use std::{process::ExitCode, sync::Arc, time::Duration};

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

/// Handed from request to request; the last one hands it to the root.
struct Chain<P> {
    course: Arc<Course>,
    wait: Wait,
    done: Vec<Request>,
    root: Sender<Result<Vec<Request>>>,
    probe: P,
}

impl<P: Probe> Chain<P> {
    async fn serve(&mut self, mut request: Request) -> Result {
        request.begin();
        self.probe.event(Kind::Run, request.number());
        request.compute(&self.course);
        for _ in 0..self.course.waits {
            self.wait.delay(self.course.wait).await?;
            request.compute(&self.course);
        }
        request.end(&self.course);
        self.probe.event(Kind::Done, request.number());
        self.done.push(request);
        Ok(())
    }

    fn end(self, result: Result) {
        let done = result.map(|()| self.done);
        self.root.try_send(done).expect("the root waits for every chain");
    }
}

/// Starts the chain's next request, if any is left.
fn start_next<P: Probe>(mut chain: Chain<P>) {
    let Some(request) = chain.course.arrive() else { return chain.end(Ok(())) };
    let (number, probe) = (request.number(), chain.probe.clone());
    let task = async move {
        match chain.serve(request).await {
            Ok(()) => start_next(chain),
            failed => chain.end(failed),
        }
    };
    start(number, task, &probe).detach();
}

/// Runs a chain for each wait until no request is left, and returns their requests.
async fn chains<P: Probe>(waits: Vec<Wait>, course: &Arc<Course>, probe: &P) -> Result<Vec<Request>> {
    let (root, ends) = unbounded();
    for wait in waits {
        start_next(Chain { course: course.clone(), wait, done: Vec::new(), root: root.clone(), probe: probe.clone() });
    }
    drop(root);
    let mut requests = Vec::new();
    while let Ok(done) = ends.recv().await {
        requests.append(&mut done?);
    }
    Ok(requests)
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let (course, peer) = (Arc::new(Course::new(&plan)), Course::peer(&plan)?);
    let mut waits = Vec::new();
    for _ in 0..plan.param("c") {
        waits.push(Wait::new(peer).await?);
    }
    let region = Region::start();
    let requests = chains(waits, &course, &probe).await?;
    let elapsed = region.stop();
    course.record(&mut plan.iterations, elapsed, requests);
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("mixed", Course::KEYS, |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
