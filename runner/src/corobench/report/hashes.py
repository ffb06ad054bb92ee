"""Hashes of raw files, remembered for as long as the files are what they were: a thousand runs are gigabytes to read."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec

from corobench import store
from corobench.report.writing import write

RAW = ("run.json", *store.LOGS)
_SETTLED_NS = 2_000_000_000  # a younger file may change again within one tick of the file system's clock


class State(msgspec.Struct, frozen=True, array_like=True):
    """What tells that a file was changed, as in git's index."""

    mtime_ns: int
    ctime_ns: int
    size: int
    inode: int


class _Known(msgspec.Struct, frozen=True, array_like=True):
    states: list[State]
    digest: str


class Hashes:
    """Run folder -> hash of its raw files; `file` is where they are remembered, and may be removed at any time."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, _Known] = {}
        self._learned = False
        try:
            self._known = msgspec.json.decode(file.read_bytes(), type=dict[str, _Known])
        except (FileNotFoundError, msgspec.DecodeError):  # it is only a memory
            self._learned = True

    def of(self, folder: Path) -> str | None:
        """None where it is not known, or the files are not what they were."""
        known = self._known.get(_name(folder))
        return known.digest if known and known.states == _states(folder) else None

    def learn(self, folder: Path, digest: str) -> None:
        """Files that changed just now are not remembered: another change would not show in their times."""
        states = _states(folder)
        if all(time.time_ns() - max(s.mtime_ns, s.ctime_ns) > _SETTLED_NS for s in states):
            self._known[_name(folder)] = _Known(states, digest)
            self._learned = True

    def keep(self) -> None:
        """For the next build."""
        if self._learned:
            write(self._file, msgspec.json.encode(self._known))


def _name(folder: Path) -> str:
    return str(folder.absolute())


def _states(folder: Path) -> list[State]:
    found = [(folder / name).stat() for name in RAW if (folder / name).is_file()]
    return [State(s.st_mtime_ns, s.st_ctime_ns, s.st_size, s.st_ino) for s in found]
