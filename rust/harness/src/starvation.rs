//! An endless CPU load, the schedule of the probes beside it, and how late these were.

use crate::{Calibration, Elapsed, Evidence, Iterations, Plan, nanoseconds};
use std::{
    iter,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// How long the first kind of probe sleeps.
pub const NAP: Duration = Duration::from_millis(1);

/// How long the second kind works, where there is a pool for it.
const SMALL: Duration = Duration::from_micros(100);
const SLICE: Duration = Duration::from_millis(1);

/// How much of the load was done.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Finished jobs.
    jobs: u64,
    /// The CPU time that the work was to take, in nanoseconds; that of jobs under way too, by slices.
    asked: u64,
    /// The CPU time that it took, in nanoseconds.
    worked: u64,
}

/// The jobs of a load, which all series share.
#[derive(Debug)]
pub struct Jobs {
    /// How long each works.
    length: Duration,
    calibration: Calibration,
    stopped: AtomicBool,
    finished: AtomicU64,
    asked: AtomicU64,
    worked: AtomicU64,
}

impl Jobs {
    /// Jobs that work for so long each. Takes some time, to see how fast this machine is.
    #[must_use]
    pub fn new(length: Duration) -> Self {
        Self {
            length,
            calibration: Calibration::measure(),
            stopped: AtomicBool::new(false),
            finished: AtomicU64::new(0),
            asked: AtomicU64::new(0),
            worked: AtomicU64::new(0),
        }
    }

    /// What was done so far.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress {
            jobs: self.finished.load(Relaxed),
            asked: self.asked.load(Relaxed),
            worked: self.worked.load(Relaxed),
        }
    }

    /// Lets every series end with the slice that it is in.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Whether no further job is to start. A scheduler may be too late to tell that the limit has passed.
    #[must_use]
    pub fn over(&self, limit: Instant) -> bool {
        self.stopped.load(Relaxed) || Instant::now() >= limit
    }

    /// One more has ended.
    pub fn finish(&self) {
        self.finished.fetch_add(1, Relaxed);
    }

    /// A whole job on this thread, in one piece.
    pub fn work(&self) {
        for slice in self.slices() {
            self.part(slice);
        }
    }

    /// A whole job on this thread, with a pause after each slice.
    pub async fn in_slices<F: Future<Output = ()>>(&self, pause: impl Fn() -> F) {
        for slice in self.slices() {
            self.part(slice);
            pause().await;
        }
    }

    /// A small task on this thread, which is no part of the load.
    pub fn small(&self) {
        let _ = self.calibration.work(SMALL);
    }

    /// A job in slices of a millisecond; none after the stop.
    fn slices(&self) -> impl Iterator<Item = Duration> {
        let mut left = self.length;
        iter::from_fn(move || {
            let slice = left.min(SLICE);
            left -= slice;
            (!slice.is_zero() && !self.stopped.load(Relaxed)).then_some(slice)
        })
    }

    /// Counts when it is done: all series advance together, so that none may have finished a job at the end.
    fn part(&self, asked: Duration) {
        let worked = self.calibration.work(asked);
        self.asked.fetch_add(nanoseconds(asked), Relaxed);
        self.worked.fetch_add(nanoseconds(worked), Relaxed);
    }
}

/// When each probe was answered, by its number; those that were not, or too late, have no time.
pub type Answers = Vec<Option<Instant>>;

/// What there was to see when the last probe was answered or the limit had passed.
#[derive(Debug)]
pub struct Observed {
    /// When that was.
    pub end: Instant,
    /// The load until then.
    pub progress: Progress,
    /// The probes that sleep.
    pub naps: Answers,
    /// The probes that work; none where there is no pool.
    pub smalls: Answers,
}

/// When which probe is due.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    /// When the program gives up.
    pub limit: Instant,
    first: Instant,
    period: Duration,
}

impl Schedule {
    /// The first one is due now.
    #[must_use]
    pub fn start(plan: &Plan) -> Self {
        let first = Instant::now();
        Self {
            limit: first + Duration::from_millis(plan.param("cap_ms")),
            first,
            period: Duration::from_micros(plan.param("period_us")),
        }
    }

    /// When a probe is due.
    #[must_use]
    pub fn of(self, probe: usize) -> Instant {
        self.first + Duration::from_nanos(nanoseconds(self.period) * probe as u64)
    }

    /// An answer, unless it came through when the load had ended: that was over the limit.
    #[must_use]
    pub fn counted(self, time: Instant) -> Option<Instant> {
        (time <= self.limit).then_some(time)
    }

