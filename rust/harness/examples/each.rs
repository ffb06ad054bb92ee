//! Runs one cargo command for every crate below `rust/`: `each clippy --all-targets -- -D warnings`.

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

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    let (command, rest) = words.split_first().ok_or("usage: each COMMAND [ARGUMENT...]")?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the crate has no folder around it")?;
    for manifest in manifests(folder)? {
        eprintln!("{}", manifest.display());
        let mut cargo = Command::new(env::var_os("CARGO").ok_or("start this by cargo run")?);
        // From its folder, where it may have a configuration of its own.
        let crate_folder = manifest.parent().ok_or("a manifest lies in a folder")?;
        let status = cargo.current_dir(crate_folder).arg(command).args(rest).status()?;
        if !status.success() {
            return Err(format!("{}: {status}", manifest.display()).into());
        }
    }
    Ok(())
}
