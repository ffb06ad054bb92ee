//! n futures of a set, each of which plays m steps of fizzbuzz: as plain calls, as futures, as futures that yield too.

use corobench_futures::{drive, join_all, program, start_all, yield_now};
use corobench_harness::{
    Iterations, Kind, Off, Plan, Probe, Region, Result,
    fizzbuzz::{KEYS, Outcome, base, play, record, step},
};
use std::{hint::black_box, process::ExitCode};

/// How many steps a future played, and their sum.
type Played = (u64, u64);

#[expect(clippy::unused_async, reason = "a future, although it has nothing to await")]
async fn playing<P: Probe>(i: u64, m: u64, probe: P) -> (u64, Played) {
    probe.event(Kind::Run, i);
    let played = play(i, m);
    probe.event(Kind::Done, i);
    (i, played)
}

async fn yielding<P: Probe>(i: u64, m: u64, probe: P) -> (u64, Played) {
    probe.event(Kind::Run, i);
    let (mut steps, mut sum) = (0, 0);
    for x in 0..m {
        sum += step(i, x);
        steps += 1;
        yield_now().await;
    }
    probe.event(Kind::Done, i);
    (i, (steps, sum))
}

async fn play_all<P: Probe, F: Future<Output = (u64, Played)> + Send + 'static>(
    n: u64,
    future: impl Fn(u64) -> F,
    probe: &P,
) -> Outcome {
    let set = start_all((0..n).map(future), probe);
    let (mut steps, mut checksum) = (0, 0);
    let finished = join_all(set, probe, |(played, sum)| {
        steps += played;
        checksum += sum;
    })
    .await;
    (finished, steps, checksum)
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let (phase, n, m) = (plan.word("phase"), plan.param("n"), plan.param("m"));
    while plan.iterations.wanted() {
        let region = Region::start();
        let outcome = match phase {
            "base" => black_box(base(n, m)),
            "spawn" => play_all(n, |i| playing(i, m, probe.clone()), &probe).await,
            _ => play_all(n, |i| yielding(i, m, probe.clone()), &probe).await,
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
