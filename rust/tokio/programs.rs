//! All programs but startup, in one executable that is called by their names.

#[path = "../portable/baseline.rs"]
mod baseline;
mod burst;
mod cancel;
#[path = "cancel-loaded.rs"]
mod cancel_loaded;
#[path = "../portable/channel.rs"]
mod channel;
#[path = "fan-in.rs"]
mod fan_in;
#[path = "../portable/fizzbuzz.rs"]
mod fizzbuzz;
#[path = "../portable/fizzbuzz-sleep.rs"]
mod fizzbuzz_sleep;
#[path = "hand-off.rs"]
mod hand_off;
#[path = "io-switch.rs"]
mod io_switch;
#[path = "../portable/memory.rs"]
mod memory;
#[path = "../portable/memory-state.rs"]
mod memory_state;
#[path = "../portable/mixed.rs"]
mod mixed;
#[path = "../portable/sync/mutex.rs"]
mod mutex;
mod ring;
mod scope;
mod select;
#[path = "selfwake/switch.rs"]
mod selfwake_switch;
#[path = "../portable/sync/semaphore.rs"]
mod semaphore;
#[path = "sleep-zero.rs"]
mod sleep_zero;
mod spawn;
#[path = "spawn-chain.rs"]
mod spawn_chain;
#[path = "../portable/starvation.rs"]
mod starvation;
mod switch;
mod ticker;
#[path = "../portable/timers.rs"]
mod timers;
mod tree;
#[path = "wake-thread.rs"]
mod wake_thread;

use std::process::ExitCode;

fn main() -> ExitCode {
    corobench_harness::programs(&[
        ("baseline", baseline::main),
        ("burst", burst::main),
        ("cancel", cancel::main),
        ("cancel-loaded", cancel_loaded::main),
        ("channel", channel::main),
        ("fan-in", fan_in::main),
        ("fizzbuzz", fizzbuzz::main),
        ("fizzbuzz-sleep", fizzbuzz_sleep::main),
        ("hand-off", hand_off::main),
        ("io-switch", io_switch::main),
        ("memory", memory::main),
        ("memory-state", memory_state::main),
        ("mixed", mixed::main),
        ("mutex", mutex::main),
        ("ring", ring::main),
        ("scope", scope::main),
        ("select", select::main),
        ("selfwake-switch", selfwake_switch::main),
        ("semaphore", semaphore::main),
        ("sleep-zero", sleep_zero::main),
        ("spawn", spawn::main),
        ("spawn-chain", spawn_chain::main),
        ("starvation", starvation::main),
        ("switch", switch::main),
        ("ticker", ticker::main),
        ("timers", timers::main),
        ("tree", tree::main),
        ("wake-thread", wake_thread::main),
    ])
}
