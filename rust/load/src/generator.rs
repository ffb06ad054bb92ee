//! Carries out a plan: all clients of all streams at once, on one thread.

use crate::{
    client::client,
    clock::{Alarm, cpu_ns, now_ns},
    error::Result,
    http::Connection,
    plan::Plan,
    report::Report,
    stream::Running,
    ticker::Ticker,
};
use std::{rc::Rc, time::Duration};
use tokio::{
    task::{JoinSet, LocalSet},
    time::timeout,
};

/// Carries out a plan. Connections that are kept are made before the clock starts.
///
/// # Errors
/// The generator itself fails: no file descriptors, a panic; or connecting takes longer than the cap.
pub async fn run(plan: Plan) -> Result<Report> {
    let cap = Duration::from_millis(plan.cap_ms);
    let streams: Vec<_> = plan.streams.into_iter().map(|stream| Rc::new(Running::new(plan.port, stream))).collect();
    let kept = timeout(cap, open(&streams)).await.map_err(|_| "the server did not let all clients connect in time")?;
    let local = LocalSet::new();
    let (mut counted, mut background) = (JoinSet::new(), JoinSet::new());
    let (begun_ns, begun_cpu_ns) = (now_ns(), cpu_ns());
    let ticker = streams.iter().any(|stream| stream.is_open()).then(|| Rc::new(Ticker::new(begun_ns)));
    if let Some(ticker) = &ticker {
        background.spawn_local_on(ticker.clone().tick(Alarm::new()?), &local);
    }
    for (stream, connections) in streams.iter().zip(kept) {
        let tasks = if stream.is_counted() { &mut counted } else { &mut background };
        stream.begun_ns.set(begun_ns);
        for (number, connection) in connections.into_iter().enumerate() {
            tasks.spawn_local_on(client(stream.clone(), number, connection), &local);
        }
    }
    let all = local.run_until(async {
        while let Some(client) = counted.join_next().await {
            client??;
        }
        Result::Ok(())
    });
    match timeout(cap, all).await {
        Ok(result) => result?,
        Err(_) => streams.iter().filter(|stream| stream.is_counted()).for_each(|stream| stream.cut_off()),
    }
    let (ended_ns, cpu_ns) = (now_ns(), cpu_ns() - begun_cpu_ns);
    drop((counted, background, local));
    let lateness = ticker.map(|ticker| ticker.lateness(ended_ns)).unwrap_or_default();
    let streams = streams.into_iter().map(|stream| stream.report.take()).collect();
    Ok(Report { elapsed_ns: ended_ns - begun_ns, cpu_ns, lateness, streams })
}

async fn open(streams: &[Rc<Running>]) -> Vec<Vec<Option<Connection>>> {
    let mut kept = Vec::new();
    for stream in streams {
        kept.push(stream.open().await);
    }
    kept
}
