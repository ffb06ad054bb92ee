//! All programs but startup, in one executable that is called by their names.

#[path = "../portable/baseline.rs"]
mod baseline;
mod cancel;
#[path = "../portable/channel.rs"]
mod channel;
#[path = "../portable/fan-in.rs"]
mod fan_in;
#[path = "../portable/fizzbuzz-sleep.rs"]
mod fizzbuzz_sleep;
#[path = "../portable/hand-off.rs"]
mod hand_off;
#[path = "../portable/rented/io-switch.rs"]
mod io_switch;
#[path = "../portable/memory.rs"]
mod memory;
#[path = "../portable/memory-state.rs"]
mod memory_state;
mod mixed;
#[path = "../portable/ring.rs"]
mod ring;
#[path = "../portable/spawn.rs"]
mod spawn;
#[path = "../portable/spawn-chain.rs"]
mod spawn_chain;
#[path = "../portable/timers.rs"]
mod timers;
#[path = "../portable/tree.rs"]
mod tree;

use std::process::ExitCode;

fn main() -> ExitCode {
    corobench_harness::programs(&[
        ("baseline", baseline::main),
        ("cancel", cancel::main),
        ("channel", channel::main),
        ("fan-in", fan_in::main),
        ("fizzbuzz-sleep", fizzbuzz_sleep::main),
        ("hand-off", hand_off::main),
        ("io-switch", io_switch::main),
        ("memory", memory::main),
        ("memory-state", memory_state::main),
        ("mixed", mixed::main),
        ("ring", ring::main),
        ("spawn", spawn::main),
        ("spawn-chain", spawn_chain::main),
        ("timers", timers::main),
        ("tree", tree::main),
    ])
}
