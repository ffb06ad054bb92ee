//! Opens sets of n tasks, of which one fails; the others are aborted for it, and all are joined.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result};
use runtime::{drive, gate::Latch, program};
use std::{
    future::pending,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};
use tokio::task::JoinSet;

/// The error of a child; its value tells which.
struct Failure(u64);

/// Counts itself when its task ends.
struct CleanUp<P: Probe> {
    i: u64,
    cleaned: Arc<AtomicU64>,
    probe: P,
}

impl<P: Probe> Drop for CleanUp<P> {
    fn drop(&mut self) {
        self.cleaned.fetch_add(1, Relaxed);
        self.probe.event(Kind::Done, self.i);
    }
}

/// Waits for what never comes.
async fn wait<P: Probe>(i: u64, siblings: Arc<Latch>, cleaned: Arc<AtomicU64>, probe: P) -> Failure {
    probe.event(Kind::Run, i);
    let _clean_up = CleanUp { i, cleaned, probe };
    siblings.arrive();
    pending().await
}

/// Waits until its siblings wait, if it has any.
async fn fail<P: Probe>(i: u64, value: u64, siblings: Option<Arc<Latch>>, probe: P) -> Failure {
    probe.event(Kind::Run, i);
    if let Some(siblings) = siblings {
        siblings.all().await;
    }
    probe.event(Kind::Fail, i);
    Failure(value)
}

/// What has become of all children.
#[derive(Default)]
struct Scopes {
    created: u64,
    failed: u64,
    cancelled: u64,
    cleaned: Arc<AtomicU64>,
    checksum: u64,
}

impl Scopes {
    /// Starts n children, numbered from `first` on, and returns when all have ended.
    async fn open<P: Probe>(&mut self, first: u64, n: u64, value: u64, probe: &P) -> Result {
        let mut children = JoinSet::new();
        let siblings = Arc::new(Latch::new(n - 1));
        let last = first + n - 1;
        for i in first..last {
            let (siblings, cleaned) = (siblings.clone(), self.cleaned.clone());
            probe.start(i, || children.spawn(wait(i, siblings, cleaned, probe.clone())));
        }
        let siblings = (n > 1).then_some(siblings);
        probe.start(last, || children.spawn(fail(last, value, siblings, probe.clone())));
        self.created += children.len() as u64;
        while let Some(end) = children.join_next().await {
            match end {
                Ok(Failure(value)) => {
                    self.failed += 1;
                    self.checksum += value;
                    children.abort_all();
                }
                Err(end) if end.is_cancelled() => self.cancelled += 1,
                Err(end) => return Err(end.into()),
            }
        }
        Ok(())
    }
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let (n, m) = (plan.param("n"), plan.param("m"));
    while plan.iterations.wanted() {
        let (nonce, mut scopes) = (plan.nonce(), Scopes::default());
        let region = Region::start();
        for i in 0..m {
            probe.event(Kind::Open, i);
            scopes.open(i * n, n, nonce + i, &probe).await?;
            probe.event(Kind::Close, i);
        }
        let elapsed = region.stop();
        let Scopes { created, failed, cancelled, checksum, .. } = scopes;
        let evidence = Evidence::default().with("created", created).with("failed", failed);
        let evidence = evidence.with("cancelled", cancelled).with("cleaned", scopes.cleaned.load(Relaxed));
        plan.iterations.record(elapsed, cancelled + failed, evidence.with("checksum", checksum));
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("scope", Keys::numbers(&["n", "m"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