    /// Keeps what was seen.
    pub fn record(self, iterations: &mut Iterations, elapsed: Elapsed, observed: &Observed) {
        let probes = observed.naps.len() as u64;
        let answered = observed.naps.iter().flatten().count() as u64;
        let evidence = Evidence::default()
            .with("answered", answered)
            .with("over_limit", probes - answered)
            .with("jobs", observed.progress.jobs)
            .with("asked_ns", observed.progress.asked)
            .with("worked_ns", observed.progress.worked);
        iterations.record(elapsed, probes, evidence);
        iterations.keep("lateness", self.lateness(&observed.naps, NAP, observed.end));
        iterations.keep("small", self.lateness(&observed.smalls, SMALL, observed.end));
    }

    /// How late each was, those without an answer so far, in nanoseconds.
    fn lateness(self, answers: &Answers, takes: Duration, end: Instant) -> Vec<u64> {
        let late = |(probe, time): (usize, &Option<Instant>)| {
            nanoseconds(time.unwrap_or(end).saturating_duration_since(self.of(probe) + takes))
        };
        answers.iter().enumerate().map(late).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arguments, Keys};
    use std::{
        future::ready,
        pin::pin,
        task::{Context, Poll, Waker},
        thread,
    };

    const MILLISECOND: Duration = Duration::from_millis(1);

    fn schedule() -> Schedule {
        let words = ["period_us=2000", "cap_ms=100", "iterations=1", "min_warm_ms=0"];
        let mut arguments = Arguments::parse(words.iter().map(Into::into)).unwrap();
        let keys = Keys::numbers(&["period_us", "cap_ms"]);
        Schedule::start(&Plan::from_arguments(&mut arguments, keys, || None).unwrap())
    }

    #[test]
    fn probes_are_late_by_the_schedule() {
        let schedule = schedule();
        let at = |ms| schedule.of(0) + ms * MILLISECOND;
        assert_eq!(schedule.of(3), at(6));
        assert_eq!((schedule.counted(at(100)), schedule.counted(at(101))), (Some(at(100)), None));
        let progress = Progress { jobs: 1, asked: 2, worked: 3 };
        let observed = Observed { end: at(50), progress, naps: vec![Some(at(2)), Some(at(3)), None], smalls: vec![] };
        let mut iterations = Iterations::once();
        schedule.record(&mut iterations, Elapsed::default(), &observed);
        let expected = [("lateness", vec![1_000_000, 0, 45_000_000]), ("small", vec![])];
        assert_eq!(iterations.series(), expected);
        let counts = iterations.all()[0].evidence;
        let expected = [("answered", 2), ("over_limit", 1), ("jobs", 1), ("asked_ns", 2), ("worked_ns", 3)];
        assert_eq!(counts.counts(), expected);
    }

    #[test]
    fn a_job_in_slices_counts_each() {
        let jobs = Jobs::new(Duration::from_micros(2_500));
        let pauses = AtomicU64::new(0);
        let pause = || {
            pauses.fetch_add(1, Relaxed);
            ready(())
        };
        assert_eq!(pin!(jobs.in_slices(pause)).poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(()));
        jobs.finish();
        let progress = jobs.progress();
        assert_eq!((pauses.into_inner(), progress.jobs, progress.asked), (3, 1, 2_500_000));
        assert!(progress.worked > 0);
    }

    #[test]
    fn a_job_in_one_piece_counts_each_slice_and_ends_with_the_one_in_which_it_is_stopped() {
        let jobs = Jobs::new(Duration::from_secs(3_600));
        thread::scope(|scope| {
            scope.spawn(|| jobs.work());
            while jobs.progress().asked == 0 {
                thread::yield_now();
            }
            jobs.stop();
        });
        assert!(jobs.progress().asked < nanoseconds(jobs.length));
    }

    #[test]
    fn a_small_task_is_no_part_of_the_load() {
        let jobs = Jobs::new(MILLISECOND);
        jobs.small();
        assert_eq!(jobs.progress().asked, 0);
    }

    #[test]
    fn a_load_is_over_when_it_is_stopped_or_late() {
        let jobs = Jobs::new(MILLISECOND);
        let now = Instant::now();
        assert!(jobs.over(now));
        assert!(!jobs.over(now + Duration::from_secs(3_600)));
        jobs.stop();
        assert!(jobs.over(now + Duration::from_secs(3_600)));
    }
}
