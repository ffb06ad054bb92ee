"""Puts Rust's own installer of this machine into a folder: fetched, held to its SHA-256, and run there without root.

`python3 install.py FOLDER [SUMS ADDRESS]`. SUMS is a list as of sha256sum, installer.sha256 beside this file by default: the sums
of Rust's release manifest, as Nix's rust-overlay repeats them. ADDRESS is where the archives lie.
"""

import hashlib
import platform
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
from pathlib import Path

SUMS = Path(__file__).with_name("installer.sha256")
ADDRESS = "https://static.rust-lang.org/dist"
CHUNK = 1 << 20


def main(folder: Path, sums: Path, address: str) -> None:
    """Installs compiler, cargo, standard library, clippy and rustfmt under `folder`. Exits with a line for anything else."""
    target = f"{platform.machine()}-unknown-linux-gnu"
    known = dict(reversed(line.split()) for line in sums.read_text().splitlines())
    name = next((name for name in known if name.endswith(f"-{target}.tar.xz")), None)
    if name is None:
        sys.exit(f"{sums}: no installer for {target}; it has {', '.join(known)}")
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        archive = Path(scratch) / name
        fetch(f"{address}/{name}", archive, known[name])
        with tarfile.open(archive) as packed:
            packed.extractall(scratch)  # noqa: S202  its contents are those that the sum names
        components = ["rustc", "cargo", f"rust-std-{target}", "clippy-preview", "rustfmt-preview"]
        script = archive.with_name(name.removesuffix(".tar.xz")) / "install.sh"
        subprocess.run(
            ["bash", script, f"--prefix={folder}", "--disable-ldconfig", f"--components={','.join(components)}"], check=True
        )


def fetch(url: str, file: Path, expected: str) -> None:
    """Exits where it can't be had or is another file than the one expected."""
    digest = hashlib.sha256()
    try:
        with urllib.request.urlopen(url, timeout=60) as source, file.open("wb") as target:  # noqa: S310
            while chunk := source.read(CHUNK):
                digest.update(chunk)
                target.write(chunk)
    except OSError as error:
        sys.exit(f"{url}: failed to fetch: {error}")
    if digest.hexdigest() != expected:
        sys.exit(f"{url}: SHA-256 is {digest.hexdigest()}, not {expected}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case [folder]:
            main(Path(folder), SUMS, ADDRESS)
        case [folder, sums, address]:
            main(Path(folder), Path(sums), address)
        case _:
            sys.exit("usage: install.py FOLDER [SUMS ADDRESS]")
