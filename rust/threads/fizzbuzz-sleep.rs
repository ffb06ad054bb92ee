//! n tasks, each of which plays m steps of fizzbuzz and sleeps after each; held when all sleep for the first time.

use corobench_harness::{
    Evidence, Iterations, Keys, Kind, Off, Plan, Probe, ROOT, Region, Result, fizzbuzz::step, hold, nanoseconds,
};
use runtime::{gate::Latch, join, program, sleep, start};
use std::{
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

/// Returns how many steps it played, their sum, and how late its last sleep ended.
fn task<P: Probe>(i: u64, m: u64, pause: Duration, alive: &Latch, probe: &P) -> (u64, u64, Duration) {
    probe.event(Kind::Run, i);
    let (mut steps, mut sum, mut lateness) = (0, 0, Duration::ZERO);
    for x in 0..m {
        sum += step(i, x);
        steps += 1;
        if x == 0 {
            alive.arrive();
        }
        let deadline = Instant::now() + pause;
        sleep(pause);
        lateness = Instant::now().saturating_duration_since(deadline);
    }
    alive.leave();
    probe.event(Kind::Done, i);
    (steps, sum, lateness)
}

fn measure<P: Probe>(mut plan: Plan, probe: &P) -> Result<Iterations> {
    let (n, m) = (plan.param("n"), plan.param("m"));
    let pause = Duration::from_millis(plan.param("sleep_ms"));
    let alive = Arc::new(Latch::new(n));
    probe.event(Kind::Hold, ROOT);
    hold("base", alive.waiting())?;

    let region = Region::start();
    let handles: Vec<_> = (0..n)
        .map(|i| {
            let (alive, task_probe) = (alive.clone(), probe.clone());
            start(i, move || task(i, m, pause, &alive, &task_probe), probe)
        })
        .collect();
    alive.all();
    let starting = region.stop();

    let most_alive = alive.waiting();
    probe.event(Kind::Hold, ROOT);
    hold("live", most_alive)?;

    let region = Region::start();
    let (mut finished, mut steps, mut checksum) = (0, 0, 0);
    let mut late = Vec::with_capacity(handles.len());
    for (i, handle) in (0..).zip(handles) {
        let (played, sum, lateness) = join(handle);
        finished += 1;
        steps += played;
        checksum += sum;
        late.push(nanoseconds(lateness));
        probe.event(Kind::Collect, i);
    }
    let elapsed = starting + region.stop();

    let evidence = Evidence::default().with("finished", finished).with("steps", steps);
    plan.iterations.record(elapsed, steps, evidence.with("checksum", checksum).with("most_alive", most_alive));
    plan.iterations.keep("lateness", late);
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("fizzbuzz-sleep", Keys::numbers(&["n", "m", "sleep_ms"]), |plan| match plan.trace.clone() {
        None => measure(plan, &Off),
        Some(trace) => measure(plan, &trace),
    })
}
