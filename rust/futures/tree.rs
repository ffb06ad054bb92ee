//! A tree of futures: each polls a set of ten children, down to n leaves, and sums up their results.

use corobench_futures::{drive, program};
use corobench_harness::{Evidence, Iterations, Keys, Kind, Off, Plan, Probe, Region, Result, Usage};
use futures::{StreamExt, future::BoxFuture, stream::FuturesUnordered};
use std::process::ExitCode;

/// A future's number, how many were joined below it, and the sum of its leaves.
type Outcome<N> = (N, u64, u64);

/// Boxed: a future that holds others of its own type has no size otherwise.
type Node<N> = BoxFuture<'static, Outcome<N>>;

/// How a node's future is made and watched; the future's type is a parameter, `F`, since Rust 1.85 can't prove of `P::Watched` that
/// what holds it can be sent.
trait Start<P: Probe, F>: Fn(P::Number, u64, u64, P) -> F + Copy + Send + 'static {}
impl<P: Probe, F, S: Fn(P::Number, u64, u64, P) -> F + Copy + Send + 'static> Start<P, F> for S {}

fn start<P: Probe>(i: P::Number, first: u64, leaves: u64, probe: P) -> P::Watched<Node<P::Number>> {
    probe.clone().watch(node(i, first, leaves, probe, start::<P>))
}

fn add<P: Probe, F>(set: &FuturesUnordered<F>, first: u64, leaves: u64, probe: &P, start: impl Start<P, F>) {
    let i = probe.number();
    probe.event(Kind::Spawn, i.into());
    set.push(start(i, first, leaves, probe.clone()));
    probe.event(Kind::Spawned, i.into());
}

fn node<P, F>(i: P::Number, first: u64, leaves: u64, probe: P, start: impl Start<P, F>) -> Node<P::Number>
where
    P: Probe,
    F: Future<Output = Outcome<P::Number>> + Send + 'static,
{
    Box::pin(async move {
        probe.event(Kind::Run, i.into());
        let (mut finished, mut sum) = (0, 0);
        if leaves == 1 {
            sum = first;
        } else {
            let tenth = leaves / 10;
            let mut children = FuturesUnordered::new();
            for child in 0..10 {
                add(&children, first + child * tenth, tenth, &probe, start);
            }
            while let Some((child, below, part)) = children.next().await {
                finished += 1 + below;
                sum += part;
                probe.event(Kind::Collect, child.into());
            }
        }
        probe.event(Kind::Done, i.into());
        (i, finished, sum)
    })
}

async fn measure<P: Probe>(mut plan: Plan, probe: P) -> Result<Iterations> {
    let n = plan.param("n");
    if 10_u64.pow(n.ilog10()) != n {
        return Err(Usage(format!("n={n} must be a power of ten")).into());
    }
    while plan.iterations.wanted() {
        let nonce = plan.nonce();
        let region = Region::start();
        let mut root = FuturesUnordered::new();
        add(&root, nonce, n, &probe, start::<P>);
        let (top, below, checksum) = root.next().await.ok_or("the root is in the set")?;
        let finished = 1 + below;
        probe.event(Kind::Collect, top.into());
        let elapsed = region.stop();
        let evidence = Evidence::default().with("finished", finished).with("checksum", checksum);
        plan.iterations.record(elapsed, finished, evidence);
    }
    Ok(plan.iterations)
}

pub(crate) fn main() -> ExitCode {
    program("tree", Keys::numbers(&["n"]), |plan| match plan.trace.clone() {
        None => drive(measure(plan, Off)),
        Some(trace) => drive(measure(plan, trace)),
    })
}
