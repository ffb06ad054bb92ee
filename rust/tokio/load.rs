//! Endless series of CPU jobs, with the ways that tokio has to let others run beside them.

use corobench_harness::{Calibration, Result, nanoseconds};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread::available_parallelism,
    time::{Duration, Instant},
};
use tokio::{
    sync::{Semaphore, mpsc},
    task::{block_in_place, consume_budget, spawn_blocking, yield_now},
};

const SLICE: Duration = Duration::from_millis(1);

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

/// How much of the load was done.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Finished jobs.
    pub jobs: u64,
    /// The CPU time that the work was to take, in nanoseconds; that of jobs that are not finished too, by slices.
    pub asked: u64,
    /// The CPU time that it took, in nanoseconds.
    pub worked: u64,
}

/// What the jobs share.
#[derive(Debug)]
pub struct Load {
    mode: Mode,
    job: Duration,
    calibration: Calibration,
    permits: Semaphore,
    stopped: AtomicBool,
    jobs: AtomicU64,
    asked: AtomicU64,
    worked: AtomicU64,
}

impl Load {
    /// A load of jobs that take so long.
    ///
    /// # Errors
    /// The system does not tell how many CPUs there are.
    pub fn new(mode: Mode, job: Duration) -> Result<Self> {
        let cpus = available_parallelism()?.get();
        Ok(Self {
            mode,
            job,
            calibration: Calibration::measure(),
            permits: Semaphore::new((cpus - 1).max(1)),
            stopped: AtomicBool::new(false),
            jobs: AtomicU64::new(0),
            asked: AtomicU64::new(0),
            worked: AtomicU64::new(0),
        })
    }

    /// What was done so far.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress { jobs: self.jobs.load(Relaxed), asked: self.asked.load(Relaxed), worked: self.worked.load(Relaxed) }
    }

    /// Lets every series end with the job that it is in.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Works for so long on the pool's threads, and returns the CPU time that it took.
    ///
    /// # Errors
    /// The work panics.
    pub async fn pooled(&self, asked: Duration) -> Result<Duration> {
        let _permit = if self.mode == Mode::Semaphore { Some(self.permits.acquire().await?) } else { None };
        let calibration = self.calibration;
        Ok(spawn_blocking(move || calibration.work(asked)).await?)
    }

    async fn job(&self) -> Result {
        match self.mode {
            Mode::Idle => {}
            Mode::Naive => self.count(self.job, self.calibration.work(self.job)),
            Mode::YieldNow => self.in_slices(yield_now).await,
            Mode::ConsumeBudget => self.in_slices(consume_budget).await,
            Mode::BlockInPlace => self.count(self.job, block_in_place(|| self.calibration.work(self.job))),
            Mode::SpawnBlocking | Mode::Semaphore => self.count(self.job, self.pooled(self.job).await?),
        }
        self.jobs.fetch_add(1, Relaxed);
        Ok(())
    }

    // Each slice counts when it is done: all series advance together, so that none may have finished a job at the end.
    async fn in_slices<F: Future<Output = ()>>(&self, pause: impl Fn() -> F) {
        let mut left = self.job;
        while !left.is_zero() {
            let slice = left.min(SLICE);
            self.count(slice, self.calibration.work(slice));
            left -= slice;
            pause().await;
        }
    }

    fn count(&self, asked: Duration, worked: Duration) {
        self.asked.fetch_add(nanoseconds(asked), Relaxed);
        self.worked.fetch_add(nanoseconds(worked), Relaxed);
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
            let load = &self.load;
            // The scheduler may be too late to tell: it looks at its timers after every 61 tasks only.
            if load.stopped.load(Relaxed) || Instant::now() >= self.limit {
                return;
            }
            load.job().await.expect("work does not fail");
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
