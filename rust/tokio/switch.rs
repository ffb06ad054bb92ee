//! Starts k tasks that yield m times each.

use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result, TrueSwitches};
use corobench_tokio::{Case, Yield, drive, program, start};
use std::{
    future::poll_fn,
    process::ExitCode,
    task::Poll::{Pending, Ready},
};
use tokio::task::yield_now;

/// Goes to the back of the run queue at once, where `yield_now` waits for the scheduler's next turn.
pub(crate) async fn self_wake() {
    let mut woken = false;
    poll_fn(|context| {
        if woken {
            return Ready(());
        }
        woken = true;
        context.waker().wake_by_ref();
        Pending
    })
    .await;
}

/// A way to yield: as a type parameter it is part of the task, like a call that was written there.
pub(crate) trait Yielder: Copy + Send + 'static {
    /// The future to await.
    type Future: Future<Output = ()> + Send;
    /// Yields once.
    fn once(self) -> Self::Future;
}

impl<Y: Fn() -> F + Copy + Send + 'static, F: Future<Output = ()> + Send> Yielder for Y {
    type Future = F;
    fn once(self) -> F {
        self()
    }
}

async fn task<P: Probe>(i: u64, m: u64, yielder: impl Yielder, probe: P) -> u64 {
    let mut resumes = 0;
    for _ in 0..m {
        yielder.once().await;
        probe.event(Kind::Run, i);
        resumes += 1;
    }
    probe.event(Kind::Done, i);
    resumes
}

/// Returns how many tasks finished and how often they were resumed.
pub(crate) async fn switch<P: Probe>(k: u64, m: u64, yielder: impl Yielder, probe: &P) -> Result<(u64, u64)> {
    let handles: Vec<_> = (0..k).map(|i| start(i, task(i, m, yielder, probe.clone()), probe)).collect();
    let (mut finished, mut resumes) = (0, 0);
    for (i, handle) in (0..).zip(handles) {
        resumes += handle.await?;
        finished += 1;
        probe.event(Kind::Collect, i);
    }
    Ok((finished, resumes))
}

async fn measure<P: Probe>(mut plan: Plan, yielder: impl Yielder, probe: P) -> Result<Iterations> {
    let (k, m) = (plan.param("k"), plan.param("m"));
    while plan.iterations.wanted() {
        let region = Region::start();
        let (finished, resumes) = switch(k, m, yielder, &probe).await?;
        let elapsed = region.stop();
        let evidence = Evidence::default().with("finished", finished).with("resumes", resumes);
        plan.iterations.record(elapsed, resumes, probe.testify(evidence));
    }
    Ok(plan.iterations)
}

fn observed(Case { plan, runtime, .. }: Case, yielder: impl Yielder) -> Result<Iterations> {
    match (plan.trace.clone(), plan.flag("count")) {
        (None, false) => drive(&runtime, measure(plan, yielder, Off)),
        (None, true) => drive(&runtime, measure(plan, yielder, TrueSwitches::new(Off))),
        (Some(trace), false) => drive(&runtime, measure(plan, yielder, trace)),
        (Some(trace), true) => drive(&runtime, measure(plan, yielder, TrueSwitches::new(trace))),
    }
}

fn main() -> ExitCode {
    program("switch", Keys { flags: &["count"], ..Keys::numbers(&["k", "m"]) }, |case| match case.variant.yields {
        Yield::Now => observed(case, yield_now),
        Yield::SelfWake => observed(case, self_wake),
    })
}
