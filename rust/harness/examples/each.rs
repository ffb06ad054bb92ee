//! Runs one cargo command for every crate below `rust/`: `each clippy --all-targets -- -D warnings`. A crate that needs a newer
//! Rust than this one is left out, and named.

use std::{
    env,
    error::Error,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The manifests of a folder and all below it, but for cargo's own output, in the order of their paths.
fn manifests(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.ends_with("target") {
            found.extend(manifests(&path)?);
        } else if path.ends_with("Cargo.toml") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The numbers of a version: `1.93.0 (abc 2026-01-01)` begins with 1 and 93.
fn numbers(version: &str) -> (u32, u32) {
    let mut parts = version.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok());
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0))
}

/// The Rust that a manifest asks for at least.
fn least(manifest: &Path) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(manifest)?;
    let value = text.lines().find_map(|line| line.strip_prefix("rust-version = \""));
    Ok(value.and_then(|rest| rest.split('"').next()).unwrap_or_default().to_owned())
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    let (command, rest) = words.split_first().ok_or("usage: each COMMAND [ARGUMENT...]")?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the crate has no folder around it")?;
    let program = env::var_os("CARGO").ok_or("start this by cargo run")?;
    let version = String::from_utf8(Command::new(&program).arg("--version").output()?.stdout)?;
    for manifest in manifests(folder)? {
        eprintln!("{}", manifest.display());
        let wanted = least(&manifest)?;
        if numbers(&version) < numbers(&wanted) {
            eprintln!("NOT PROVED HERE: it needs Rust {wanted}, and this is {}", version.trim());
            continue;
        }
        let mut cargo = Command::new(&program);
        // From its folder, where it may have a configuration of its own.
        let crate_folder = manifest.parent().ok_or("a manifest lies in a folder")?;
        let status = cargo.current_dir(crate_folder).arg(command).args(rest).status()?;
        if !status.success() {
            return Err(format!("{}: {status}", manifest.display()).into());
        }
    }
    Ok(())
}
