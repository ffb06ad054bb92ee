//! All programs but startup, in one executable that is called by their names.

// By this name the program that all runtimes have knows the crate.
extern crate corobench_futures as runtime;

mod baseline;
mod cancel;
#[path = "fan-in.rs"]
mod fan_in;
mod fizzbuzz;
mod generator;
#[path = "hand-off.rs"]
mod hand_off;
#[path = "limit/hand-off.rs"]
mod limit_hand_off;
mod memory;
#[path = "memory-state.rs"]
mod memory_state;
mod ring;
mod spawn;
mod switch;
mod tree;

use std::process::ExitCode;

fn main() -> ExitCode {
    corobench_harness::programs(&[
        ("baseline", baseline::main),
        ("cancel", cancel::main),
        ("fan-in", fan_in::main),
        ("fizzbuzz", fizzbuzz::main),
        ("generator", generator::main),
        ("hand-off", hand_off::main),
        ("limit-hand-off", limit_hand_off::main),
        ("memory", memory::main),
        ("memory-state", memory_state::main),
        ("ring", ring::main),
        ("spawn", spawn::main),
        ("switch", switch::main),
        ("tree", tree::main),
    ])
}
