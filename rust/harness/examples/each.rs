//! Runs one cargo command for every crate beside this one: `each clippy --all-targets -- -D warnings`.

use std::{
    env,
    error::Error,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn manifests(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    let mut found: Vec<_> = entries.iter().map(|entry| entry.path().join("Cargo.toml")).collect();
    found.retain(|manifest| manifest.is_file());
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
