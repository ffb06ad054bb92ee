//! n tasks, each of which plays m steps of fizzbuzz: as plain calls, as tasks, as tasks that yield after each step.

use corobench_harness::{
    Iterations, Kind, Off, Plan, Probe, Region, Result,
    fizzbuzz::{KEYS, Outcome, base, play, record, step},
};
use runtime::{drive, program, start, yield_now};
use std::{hint::black_box, process::ExitCode};

#[expect(clippy::unused_async, reason = "a task, although it has nothing to await")]
async fn task<P: Probe>(i: u64, m: u64, probe: P) -> (u64, u64) {
    probe.event(Kind::Run, i);
    let result = play(i, m);
    probe.event(Kind::Done, i);
    result
}

async fn yielding<P: Probe>(i: u64, m: u64, probe: P) -> (u64, u64) {
    probe.event(Kind::Run, i);
    let (mut steps, mut sum) = (0, 0);
    for x in 0..m {
        sum += step(i, x);
        steps += 1;
        yield_now().await;
    }
    probe.event(Kind::Done, i);
    (steps, sum)
}

async fn tasks<P: Probe, T: Future<Output = (u64, u64)> + Send + 'static>(
    n: u64,
    task: impl Fn(u64) -> T,
    probe: &P,
) -> Outcome {
    let handles: Vec<_> = (0..n).map(|i| start(i, task(i), probe)).collect();
    let (mut finished, mut steps, mut checksum) = (0, 0, 0);
    for (i, handle) in (0..).zip(handles) {
        let (played, sum) = handle.await;
        finished += 1;
        steps += played;
        checksum += sum;
        probe.event(Kind::Collect, i);
    }
    (finished, steps, checksum)
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let (phase, n, m) = (plan.word("phase"), plan.param("n"), plan.param("m"));
    while plan.iterations.wanted() {
        let region = Region::start();
        let outcome = match phase {
            "base" => black_box(base(n, m)),
            "spawn" => tasks(n, |i| task(i, m, probe.clone()), &probe).await,
            _ => tasks(n, |i| yielding(i, m, probe.clone()), &probe).await,
        };
        let elapsed = region.stop();
        record(&mut plan, elapsed, outcome);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("fizzbuzz", KEYS, |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
