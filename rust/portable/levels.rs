//! Eight calls, each of which awaits the next; in the last a task parks with 1 KiB of local bytes.

use crate::gate::Gate;
use corobench_harness::Probe;
use std::hint::black_box;

/// The probe comes by value: without tracing it has no size, where a reference would take room at every level.
async fn level_8<P: Probe>(i: u64, gate: &Gate, probe: P) -> u64 {
    let residue = u8::try_from(i % 251).expect("a remainder of 251 is below 251");
    let bytes = [residue; 1024];
    // The compiler must take them all for read, else it could keep only the last.
    black_box(&bytes);
    gate.park(i, &probe).await;
    gate.parked.leave();
    i - i % 251 + u64::from(black_box(&bytes)[1023])
}

macro_rules! levels {
    ($($caller:ident awaits $callee:ident),*) => {
        $(async fn $caller<P: Probe>(i: u64, gate: &Gate, probe: P) -> u64 {
            $callee(i, gate, probe).await
        })*
    };
}

/// Task `i` goes down to the wait and comes back with `i`.
pub async fn level_1<P: Probe>(i: u64, gate: &Gate, probe: P) -> u64 {
    level_2(i, gate, probe).await
}

levels!(
    level_2 awaits level_3,
    level_3 awaits level_4,
    level_4 awaits level_5,
    level_5 awaits level_6,
    level_6 awaits level_7,
    level_7 awaits level_8
);
