//! Endless series of CPU jobs, with the ways that tokio has to let others run beside them.

use corobench_harness::{Jobs, Result, Usage};
use std::{
    sync::Arc,
    thread::available_parallelism,
    time::{Duration, Instant},
};
use tokio::{
    runtime::{Handle, RuntimeFlavor},
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

/// By the names that the command line has for them.
pub const MODES: [(&str, Mode); 7] = [
    ("idle", Mode::Idle),
    ("naive", Mode::Naive),
    ("yield-now", Mode::YieldNow),
    ("consume-budget", Mode::ConsumeBudget),
    ("block-in-place", Mode::BlockInPlace),
    ("spawn-blocking", Mode::SpawnBlocking),
    ("semaphore", Mode::Semaphore),
];

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
    /// The scheduler does not have the mode, or the system does not tell how many CPUs there are.
    pub fn new(mode: Mode, job: Duration) -> Result<Self> {
        if mode == Mode::BlockInPlace && Handle::current().runtime_flavor() == RuntimeFlavor::CurrentThread {
            return Err(Usage("block-in-place needs the multi-thread scheduler".to_owned()).into());
        }
        let cpus = available_parallelism()?.get();
        Ok(Self { jobs: Arc::new(Jobs::new(job)), mode, permits: Semaphore::new((cpus - 1).max(1)) })
    }

    /// Works on the pool's threads.
    ///
    /// # Panics
    /// The work does.
    pub async fn pooled(&self, work: fn(&Jobs)) {
        let _permit = if self.mode == Mode::Semaphore {
            Some(self.permits.acquire().await.expect("nobody closes the semaphore"))
        } else {
            None
        };
        let jobs = self.jobs.clone();
        spawn_blocking(move || work(&jobs)).await.expect("work does not fail");
    }

    async fn job(&self) {
        let jobs = &self.jobs;
        match self.mode {
            Mode::Idle => {}
            Mode::Naive => jobs.work(),
            Mode::YieldNow => jobs.in_slices(yield_now).await,
            Mode::ConsumeBudget => jobs.in_slices(consume_budget).await,
            Mode::BlockInPlace => block_in_place(|| jobs.work()),
            Mode::SpawnBlocking | Mode::Semaphore => self.pooled(Jobs::work).await,
        }
        jobs.finish();
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
            self.load.job().await;
            self.start_job();
        });
    }
}

/// Starts the load, which ends at the limit by itself; what it returns waits until all series have ended.
pub fn start_series(load: &Arc<Load>, count: u64, limit: Instant) -> impl Future<Output = ()> + use<> {
    let (sender, mut ended) = mpsc::channel(1);
    if load.mode != Mode::Idle {
        for _ in 0..count {
            Series { load: load.clone(), limit, _ended: sender.clone() }.start_job();
        }
    }
    drop(sender);
    async move {
        // Nothing is ever sent there: it says so with the end of the last series.
        ended.recv().await;
    }
}
