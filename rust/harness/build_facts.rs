//! Shared by the runtimes' build scripts: hands the locked version of a crate, and the compiler's, to the programs.

use std::{env, fs, process::Command};

/// Sets `COROBENCH_VERSION` and `COROBENCH_RUSTC` for `env!`. A crate has no version to ask for when it runs;
/// the lock file that it was built from is the nearest to that.
pub fn export(crate_name: &str) {
    println!("cargo::rerun-if-changed=Cargo.lock");
    let lock = fs::read_to_string("Cargo.lock").expect("Cargo.lock is readable");
    println!("cargo::rustc-env=COROBENCH_VERSION={}", locked_version(&lock, crate_name));

    let rustc = Command::new(env::var_os("RUSTC").expect("cargo sets RUSTC")).arg("--version").output();
    let text = String::from_utf8(rustc.expect("rustc runs").stdout).expect("rustc's version is text");
    let version = text.split_whitespace().nth(1).expect("rustc says `rustc VERSION`");
    println!("cargo::rustc-env=COROBENCH_RUSTC={version}");
}

fn locked_version<'a>(lock: &'a str, crate_name: &str) -> &'a str {
    let entry = format!("name = \"{crate_name}\"\nversion = \"");
    let mut found = lock.split(&entry).skip(1).map(|rest| rest.split('"').next().unwrap_or_default());
    match (found.next(), found.next()) {
        (Some(version), None) => version,
        _ => panic!("Cargo.lock must name {crate_name} exactly once"),
    }
}
