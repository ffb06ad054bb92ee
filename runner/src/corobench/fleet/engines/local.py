"""The queue of one box, this one: a folder of scripts and one worker, which takes them in order.

What `make all` does, in the format of a fleet. The worker outlives the command that began it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec

from corobench.errors import UserError
from corobench.fleet.box import RESTARTS, UNFIT
from corobench.fleet.campaign import Campaign, Job
from corobench.fleet.engines import Box, Live
from corobench.fleet.script import script
from corobench.locks import holder, locked
from corobench.machine.facts import box_name
from corobench.machine.proc import Host, parsed
from corobench.results.log import write_atomically
from corobench.suite.workload import Value

_PAUSE_S = 10.0  # before a box that wasn't fit is asked again
_LOCK = "worker.lock"


class _Running(Value, frozen=True, kw_only=True):
    """The job under way. `pid` leads its process group, and `begun` tells it from a later process
    of that number.
    """

    key: str
    pid: int
    begun: int


class Local:
    """`folder`: where scripts wait, called by the order of their submission and their key."""

    def __init__(self, campaign: Campaign, folder: Path) -> None:
        self._campaign = campaign
        self._folder = folder

    def live(self) -> Mapping[str, Live]:
        queued = {_key(file): Live(id=file.stem, state="queued") for file in _waiting(self._folder)}
        now = _running(self._folder)
        if now is not None:
            queued[now.key] = Live(id=str(now.pid), state="running", box=_this())
        elif queued and holder(self._folder / _LOCK) is None:
            self._work()  # a worker that was killed, or a box that was restarted
        return queued

    def submit(self, job: Job) -> str:
        name = f"{time.time_ns()}.{job.key}"
        text = script(self._campaign, job, f"{RESTARTS}=${{{RESTARTS}:-0}}")
        self._folder.mkdir(parents=True, exist_ok=True)
        write_atomically(self._folder / f"{name}.sh", text.encode())
        self._work()
        return name

    def cancel(self, keys: Collection[str]) -> None:
        for file in _waiting(self._folder):
            if _key(file) in keys:
                file.unlink(missing_ok=True)
        now = _running(self._folder)
        if now is not None and now.key in keys:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(now.pid, signal.SIGTERM)

    def boxes(self) -> list[Box]:
        state = "idle" if _running(self._folder) is None else "allocated"
        return [Box(name=_this(), classes=list(self._campaign.boxes), state=state)]

    def _work(self) -> None:
        """A worker in a session of its own; one that finds another at work ends."""
        command = [sys.executable, "-P", "-m", "corobench", "fleet", "worker", str(self._folder)]
        with (self._folder / "worker.log").open("ab") as log:
            subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                cwd="/",
            )


def engine(campaign: Campaign) -> Local:
    if more := sorted(set(campaign.engine) - {"name"}):
        raise UserError(f"{campaign.file}: engine.{more[0]}: the local queue has no such setting")
    return Local(campaign, campaign.inbox_folder / ".local" / campaign.name)


def _this() -> str:
    return box_name(Host(), os.environ)


def _waiting(folder: Path) -> list[Path]:
    return sorted(folder.glob("[0-9]*.sh"))


def _key(file: Path) -> str:
    return file.stem.partition(".")[2]


def _running(folder: Path) -> _Running | None:
    """What a worker has begun and what still runs, whether the worker does or not."""
    try:
        told = msgspec.json.decode((folder / "running.json").read_bytes(), type=_Running)
    except FileNotFoundError:
        return None
    return told if _begun(told.pid) == told.begun else None


def _begun(pid: int) -> int | None:
    """When a process was started; None where there is none, or one that has ended."""
    try:
        stat = parsed(Path(f"/proc/{pid}/stat").read_text())
    except OSError:
        return None
    return stat.begun if stat.lives else None


def work(folder: Path) -> None:
    """The worker: runs what waits, one after another, until nothing does. Returns at once where
    another one works.
    """
    if holder(folder / _LOCK) is not None:
        return
    with locked(folder / _LOCK, lambda _who: None):
        while queue := _waiting(folder):
            _run(folder, queue[0])


def _run(folder: Path, file: Path) -> None:
    """A box that isn't fit is asked again after a pause: there is no other one."""
    restarts = 0
    while file.exists():
        process = subprocess.Popen(
            ["/bin/sh", str(file)],
            env={**os.environ, RESTARTS: str(restarts)},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )
        begun = _begun(process.pid)
        if begun is not None:
            told = _Running(key=_key(file), pid=process.pid, begun=begun)
            write_atomically(folder / "running.json", msgspec.json.encode(told))
        status = process.wait()
        if status != UNFIT:
            file.unlink(missing_ok=True)
        (folder / "running.json").unlink(missing_ok=True)
        restarts += 1
        if file.exists():
            time.sleep(_PAUSE_S)
