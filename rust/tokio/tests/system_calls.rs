//! System calls, counted by strace: what the kernel was asked for can't be claimed, and is free of noise.

use std::{
    env, fs,
    io::{self, Write},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

/// What the socket of any runtime is read and written by.
const SOCKET: [&str; 8] = ["read", "readv", "recvfrom", "recvmsg", "write", "writev", "sendto", "sendmsg"];
const STARTS_DIFFER_BY: u64 = 20;

/// Without the tool the test is skipped, and fails in CI.
fn strace_is_there() -> bool {
    let found = Command::new("strace").arg("-V").output().is_ok();
    if !found {
        let told = "strace is not installed: the system calls are not counted; apt install strace";
        assert!(env::var_os("CI").is_none(), "{told}");
        // Not eprintln!, which a test that passes keeps to itself.
        writeln!(io::stderr(), "skipped: {told}").expect("stderr is open");
    }
    found
}

/// The programs' executable under the name of the one that is meant.
fn io_switch() -> PathBuf {
    let link = Path::new(env!("CARGO_TARGET_TMPDIR")).join("io-switch");
    // It may be left of an earlier test.
    let _ = fs::remove_file(&link);
    symlink(env!("CARGO_BIN_EXE_programs"), &link).expect("the folder is the tests' own");
    link
}

/// Calls of the socket's kinds that an iteration of `m` round trips makes, those of the start and the end included.
fn calls(program: &Path, flavor: &str, m: u64) -> u64 {
    let table = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("calls-{flavor}-{m}"));
    let done = Command::new("strace")
        .args(["-f", "-c", "-o"])
        .arg(&table)
        .arg("-e")
        .arg(format!("trace={}", SOCKET.join(",")))
        .arg(program)
        .args([format!("flavor={flavor}"), format!("m={m}")])
        .args(["iterations=1", "min_warm_ms=0", "trace=0"])
        .env("COROBENCH_RUNTIME", "tokio")
        .output()
        .expect("strace can be started");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let rows = fs::read_to_string(&table).expect("strace wrote its table");
    rows.lines().filter_map(of_row).sum()
}

/// The fourth field of a row of the table, where its last one is a call of the socket's.
fn of_row(row: &str) -> Option<u64> {
    let fields: Vec<_> = row.split_whitespace().collect();
    let is_asked = SOCKET.contains(fields.last()?);
    is_asked.then(|| fields[3].parse().expect("a number of calls"))
}

#[test]
fn each_byte_of_io_switch_goes_through_the_kernel() {
    if !strace_is_there() {
        return;
    }
    let program = io_switch();
    for flavor in ["current-thread", "multi-thread"] {
        let more = calls(&program, flavor, 600) - calls(&program, flavor, 100);
        let least = 500 * 4 - STARTS_DIFFER_BY;
        assert!(more >= least, "{flavor}: 500 more round trips of two bytes made {more} more calls");
    }
}
