"""On a box: qualify, measure, seal, put it into the outbox, deliver.

Exit statuses of a job: 0 sealed (a failed attempt is sealed as well, and comes home), 75 the box is
not fit now: the queue takes another one.
"""

from __future__ import annotations

import os
import shlex
import shutil
import statistics
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from corobench.commands import run_tool
from corobench.errors import UserError
from corobench.execute import begin, controls
from corobench.execute.program import track_cpus
from corobench.execute.watchdog import Watchdog
from corobench.fleet import attempt
from corobench.fleet.attempt import Attempt
from corobench.fleet.campaign import SPEED, Fact, Job, unlike
from corobench.locks import box_lock, locked
from corobench.machine.doctor import Report, examine
from corobench.machine.facts import CLASS
from corobench.results.log import write_atomically
from corobench.suite.workload import Value

Say = Callable[[str], None]

UNFIT = 75  # EX_TEMPFAIL of sysexits.h
RESTARTS = "COROBENCH_FLEET_RESTARTS"
MOST = "COROBENCH_FLEET_MOST_RESTARTS"  # by a queue that counts otherwise
_MOST_RESTARTS = 3
_CALIBRATIONS = 20  # of the box, that a new one is compared with
_FEWEST = 5  # of them, before which there is nothing to compare with
_CANARIES = 25
_SLOWER = 1.10  # a canary is the least of several spins, which a quiet box repeats within 2 %
_WAKES_LATER = 2.0  # the median of a wake-up depends on what the hypervisor does
_DELIVERY_S = 600.0
HISTORY = "history.json"
_NEVER = "another run"  # tolerated: two runs measure each other
_WORK, _REJECTED = ".work", ".rejected"


class Calibration(Value, frozen=True, kw_only=True):
    """How fast the box was, in nanoseconds: the least of fixed spins, the median wake-up on one
    core.
    """

    at: str
    canary_ns: float
    wake_ns: float | None


def look() -> Report:
    """What `doctor` finds on this box now."""
    return examine(run_lock=box_lock())


def unfit(
    found: Report,
    commit: str,
    facts: dict[str, Fact],
    tolerates: list[str],
    root: Path,
    outbox: Path,
) -> list[str]:
    """Why the box that was looked at must not measure now, a reason each; empty where it may.

    Its checkout, the facts of its class, what `doctor` warns of, and its speed within its own
    history, to which a fit box adds.
    """
    reasons = [
        *_checkout(commit, root),
        *unlike(facts, found.box),
        *(
            f"{one.name}: {one.fact}"
            for one in found.findings
            if one.warns and (one.name not in tolerates or one.name == _NEVER)
        ),
    ]
    return reasons or _calibrate(outbox / HISTORY, root, judged=SPEED not in tolerates)


def _checkout(commit: str, root: Path) -> list[str]:
    now, dirty = begin.commit_of(root)
    if now != commit:
        return [f"its checkout {root} is at {now[:12] or 'no commit'}, and not at {commit[:12]}"]
    return [f"its checkout {root} has uncommitted changes"] if dirty else []


def _calibrate(history: Path, root: Path, *, judged: bool) -> list[str]:
    now = _calibration(root)
    before: list[Calibration] = []
    with suppress(OSError, msgspec.DecodeError):  # a box without one begins one
        before = msgspec.json.decode(history.read_bytes(), type=list[Calibration])
    reasons = []
    if judged and len(before) >= _FEWEST:
        usual = statistics.median(one.canary_ns for one in before)
        if now.canary_ns > _SLOWER * usual:
            reasons.append(
                f"{SPEED}: a fixed spin takes {now.canary_ns / usual:.2f} times its usual time"
            )
        woken = [one.wake_ns for one in before if one.wake_ns is not None]
        if woken and now.wake_ns and now.wake_ns > _WAKES_LATER * statistics.median(woken):
            ratio = now.wake_ns / statistics.median(woken)
            reasons.append(f"{SPEED}: a wake-up takes {ratio:.2f} times its usual time")
    if not reasons:
        history.parent.mkdir(parents=True, exist_ok=True)
        kept = [*before, now][-_CALIBRATIONS:]
        write_atomically(history, msgspec.json.encode(kept))
    return reasons


def _calibration(root: Path) -> Calibration:
    mark = begin.token()
    with Watchdog(mark):
        wake_ups = controls.wake_ups(mark, root)
    trips: list[int] = wake_ups[0].values.get("round_trip_ns", [])
    spins = [controls.canary(track_cpus("one-cpu"))["cpu_ns"] for _ in range(_CANARIES)]
    return Calibration(
        at=attempt.now(),
        canary_ns=min(spins),
        wake_ns=statistics.median(trips) if trips else None,
    )


