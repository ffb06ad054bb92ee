//! Hands on what Cargo builds with, which the programs say: the optimisation level, and how they are linked.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let level = env::var("OPT_LEVEL").expect("cargo sets OPT_LEVEL");
    println!("cargo::rustc-env=COROBENCH_OPT_LEVEL={level}");
    // Cargo tells no build script what its profile says of these. The runner sets them by variables, which come before
    // whatever else is said of the release profile; built without the runner, nobody knows.
    for (name, told) in [
        ("CARGO_PROFILE_RELEASE_LTO", "COROBENCH_LTO"),
        ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "COROBENCH_CODEGEN_UNITS"),
    ] {
        println!("cargo::rerun-if-env-changed={name}");
        let value = env::var(name).unwrap_or_else(|_| "unknown".to_owned());
        println!("cargo::rustc-env={told}={value}");
    }
}
