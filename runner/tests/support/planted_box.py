"""A box whose /proc and /sys are planted files."""

from __future__ import annotations

from pathlib import Path

from corobench.machine.proc import Host


def plant(root: Path, files: dict[str, str]) -> Host:
    """Writes the files, by their path on a real box, below `root`."""
    for path, text in files.items():
        file = root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return Host(root)
