//! Probes a runtime that is under CPU load: how late is a short sleep, and what does each remedy leave of the load?

use corobench_harness::{Answers, Iterations, Jobs, Keys, NAP, Observed, Plan, Region, Result, Schedule, Usage};
use corobench_tokio::{
    drive,
    load::{Load, Mode, start_series},
    program,
};
use std::{
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{sleep, sleep_until, timeout_at},
};

const MODES: [(&str, Mode); 7] = [
    ("idle", Mode::Idle),
    ("naive", Mode::Naive),
    ("yield-now", Mode::YieldNow),
    ("consume-budget", Mode::ConsumeBudget),
    ("block-in-place", Mode::BlockInPlace),
    ("spawn-blocking", Mode::SpawnBlocking),
    ("semaphore", Mode::Semaphore),
];

/// A probe's number, and when it was done.
type Signal = (usize, Instant);

async fn nap(probe: usize, signals: UnboundedSender<Signal>) {
    sleep(NAP).await;
    // Nobody listens any more where the limit has passed.
    let _ = signals.send((probe, Instant::now()));
}

async fn small(probe: usize, load: Arc<Load>, signals: UnboundedSender<Signal>) {
    load.pooled(Jobs::small).await.expect("work does not fail");
    let _ = signals.send((probe, Instant::now()));
}

/// Starts every probe when it is due, and where there is a pool, a small task with it.
async fn send(
    schedule: Schedule,
    probes: usize,
    load: Arc<Load>,
    naps: UnboundedSender<Signal>,
    smalls: Option<UnboundedSender<Signal>>,
) {
    for probe in 0..probes {
        sleep_until(schedule.of(probe).into()).await;
        tokio::spawn(nap(probe, naps.clone()));
        if let Some(smalls) = &smalls {
            tokio::spawn(small(probe, load.clone(), smalls.clone()));
        }
    }
}

/// Waits until all have signalled or the limit has passed.
async fn answers(probes: usize, mut signals: UnboundedReceiver<Signal>, schedule: Schedule) -> Answers {
    let mut times = vec![None; probes];
    while let Ok(Some((probe, time))) = timeout_at(schedule.limit.into(), signals.recv()).await {
        times[probe] = schedule.counted(time);
    }
    times
}

async fn measure(mut plan: Plan) -> Result<Iterations> {
    let mode = MODES.iter().find(|(name, _)| *name == plan.word("mode")).expect("the plan has a known mode").1;
    if mode == Mode::BlockInPlace && Handle::current().runtime_flavor() == RuntimeFlavor::CurrentThread {
        return Err(Usage("block-in-place needs the multi-thread scheduler".to_owned()).into());
    }
    let probes = usize::try_from(plan.param("probes"))?;
    let load = Arc::new(Load::new(mode, Duration::from_micros(plan.param("job_us")))?);
    let (nap_signals, naps) = unbounded_channel();
    let (small_signals, smalls) = unbounded_channel();

    let region = Region::start();
    let schedule = Schedule::start(&plan);
    let mut series = start_series(&load, plan.param("series_count"), schedule.limit);
    let sender =
        tokio::spawn(send(schedule, probes, load.clone(), nap_signals, mode.has_pool().then_some(small_signals)));
    let naps = answers(probes, naps, schedule).await;
    let smalls = answers(if mode.has_pool() { probes } else { 0 }, smalls, schedule).await;
    let observed = Observed { end: Instant::now(), progress: load.jobs.progress(), naps, smalls };
    let elapsed = region.stop();

    load.jobs.stop();
    sender.abort();
    // Nothing is ever sent there: it ends with the last series.
    series.recv().await;
    schedule.record(&mut plan.iterations, elapsed, &observed);
    Ok(plan.iterations)
}

fn main() -> ExitCode {
    let names = MODES.map(|(name, _)| name);
    let keys = Keys {
        words: &[("mode", &names)],
        ..Keys::numbers(&["probes", "period_us", "series_count", "job_us", "cap_ms"])
    };
    program("starvation", keys, |case| drive(&case.runtime, measure(case.plan)))
}
