//! Endless series of CPU jobs, with the ways that tokio has to let others run beside them.

use corobench_harness::{Jobs, Result};
use std::{
    sync::Arc,
    thread::available_parallelism,
    time::{Duration, Instant},
};
use tokio::{
    sync::{Semaphore, mpsc},
    task::{block_in_place, consume_budget, spawn_blocking, yield_now},
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
    /// `consume_budget` after each slice.
    ConsumeBudget,
    /// It tells the scheduler that this worker is gone.
    BlockInPlace,
    /// It works on a thread of the blocking pool.
    SpawnBlocking,
    /// As before, with a CPU left free.
    Semaphore,
}

impl Mode {
    /// Whether a small task can be given to the threads that do the work.
    #[must_use]
    pub fn has_pool(self) -> bool {
        matches!(self, Self::SpawnBlocking | Self::Semaphore)
    }
}

/// What the jobs share.
#[derive(Debug)]
pub struct Load {
    /// What was done so far.
    pub jobs: Arc<Jobs>,
    mode: Mode,
    permits: Semaphore,
}

impl Load {
    /// A load of jobs that take so long.
    ///
    /// # Errors
    /// The system does not tell how many CPUs there are.
    pub fn new(mode: Mode, job: Duration) -> Result<Self> {
        let cpus = available_parallelism()?.get();
        Ok(Self { jobs: Arc::new(Jobs::new(job)), mode, permits: Semaphore::new((cpus - 1).max(1)) })
    }

    /// Works on the pool's threads.
    ///
    /// # Errors
    /// The work panics.
    pub async fn pooled(&self, work: fn(&Jobs)) -> Result {
        let _permit = if self.mode == Mode::Semaphore { Some(self.permits.acquire().await?) } else { None };
        let jobs = self.jobs.clone();
        spawn_blocking(move || work(&jobs)).await?;
        Ok(())
    }

    async fn job(&self) -> Result {
        let jobs = &self.jobs;
        match self.mode {
            Mode::Idle => {}
            Mode::Naive => jobs.work(),
            Mode::YieldNow => jobs.in_slices(yield_now).await,
            Mode::ConsumeBudget => jobs.in_slices(consume_budget).await,
            Mode::BlockInPlace => block_in_place(|| jobs.work()),
            Mode::SpawnBlocking | Mode::Semaphore => self.pooled(Jobs::work).await?,
        }
        jobs.finish();
        Ok(())
    }
}

/// Handed from job to job; dropped by the last.
struct Series {
    load: Arc<Load>,
    limit: Instant,
    _ended: mpsc::Sender<()>,
}

impl Series {
    fn start_job(self) {
        tokio::spawn(async move {
            // Tokio looks at its timers after every 61 tasks only.
            if self.load.jobs.over(self.limit) {
                return;
            }
            self.load.job().await.expect("work does not fail");
            self.start_job();
        });
    }
}

/// Starts the load, which ends at the limit by itself. The receiver says `None` when all series have ended.
#[must_use]
pub fn start_series(load: &Arc<Load>, count: u64, limit: Instant) -> mpsc::Receiver<()> {
    let (sender, ended) = mpsc::channel(1);
    if load.mode != Mode::Idle {
        for _ in 0..count {
            Series { load: load.clone(), limit, _ended: sender.clone() }.start_job();
        }
    }
    ended
}
