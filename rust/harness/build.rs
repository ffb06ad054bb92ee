//! Hands the optimisation level that Cargo builds with to the programs, which say it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let level = std::env::var("OPT_LEVEL").expect("cargo sets OPT_LEVEL");
    println!("cargo::rustc-env=COROBENCH_OPT_LEVEL={level}");
}
