"""Ends the programs of a run whose runner was killed: no orphan survives, and no file of theirs,
whatever happened.

The watchdog is a process of its own that sleeps in a read on a pipe whose other end only the runner
holds. When the runner is gone, in any way, the read ends, and every process whose environment
carries the run's token is killed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType


class Watchdog:
    """Guards the programs of a run while the block is entered."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __enter__(self) -> Watchdog:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__, self._token, tempfile.gettempdir()],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env={},
            start_new_session=True,
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def scratch(token: str) -> tempfile.TemporaryDirectory[str]:
    """A folder for the files of a program of this run: it goes when its block ends, or else with
    the run.
    """
    return tempfile.TemporaryDirectory(prefix=_prefix(token), ignore_cleanup_errors=True)


def discard(token: str, place: Path) -> None:
    """Removes what is left of the run's folders."""
    for left in place.glob(f"{_prefix(token)}*"):
        shutil.rmtree(left, ignore_errors=True)


def _prefix(token: str) -> str:
    return f"corobench-{token}-"


def sweep(token: str) -> int:
    """Kills every process that carries the token, until none is left; returns how many were
    killed.
    """
    wanted = b"COROBENCH_RUN=" + token.encode() + b"\0"
    killed: set[int] = set()
    for _ in range(100):
        found = {pid for pid in _processes(wanted) if pid != os.getpid()}
        if not found:
            return len(killed)
        for pid in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        killed |= found
        time.sleep(0.02)
    raise OSError(f"processes of run {token} refuse to die")


def _processes(wanted: bytes) -> list[int]:
    found = []
    for file in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if wanted in file.read_bytes() + b"\0":
                found.append(int(file.parent.name))
    return found


if __name__ == "__main__":
    sys.stdin.read()
    sweep(sys.argv[1])
    discard(sys.argv[1], Path(sys.argv[2]))
