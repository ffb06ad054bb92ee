//! Those of tokio's programs that are measured with link-time optimisation: linking all of them so takes three times as long.

#[path = "../tokio/hand-off.rs"]
mod hand_off;
#[path = "../tokio/spawn.rs"]
mod spawn;
#[path = "../tokio/spawn-chain.rs"]
mod spawn_chain;
#[path = "../tokio/switch.rs"]
mod switch;

use std::process::ExitCode;

fn main() -> ExitCode {
    corobench_harness::programs(&[
        ("hand-off", hand_off::main),
        ("spawn", spawn::main),
        ("spawn-chain", spawn_chain::main),
        ("switch", switch::main),
    ])
}
