//! All programs but startup, in one executable that is called by their names.

#[path = "../threads/baseline.rs"]
mod baseline;
mod cancel;
#[path = "../threads/fizzbuzz.rs"]
mod fizzbuzz;
#[path = "../threads/fizzbuzz-sleep.rs"]
mod fizzbuzz_sleep;
#[path = "../threads/hand-off.rs"]
mod hand_off;
#[path = "../threads/io-switch.rs"]
mod io_switch;
#[path = "../threads/memory.rs"]
mod memory;
#[path = "../threads/memory-state.rs"]
mod memory_state;
#[path = "../threads/mixed.rs"]
mod mixed;
#[path = "../threads/ring.rs"]
mod ring;
#[path = "../threads/spawn.rs"]
mod spawn;
#[path = "../threads/spawn-chain.rs"]
mod spawn_chain;
#[path = "../threads/switch.rs"]
mod switch;
#[path = "../threads/timers.rs"]
mod timers;
#[path = "../threads/tree.rs"]
mod tree;

use std::process::ExitCode;

fn main() -> ExitCode {
    corobench_harness::programs(&[
        ("baseline", baseline::main),
        ("cancel", cancel::main),
        ("fizzbuzz", fizzbuzz::main),
        ("fizzbuzz-sleep", fizzbuzz_sleep::main),
        ("hand-off", hand_off::main),
        ("io-switch", io_switch::main),
        ("memory", memory::main),
        ("memory-state", memory_state::main),
        ("mixed", mixed::main),
        ("ring", ring::main),
        ("spawn", spawn::main),
        ("spawn-chain", spawn_chain::main),
        ("switch", switch::main),
        ("timers", timers::main),
        ("tree", tree::main),
    ])
}