def work(job: Job, root: Path, outbox: Path, deliver: str, say: Say) -> int:
    """A job from its beginning to its delivery; its exit status."""
    restarts = int(os.environ.get(RESTARTS) or 0)
    with alone(outbox, say):
        shutil.rmtree(outbox / _WORK, ignore_errors=True)  # what a dead job has left
        started, found = attempt.now(), look()
        reasons = unfit(found, job.commit, job.facts, job.tolerates, root, outbox)
        if reasons and restarts < int(os.environ.get(MOST) or _MOST_RESTARTS):
            say(f"this box is not fit now: {'; '.join(reasons)}")
            return UNFIT
        folder = outbox / _WORK / attempt.new_id()
        folder.mkdir(parents=True)
        reason = (
            f"no fit box in {restarts + 1} attempts: {'; '.join(reasons)}"
            if reasons
            else _measure(job, root, folder)
        )
        made = Attempt(
            id=folder.name,
            job=job,
            box=found.box,
            started=started,
            sealed=attempt.now(),
            outcome="failed" if reason else "measured",
            reason=reason,
            restarts=restarts,
        )
        attempt.seal(folder, made)
        folder.rename(outbox / made.place.replace("/", "."))
        say(f"sealed {made.place}: {made.outcome}{f' ({reason})' if reason else ''}")
        deliver_all(outbox, deliver, say)
    return 0


def _measure(job: Job, root: Path, folder: Path) -> str:
    """Runs the job; why there is no whole run, or nothing."""
    options = {
        **msgspec.to_builtins(job.selection),
        "budget": f"{job.budget_s:g}s",
        "seed": job.seed,
        "out": str(folder / attempt.RUN),
    }
    words = [
        word
        for name, value in options.items()
        if value not in (None, [], "")
        for word in (f"--{name}", ",".join(value) if isinstance(value, list) else str(value))
    ]
    command = [sys.executable, "-P", "-m", "corobench", "run", *words]
    env = {**os.environ, CLASS: job.box_class}
    done = run_tool(command, root, env, folder / attempt.LOG, timeout_s=job.limit_s)
    try:
        found = attempt.run_folder(folder)
        # A case that failed makes the status 1, and its reason stands in the run.
        return "" if attempt.finished(found) else f"the run did not come to its end: {done.reason}"
    except UserError:
        last = next((line for line in reversed(done.output.splitlines()) if line.strip()), "")
        return f"{done.reason}: {last}"


def waiting(outbox: Path) -> list[Path]:
    """The sealed attempts that are not delivered, the oldest first."""
    sealed = outbox.glob(f"[0-9a-f]*/{attempt.MANIFEST}")
    return sorted((file.parent for file in sealed), key=lambda folder: folder.stat().st_mtime)


@contextmanager
def alone(outbox: Path, say: Say | None) -> Iterator[None]:
    """One at a time on a box: a job, a look at it, a delivery. Against a second copy of the queue,
    a person, and sending beside a measurement. Others wait and say for whom, or without `say` get
    RunFailed.
    """
    waiting = say and (lambda who: say(f"waiting for {who}, which works here"))
    with locked(outbox / ".lock", waiting):
        yield


def deliver_all(outbox: Path, command: str, say: Say) -> int:
    """Sends what waits in the outbox and removes what the collector has; how many are left."""
    left = 0
    for folder in waiting(outbox):
        answer = _deliver(folder, command)
        word = answer.partition(" ")[0]
        say(f"{folder.name}: {answer}")
        if word in ("STORED", "DUPLICATE"):
            shutil.rmtree(folder)
        elif word == "REJECT":
            # kept for whoever looks into it: sending it again would change nothing
            (outbox / _REJECTED).mkdir(exist_ok=True)
            folder.rename(outbox / _REJECTED / folder.name)
        else:
            left += 1
    return left


def _deliver(folder: Path, command: str) -> str:
    """What the collector says, or why nothing was heard from it.

    The tar is written while the command reads it: a box whose disk is full of attempts has no room
    for another copy.
    """
    reading, writing = os.pipe()
    wrong: list[str] = []

    def write() -> None:
        try:
            with os.fdopen(writing, "wb") as stream:
                attempt.send(folder, stream)
        except BrokenPipeError:
            pass  # the command has ended, and says why
        except OSError as error:
            wrong.append(f"{error.filename}: {error.strerror}")

    writer = threading.Thread(target=write)
    with os.fdopen(reading, "rb") as stream:
        writer.start()
        done = run_tool(shlex.split(command), folder.parent, timeout_s=_DELIVERY_S, feed=stream)
    writer.join()
    answer = done.output.strip().splitlines()
    if done.ok and answer and not wrong:
        return answer[-1]
    last = [*wrong, *done.errors.strip().splitlines()[-1:]]
    return f"not delivered: {done.reason}{f': {last[0]}' if last else ''}"
