//! Polls one future n times by hand, with nobody who wakes it.

use corobench_futures::program;
use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region};
use futures::pending;
use std::{
    hint::black_box,
    pin::Pin,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    task::{Context, Waker},
};

/// Adds one to what it is sent. A poll passes no value: it lies in `sent`, atomic since a task's future may go to another thread.
async fn adder<P: Probe>(n: u64, sent: Arc<AtomicU64>, probe: P) {
    for _ in 0..n {
        pending!();
        sent.store(sent.load(Relaxed) + 1, Relaxed);
        probe.event(Kind::Run, 0);
    }
    probe.event(Kind::Done, 0);
}

/// Returns how many futures ended, and the last value.
fn resume<P: Probe>(n: u64, nonce: u64, probe: &P) -> (u64, u64) {
    let sent = Arc::new(AtomicU64::new(nonce));
    let future = probe.start(0, || probe.clone().watch(adder(n, sent.clone(), probe.clone())));
    // Without its type, as an executor has it: else all polls become one sum.
    let mut future: Pin<Box<dyn Future<Output = ()>>> = black_box(Box::pin(future));
    let mut context = Context::from_waker(Waker::noop());
    while future.as_mut().poll(&mut context).is_pending() {}
    (1, sent.load(Relaxed))
}

fn measure<P: Probe>(mut plan: Plan, probe: &P) -> Iterations {
    while plan.iterations.wanted() {
        let nonce = plan.nonce();
        let region = Region::start();
        let (finished, checksum) = resume(plan.param("n"), nonce, probe);
        let elapsed = region.stop();
        let evidence = Evidence::default().with("finished", finished).with("checksum", checksum);
        plan.iterations.record(elapsed, checksum - nonce, evidence);
    }
    plan.iterations
}

pub(crate) fn main() -> ExitCode {
    program("generator", Keys::numbers(&["n"]), |plan| {
        Ok(match plan.trace.clone() {
            None => measure(plan, &Off),
            Some(trace) => measure(plan, &trace),
        })
    })
}
