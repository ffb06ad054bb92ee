"""The home folder of the tools that are started: the user's, or one of ours where that can't be written to."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

_OURS = Path(__file__).resolve().parents[3] / ".toolchain/home"
# Folders that tools make others in, and caches. What else lies in a home is settings, and toolchains that are only read.
_FOLDERS = (".", ".cargo", ".config", ".local", ".local/share")
_CACHES = {".cache", ".npm", "go", *(f".cargo/{name}" for name in ("registry", "git", ".package-cache", ".global-cache"))}


def home(environ: Mapping[str, str], ours: Path = _OURS) -> str:
    """HOME where it is a folder that can be written to; else a folder of ours with links to what the user's holds.

    Compilers and package managers keep caches in it, and end where they can't: in a container without a home, for a
    service's user, on a file system that is read-only.
    """
    theirs = Path(environ.get("HOME") or Path("~").expanduser())
    if theirs.is_dir() and os.access(theirs, os.W_OK | os.X_OK):
        return str(theirs)
    with contextlib.suppress(OSError):  # a checkout that can't be written to says so where something is made in it
        for folder in _FOLDERS:
            _link(theirs, ours, folder)
    return str(ours)


def _link(theirs: Path, ours: Path, folder: str) -> None:
    (ours / folder).mkdir(parents=True, exist_ok=True)
    source = theirs / folder
    for entry in source.iterdir() if source.is_dir() and os.access(source, os.R_OK | os.X_OK) else ():
        name = entry.relative_to(theirs)
        if str(name) not in {*_FOLDERS, *_CACHES}:
            with contextlib.suppress(FileExistsError):  # linked before, or the tool's own by now
                (ours / name).symlink_to(entry)
