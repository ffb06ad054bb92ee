//! Endless series of CPU jobs, with the ways that smol has to let others run beside them.

use crate::yield_now;
use async_channel::{Sender, bounded};
use corobench_harness::{Jobs, Result};
use smol::{Executor, future, spawn, unblock};
use std::{
    sync::Arc,
    thread::{self, available_parallelism},
    time::{Duration, Instant},
};

/// What a job does for the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// There is no job.
    Idle,
    /// Nothing: it works in one piece.
    Naive,
    /// `yield_now` after each slice.
    YieldNow,
    /// It works on a thread of the blocking pool.
    SpawnBlocking,
    /// It works on an executor of its own.
    Worker,
}

/// By the names that the command line has for them.
pub const MODES: [(&str, Mode); 5] = [
    ("idle", Mode::Idle),
    ("naive", Mode::Naive),
    ("yield-now", Mode::YieldNow),
    ("spawn-blocking", Mode::SpawnBlocking),
    ("worker", Mode::Worker),
];

impl Mode {
    /// Whether a small task can be given to the threads that do the work.
    #[must_use]
    pub fn has_pool(self) -> bool {
        matches!(self, Self::SpawnBlocking | Self::Worker)
    }
}

/// An executor with a thread for each CPU, which end when it is dropped.
#[derive(Debug)]
struct Workers {
    executor: Arc<Executor<'static>>,
    _running: Sender<()>,
}

impl Workers {
    fn start() -> Result<Self> {
        let (running, ended) = bounded::<()>(1);
        let executor = Arc::new(Executor::new());
        for _ in 0..available_parallelism()?.get() {
            let (executor, ended) = (executor.clone(), ended.clone());
            // Not smol's block_on, which would drive timers and I/O as well.
            thread::spawn(move || future::block_on(executor.run(ended.recv())));
        }
        Ok(Self { executor, _running: running })
    }
}

/// What the jobs share.
#[derive(Debug)]
pub struct Load {
    /// What was done so far.
    pub jobs: Arc<Jobs>,
    mode: Mode,
    workers: Option<Workers>,
}

impl Load {
    /// A load of jobs that take so long.
    ///
    /// # Errors
    /// The system does not tell how many CPUs there are.
    pub fn new(mode: Mode, job: Duration) -> Result<Self> {
        let workers = if mode == Mode::Worker { Some(Workers::start()?) } else { None };
        Ok(Self { jobs: Arc::new(Jobs::new(job)), mode, workers })
    }

    /// Works on the threads of a pool.
    pub async fn pooled(&self, work: fn(&Jobs)) {
        let jobs = self.jobs.clone();
        match &self.workers {
            Some(workers) => workers.executor.spawn(async move { work(&jobs) }).await,
            None => unblock(move || work(&jobs)).await,
        }
    }

    async fn job(&self) {
        let jobs = &self.jobs;
        match self.mode {
            Mode::Idle => {}
            Mode::Naive => jobs.work(),
            Mode::YieldNow => jobs.in_slices(yield_now).await,
            Mode::SpawnBlocking | Mode::Worker => self.pooled(Jobs::work).await,
        }
        jobs.finish();
    }
}

/// Handed from job to job; dropped by the last.
struct Series {
    load: Arc<Load>,
    limit: Instant,
    _ended: Sender<()>,
}

impl Series {
    fn start_job(self) {
        spawn(async move {
            if self.load.jobs.over(self.limit) {
                return;
            }
            self.load.job().await;
            self.start_job();
        })
        .detach();
    }
}

/// Starts the load, which ends at the limit by itself; what it returns waits until all series have ended.
pub fn start_series(load: &Arc<Load>, count: u64, limit: Instant) -> impl Future<Output = ()> + use<> {
    let (sender, ended) = bounded::<()>(1);
    if load.mode != Mode::Idle {
        for _ in 0..count {
            Series { load: load.clone(), limit, _ended: sender.clone() }.start_job();
        }
    }
    drop(sender);
    async move {
        // Nothing is ever sent there: it fails with the end of the last series.
        ended.recv().await.expect_err("no series sends anything");
    }
}
