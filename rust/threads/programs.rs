//! All programs but startup, in one executable that is called by their names.

mod baseline;
mod cancel;
#[path = "fan-in.rs"]
mod fan_in;
mod fizzbuzz;
#[path = "fizzbuzz-sleep.rs"]
mod fizzbuzz_sleep;
#[path = "hand-off.rs"]
mod hand_off;
#[path = "io-switch.rs"]
mod io_switch;
#[path = "limit/hand-off.rs"]
mod limit_hand_off;
mod memory;
#[path = "memory-state.rs"]
mod memory_state;
mod mixed;
mod ring;
mod spawn;
#[path = "spawn-chain.rs"]
mod spawn_chain;
mod switch;
mod timers;
mod tree;

use std::process::ExitCode;

fn main() -> ExitCode {
    corobench_harness::programs(&[
        ("baseline", baseline::main),
        ("cancel", cancel::main),
        ("fan-in", fan_in::main),
        ("fizzbuzz", fizzbuzz::main),
        ("fizzbuzz-sleep", fizzbuzz_sleep::main),
        ("hand-off", hand_off::main),
        ("io-switch", io_switch::main),
        ("limit-hand-off", limit_hand_off::main),
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
