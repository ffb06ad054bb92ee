//! Chains of requests, each a task that works in pieces and waits in between; a finished one starts the next of its chain.

use corobench_harness::{Course, Iterations, Kind, Off, Plan, Probe, Region, Request, Result};
use runtime::{Sender, TcpStream, channel, program, sleep, start};
use std::{
    io::{Read, Write},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

/// How a chain waits: in a sleep, or for a companion that answers after the delay.
enum Wait {
    Timer,
    Peer(TcpStream),
}

impl Wait {
    fn new(peer: Option<u16>) -> Result<Self> {
        let Some(port) = peer else { return Ok(Self::Timer) };
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        Ok(Self::Peer(stream))
    }

    fn delay(&mut self, delay: Duration) -> Result {
        match self {
            Self::Timer => sleep(delay),
            Self::Peer(stream) => {
                let asked = u64::try_from(delay.as_micros())?;
                let mut answer = [0; 8];
                stream.write_all(&asked.to_be_bytes())?;
                stream.read_exact(&mut answer)?;
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
    fn serve(&mut self, mut request: Request) -> Result {
        request.begin();
        self.probe.event(Kind::Run, request.number());
        request.compute(&self.course);
        for _ in 0..self.course.waits {
            self.wait.delay(self.course.wait)?;
            request.compute(&self.course);
        }
        request.end(&self.course);
        self.probe.event(Kind::Done, request.number());
        self.done.push(request);
        Ok(())
    }

    fn end(self, result: Result) {
        let done = result.map(|()| self.done);
        self.root.send(done).expect("the root waits for every chain");
    }
}

/// Starts the chain's next request, if any is left. Nobody joins it: its handle is dropped, and it runs on.
fn start_next<P: Probe>(mut chain: Chain<P>) {
    let Some(request) = chain.course.arrive() else { return chain.end(Ok(())) };
    let (number, probe) = (request.number(), chain.probe.clone());
    let task = move || match chain.serve(request) {
        Ok(()) => start_next(chain),
        failed => chain.end(failed),
    };
    start(number, task, &probe);
}

/// Runs a chain for each wait until no request is left, and returns their requests.
fn chains<P: Probe>(waits: Vec<Wait>, course: &Arc<Course>, probe: &P) -> Result<Vec<Request>> {
    let (root, ends) = channel();
    for wait in waits {
        start_next(Chain { course: course.clone(), wait, done: Vec::new(), root: root.clone(), probe: probe.clone() });
    }
    drop(root);
    let mut requests = Vec::new();
    for done in ends {
        requests.append(&mut done?);
    }
    Ok(requests)
}

fn measure<P: Probe>(mut plan: Plan, probe: &P) -> Result<Iterations> {
    let (course, peer) = (Arc::new(Course::new(&plan)), Course::peer(&plan)?);
    let waits = (0..plan.param("c")).map(|_| Wait::new(peer)).collect::<Result<_>>()?;
    let region = Region::start();
    let requests = chains(waits, &course, probe)?;
    let elapsed = region.stop();
    course.record(&mut plan.iterations, elapsed, requests);
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("mixed", Course::KEYS, |plan| match plan.trace.clone() {
        None => measure(plan, &Off),
        Some(trace) => measure(plan, &trace),
    })
}
