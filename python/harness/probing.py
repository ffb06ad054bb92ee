"""Starvation: when probes were due and answered, and what the load has done meanwhile, for every Python runtime."""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from threading import Lock
from time import monotonic_ns

from harness import Lap, Program
from lineage import end_with
from work import Work

PARAMETERS = ("probes", "period_us", "series_count", "job_us", "cap_ms")
PROBE_SECONDS = 0.001  # what a probe sleeps
SMALL_NS = 100_000  # CPU time of the task by which a pool is probed
_SLICE_NS = 1_000_000


def burn(ns: int) -> int:
    """Uses so much CPU time of the thread that calls it; returns what it came to, nanoseconds both."""
    return Work().spin(ns)


@contextmanager
def workers() -> Iterator[ProcessPoolExecutor]:
    """A worker process for each CPU that this process may use (CPython 3.13 and newer take as many by default), all started."""
    cpus = len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(cpus, initializer=end_with, initargs=(os.getpid(),)) as pool:
        list(pool.map(burn, [_SLICE_NS] * cpus))
        yield pool


class Probes:
    """Probes of one kind on an absolute schedule; `takes_ns` is what one needs where nothing is in its way."""

    def __init__(self, program: Program, first_ns: int, takes_ns: int) -> None:
        period_ns = program["period_us"] * 1000
        self._schedule_ns = range(first_ns, first_ns + program["probes"] * period_ns, period_ns)
        self._takes_ns = takes_ns
        self._answers_ns: list[int | None] = [None] * program["probes"]
        self.closed = False

    def __len__(self) -> int:
        return len(self._schedule_ns)

    def left(self, i: int) -> float:
        """Seconds until probe i is to be sent; negative where it is overdue."""
        return (self._schedule_ns[i] - monotonic_ns()) / 1e9

    def answer(self, i: int) -> None:
        self._answers_ns[i] = monotonic_ns()

    def close(self, end_ns: int) -> tuple[int, list[int]]:
        """How many had an answer by the end, and the lateness of each in nanoseconds; without an answer, what it was then."""
        self.closed = True
        answers_ns = [end_ns + 1 if answer_ns is None else answer_ns for answer_ns in self._answers_ns]
        due_ns = [scheduled_ns + self._takes_ns for scheduled_ns in self._schedule_ns]
        # Never less than none: a timer may end a little before its time, and the end may come before a probe was due.
        lateness = [max(0, min(answer, end_ns) - due) for answer, due in zip(answers_ns, due_ns, strict=True)]
        return sum(answer <= end_ns for answer in answers_ns), lateness


class Load:
    """Endless series of jobs, and what they have done until they were stopped."""

    def __init__(self, program: Program) -> None:
        self.job_ns = program["job_us"] * 1000
        self.going = True
        self._lock = Lock()
        self._jobs = 0
        self._work = Work()

    def slices(self) -> Iterator[int]:
        """A job in parts of 1 ms of CPU time or less, nanoseconds; none after the stop."""
        for done_ns in range(0, self.job_ns, _SLICE_NS):
            if self.going:
                yield min(_SLICE_NS, self.job_ns - done_ns)

    def add(self, asked_ns: int, worked_ns: int) -> None:
        with self._lock:
            if self.going:
                self._work.add(asked_ns, worked_ns)

    def end_job(self) -> None:
        with self._lock:
            self._jobs += self.going

    def stop(self) -> dict[str, int]:
        """The evidence; what is under way does not count."""
        with self._lock:
            self.going = False
            return {"jobs": self._jobs, "asked_ns": self._work.asked_ns, "worked_ns": self._work.worked_ns}


class Scene:
    """One run: the load, the probes, and the time at which it ends at the latest. It begins when this is made."""

    def __init__(self, program: Program, pooled: bool) -> None:
        first_ns = monotonic_ns()
        self._cap_ns = first_ns + program["cap_ms"] * 1_000_000
        self.load = Load(program)
        self.sleeping = Probes(program, first_ns, int(PROBE_SECONDS * 1e9))
        self.small = Probes(program, first_ns, SMALL_NS) if pooled else None

    def left(self) -> float:
        """Seconds until the cap, never less than none."""
        return max(0, self._cap_ns - monotonic_ns()) / 1e9

    def close(self) -> None:
        """The end: what comes later does not count, nor do answers that came after the cap."""
        end_ns = min(monotonic_ns(), self._cap_ns)
        self._evidence = self.load.stop()
        self._answered, self._lateness = self.sleeping.close(end_ns)
        self._late_small = self.small.close(end_ns)[1] if self.small else []

    def record(self, program: Program, lap: Lap) -> None:
        probes = len(self._lateness)
        lap.record(ops=probes, answered=self._answered, over_limit=probes - self._answered, **self._evidence)
        program.series("lateness", self._lateness)
        program.series("small", self._late_small)
