//! n tasks, each of which plays m steps of fizzbuzz: as plain calls, as tasks, as tasks that yield after each step.

use corobench_harness::{
    Iterations, Kind, Off, Plan, Probe, Region,
    fizzbuzz::{KEYS, Outcome, base, play, record, step},
};
use runtime::{join, program, start, yield_now};
use std::{hint::black_box, process::ExitCode};

fn task<P: Probe>(i: u64, m: u64, probe: &P) -> (u64, u64) {
    probe.event(Kind::Run, i);
    let result = play(i, m);
    probe.event(Kind::Done, i);
    result
}

fn yielding<P: Probe>(i: u64, m: u64, probe: &P) -> (u64, u64) {
    probe.event(Kind::Run, i);
    let (mut steps, mut sum) = (0, 0);
    for x in 0..m {
        sum += step(i, x);
        steps += 1;
        yield_now();
    }
    probe.event(Kind::Done, i);
    (steps, sum)
}

fn tasks<P: Probe>(n: u64, task: impl Fn(u64, &P) -> (u64, u64) + Copy + Send + 'static, probe: &P) -> Outcome {
    let handles: Vec<_> = (0..n)
        .map(|i| {
            let task_probe = probe.clone();
            start(i, move || task(i, &task_probe), probe)
        })
        .collect();
    let (mut finished, mut steps, mut checksum) = (0, 0, 0);
    for (i, handle) in (0..).zip(handles) {
        let (played, sum) = join(handle);
        finished += 1;
        steps += played;
        checksum += sum;
        probe.event(Kind::Collect, i);
    }
    (finished, steps, checksum)
}

fn measure<P: Probe>(mut plan: Plan, probe: &P) -> Iterations {
    let (phase, n, m) = (plan.word("phase"), plan.param("n"), plan.param("m"));
    while plan.iterations.wanted() {
        let region = Region::start();
        let outcome = match phase {
            "base" => black_box(base(n, m)),
            "spawn" => tasks(n, move |i, probe| task(i, m, probe), probe),
            _ => tasks(n, move |i, probe| yielding(i, m, probe), probe),
        };
        let elapsed = region.stop();
        record(&mut plan, elapsed, outcome);
    }
    plan.iterations
}

pub(crate) fn main() -> ExitCode {
    program("fizzbuzz", KEYS, |plan| {
        Ok(match plan.trace.clone() {
            None => measure(plan, &Off),
            Some(trace) => measure(plan, &trace),
        })
    })
}
