//! Probes a runtime that is under CPU load: how late is a short sleep, and what does each remedy leave of the load?

use async_channel::{Receiver, Sender, unbounded};
use corobench_harness::{Answers, Iterations, Jobs, Keys, NAP, Observed, Plan, Region, Result, Schedule};
use runtime::{
    before, drive,
    load::{Load, MODES, start_series},
    program, sleep, sleep_until, spawn,
};
use std::{
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

/// A probe's number, and when it was done.
type Signal = (usize, Instant);

async fn nap(probe: usize, signals: Sender<Signal>) {
    sleep(NAP).await;
    // Nobody listens any more where the limit has passed.
    let _ = signals.try_send((probe, Instant::now()));
}

async fn small(probe: usize, load: Arc<Load>, signals: Sender<Signal>) {
    load.pooled(Jobs::small).await;
    let _ = signals.try_send((probe, Instant::now()));
}

/// Starts every probe when it is due, and where there is a pool, a small task with it.
async fn send(
    schedule: Schedule,
    probes: usize,
    load: Arc<Load>,
    naps: Sender<Signal>,
    smalls: Option<Sender<Signal>>,
) {
    for probe in 0..probes {
        sleep_until(schedule.of(probe)).await;
        spawn(nap(probe, naps.clone())).detach();
        if let Some(smalls) = &smalls {
            spawn(small(probe, load.clone(), smalls.clone())).detach();
        }
    }
}

/// Waits until all have signalled or the limit has passed.
async fn answers(probes: usize, signals: Receiver<Signal>, schedule: Schedule) -> Answers {
    let mut times = vec![None; probes];
    while let Some(Ok((probe, time))) = before(schedule.limit, signals.recv()).await {
        times[probe] = schedule.counted(time);
    }
    times
}

async fn measure(mut plan: Plan) -> Result<Iterations> {
    let mode = MODES.iter().find(|(name, _)| *name == plan.word("mode")).expect("the plan has a known mode").1;
    let probes = usize::try_from(plan.param("probes"))?;
    let load = Arc::new(Load::new(mode, Duration::from_micros(plan.param("job_us")))?);
    let (nap_signals, naps) = unbounded();
    let (small_signals, smalls) = unbounded();

    let region = Region::start();
    let schedule = Schedule::start(&plan);
    let series = start_series(&load, plan.param("series_count"), schedule.limit);
    let sender = spawn(send(schedule, probes, load.clone(), nap_signals, mode.has_pool().then_some(small_signals)));
    let naps = answers(probes, naps, schedule).await;
    let smalls = answers(if mode.has_pool() { probes } else { 0 }, smalls, schedule).await;
    let observed = Observed { end: Instant::now(), progress: load.jobs.progress(), naps, smalls };
    let elapsed = region.stop();

    load.jobs.stop();
    sender.cancel().await;
    series.await;
    schedule.record(&mut plan.iterations, elapsed, &observed);
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    let names = MODES.map(|(name, _)| name);
    let keys = Keys {
        words: &[("mode", &names)],
        ..Keys::numbers(&["probes", "period_us", "series_count", "job_us", "cap_ms"])
    };
    program("starvation", keys, |plan| drive(measure(plan)))
}
