//! Endless series of CPU jobs, with the ways that async-std has to let others run beside them.

use crate::{spawn, yield_now};
use async_channel::{Sender, bounded};
use async_std::task::spawn_blocking;
use corobench_harness::{Jobs, Result};
use std::{
    sync::Arc,
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
}

/// By the names that the command line has for them.
pub const MODES: [(&str, Mode); 4] = [
    ("idle", Mode::Idle),
    ("naive", Mode::Naive),
    ("yield-now", Mode::YieldNow),
    ("spawn-blocking", Mode::SpawnBlocking),
];

impl Mode {
    /// Whether a small task can be given to the threads that do the work.
    #[must_use]
    pub fn has_pool(self) -> bool {
        self == Self::SpawnBlocking
    }
}

/// What the jobs share.
#[derive(Debug)]
pub struct Load {
    /// What was done so far.
    pub jobs: Arc<Jobs>,
    mode: Mode,
}

impl Load {
    /// A load of jobs that take so long.
    ///
    /// # Errors
    /// Never: others must ask the system.
    pub fn new(mode: Mode, job: Duration) -> Result<Self> {
        Ok(Self { jobs: Arc::new(Jobs::new(job)), mode })
    }

    /// Works on the threads of a pool.
    pub async fn pooled(&self, work: fn(&Jobs)) {
        let jobs = self.jobs.clone();
        spawn_blocking(move || work(&jobs)).await;
    }

    async fn job(&self) {
        let jobs = &self.jobs;
        match self.mode {
            Mode::Idle => {}
            Mode::Naive => jobs.work(),
            Mode::YieldNow => jobs.in_slices(yield_now).await,
            Mode::SpawnBlocking => self.pooled(Jobs::work).await,
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
