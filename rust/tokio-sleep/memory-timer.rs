//! Arms n timers for an hour, all futures of one task, and holds before, while and after they are pending.

use corobench_harness::{Evidence, Iterations, Keys, Plan, Region, Result, hold};
use runtime::{drive, program};
use std::{
    future::poll_fn,
    pin::Pin,
    process::ExitCode,
    task::Poll::{Pending, Ready},
    time::Duration,
};
use tokio::time::{Sleep, sleep};

/// Polls each timer once, which puts it into the runtime's wheel; returns how many are pending.
async fn arm(timers: &mut [Pin<Box<Sleep>>]) -> u64 {
    poll_fn(|context| {
        let armed = timers.iter_mut().map(|timer| u64::from(timer.as_mut().poll(context) == Pending)).sum();
        Ready(armed)
    })
    .await
}

async fn measure(mut plan: Plan) -> Result<Iterations> {
    hold("base", 0)?;
    let region = Region::start();
    let mut timers: Vec<_> = (0..plan.param("n")).map(|_| Box::pin(sleep(Duration::from_secs(3_600)))).collect();
    let created = timers.len() as u64;
    let armed = arm(&mut timers).await;
    hold("live", armed)?;

    let mut finished = 0;
    for timer in timers {
        finished += u64::from(!timer.is_elapsed());
        drop(timer);
    }
    hold("released", armed - finished)?;
    let evidence = Evidence::default().with("created", created).with("finished", finished);
    plan.iterations.record(region.stop(), finished, evidence);
    Ok(plan.iterations)
}

fn main() -> ExitCode {
    program("memory-timer", Keys::numbers(&["n"]), |plan| drive(measure(plan)))
}
