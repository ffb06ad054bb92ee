"""The queue of one box, this one: a folder of scripts and one worker, which takes them in order.

What `make all` does, in the format of a fleet. The worker outlives the command that began it. There
is no other box: where this one isn't fit, the job waits and the box is asked again.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

import msgspec

from corobench.errors import UserError
from corobench.fleet.box import MOST, RESTARTS, UNFIT, Say
from corobench.fleet.campaign import Campaign, Job
from corobench.fleet.engines import Box, Live, script
from corobench.locks import holder, locked
from corobench.machine.facts import box_name
from corobench.machine.proc import Host, parsed
from corobench.results.log import write_atomically
from corobench.suite.workload import Value

T = TypeVar("T")

# Before a box that wasn't fit is asked again: twice as long each time.
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 10.0, 900.0
_STEP_S = 5.0  # of a pause, after which a cancelled job is noticed
_LOCK, _RUNNING, _UNFIT = "worker.lock", "running.json", "unfit.json"
# A job that was not merely turned away leaves the queue by itself if its worker was killed.
_ONCE = f'/bin/sh "$1"; status=$?; [ $status = {UNFIT} ] || rm -f "$1"; exit $status'


class Settings(Value, frozen=True, kw_only=True):
    """The [engine] of a campaign. `wait_s`: how long a job waits for this box to be fit."""

    name: str
    wait_s: float = 43_200.0


class _Running(Value, frozen=True, kw_only=True):
    """The job under way. `pid` leads its process group, and `begun` tells it from a later process
    of that number.
    """

    key: str
    pid: int
    begun: int


class _Unfit(Value, frozen=True, kw_only=True):
    """Why the job that is first waits, until when."""

    key: str
    reason: str
    until: str

    def __str__(self) -> str:
        return f"{self.reason}; it is asked again at {self.until}"


class Local:
    """`folder`: where scripts wait, called by the order of their submission and their key."""

    def __init__(self, campaign: Campaign, settings: Settings, folder: Path) -> None:
        self._campaign = campaign
        self._settings = settings
        self._folder = folder

    def live(self) -> Mapping[str, Live]:
        queued = {_key(file): Live(id=file.stem, state="queued") for file in _waiting(self._folder)}
        now = _running(self._folder)
        if now is not None:
            queued[now.key] = Live(id=str(now.pid), state="running", box=_this())
            return queued
        unfit = _told(self._folder / _UNFIT, _Unfit)
        if unfit and unfit.key in queued:
            queued[unfit.key] = msgspec.structs.replace(queued[unfit.key], reason=str(unfit))
        if queued:
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
        """A worker in a session of its own, where none is at work: a process that only finds that
        out would disturb what the other measures.
        """
        if holder(self._folder / _LOCK) is not None:
            return
        wait = f"--wait-s={self._settings.wait_s}"
        command = [sys.executable, "-P", "-m", "corobench", "fleet", "worker"]
        with (self._folder / "worker.log").open("ab") as log:
            subprocess.Popen(
                [*command, wait, str(self._folder)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                cwd="/",
            )


def engine(campaign: Campaign) -> Local:
    try:
        settings = msgspec.convert(campaign.engine, Settings)
    except msgspec.ValidationError as error:
        raise UserError(f"{campaign.file}: engine: {error}") from error
    if not settings.wait_s >= 0:
        raise UserError(f"{campaign.file}: engine.wait_s: {settings.wait_s} is no time")
    return Local(campaign, settings, campaign.inbox_folder / ".local" / campaign.name)


def _this() -> str:
    return box_name(Host(), os.environ)


def _waiting(folder: Path) -> list[Path]:
    return sorted(folder.glob("[0-9]*.sh"))


def _key(file: Path) -> str:
    return file.stem.partition(".")[2]


def _running(folder: Path) -> _Running | None:
    """What a worker has begun and what still runs, whether the worker does or not."""
    told = _told(folder / _RUNNING, _Running)
    return told if told and _begun(told.pid) == told.begun else None


def _told(file: Path, kind: type[T]) -> T | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except FileNotFoundError:
        return None


def _begun(pid: int) -> int | None:
    """When a process was started; None where there is none, or one that has ended."""
    try:
        stat = parsed(Path(f"/proc/{pid}/stat").read_text())
    except OSError:
        return None
    return stat.begun if stat.lives else None


def work(
    folder: Path, wait_s: float, say: Say, pause: Callable[[float], None] = time.sleep
) -> None:
    """The worker: runs what waits, one after another, until nothing does. Returns at once where
    another one works.
    """
    # asked once more when the lock is free: what came while it wasn't found this worker there
    while _waiting(folder) and holder(folder / _LOCK) is None:
        with locked(folder / _LOCK, lambda _who: None):
            while _running(folder):  # of a worker that was killed
                pause(1.0)
            while queue := _waiting(folder):
                _run(folder, queue[0], wait_s, say, pause)


def _run(folder: Path, file: Path, wait_s: float, say: Say, pause: Callable[[float], None]) -> None:
    """A job until it has ended. While the box isn't fit it is asked again, with growing pauses; the
    last time the job comes home as one that has failed.
    """
    waited, next_s, restarts = 0.0, _FIRST_PAUSE_S, 0
    while file.exists():
        last = waited >= wait_s
        told = {RESTARTS: str(restarts), MOST: str(restarts if last else restarts + 1)}
        said = _once(folder, file, told)
        if last:
            file.unlink(missing_ok=True)
        if not file.exists():
            return
        seconds = min(next_s, wait_s - waited)
        until = datetime.now().astimezone() + timedelta(seconds=seconds)
        unfit = _Unfit(key=_key(file), reason=said, until=f"{until:%H:%M:%S}")
        write_atomically(folder / _UNFIT, msgspec.json.encode(unfit))
        say(f"{unfit.key}: {unfit}")
        left = seconds
        while left > 0 and file.exists():
            pause(min(left, _STEP_S))
            left -= _STEP_S
        (folder / _UNFIT).unlink(missing_ok=True)
        waited, next_s, restarts = waited + seconds, min(2 * next_s, _LONGEST_PAUSE_S), restarts + 1


def _once(folder: Path, file: Path, told: Mapping[str, str]) -> str:
    """Runs a job, which leaves the queue unless this box isn't fit; the last that it said."""
    log = folder / f"{_key(file)}.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            ["/bin/sh", "-c", _ONCE, "job", str(file)],
            env={**os.environ, **told},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            cwd="/",
        )
    begun = _begun(process.pid)
    if begun is not None:
        running = _Running(key=_key(file), pid=process.pid, begun=begun)
        write_atomically(folder / _RUNNING, msgspec.json.encode(running))
    if process.wait() != UNFIT:
        file.unlink(missing_ok=True)
    (folder / _RUNNING).unlink(missing_ok=True)
    lines = log.read_text(errors="replace").splitlines()
    return lines[-1] if lines else ""
