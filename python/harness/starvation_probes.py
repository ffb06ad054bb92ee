"""Starvation: when probes were due and answered, and what the load has done meanwhile, for every Python runtime."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from ctypes import c_int, c_int64
from itertools import takewhile
from multiprocessing import RawArray, Value
from threading import Lock
from time import monotonic_ns
from typing import Any, ClassVar, NamedTuple

from child_processes import end_with
from cpu_work import Work
from harness import Lap, Program

PARAMETERS = ("probes", "period_us", "series_count", "job_us", "cap_ms")
PROBE_SECONDS = 0.001  # what a probe sleeps
SMALL_NS = 100_000  # CPU time of the task by which a pool is probed
_SLICE_NS = 1_000_000


def burn(ns: int) -> int:
    """Uses so much CPU time of the thread that calls it; returns what it came to, nanoseconds both."""
    return Work().spin(ns)


def _slices(ns: int) -> Iterator[int]:
    """So much CPU time in parts of 1 ms or less, nanoseconds all."""
    return (min(_SLICE_NS, ns - done_ns) for done_ns in range(0, ns, _SLICE_NS))


class Tally:
    """CPU time that worker processes were asked for and took, nanoseconds, in memory that they share with their parent.

    Each has a place of its own, which nobody else writes to: it needs no lock.
    """

    of_worker: ClassVar["Tally"]  # in a worker

    def __init__(self, workers: int) -> None:
        self._sums = RawArray(c_int64, 2 * workers)
        self._taken = Value(c_int, 0)
        self._place = 0

    def begin(self, parent: int) -> None:
        """What a worker does first: it takes the next place, and ends when its parent does."""
        end_with(parent)
        with self._taken.get_lock():
            self._place = 2 * self._taken.value
            self._taken.value += 1
        Tally.of_worker = self

    def add(self, asked_ns: int, worked_ns: int) -> None:
        self._sums[self._place] += asked_ns
        self._sums[self._place + 1] += worked_ns

    def sums(self) -> tuple[int, int]:
        """What all were asked for until now, and what they took."""
        return sum(self._sums[::2]), sum(self._sums[1::2])


def tallied(ns: int) -> None:
    """Uses so much CPU time of the worker process that calls it; each millisecond counts when it is done."""
    for part_ns in _slices(ns):
        Tally.of_worker.add(part_ns, burn(part_ns))


@contextmanager
def workers() -> Iterator[tuple[ProcessPoolExecutor, Tally]]:
    """A worker process for each CPU that this process may use (CPython 3.13 and newer take as many by default), all started."""
    cpus = len(os.sched_getaffinity(0))
    tally = Tally(cpus)
    with ProcessPoolExecutor(cpus, initializer=tally.begin, initargs=(os.getpid(),)) as pool:
        list(pool.map(burn, [_SLICE_NS] * cpus))
        yield pool, tally


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
    """Endless series of jobs, and what they have done until they were stopped; what processes do stands in their tally."""

    def __init__(self, program: Program, tally: Tally | None = None) -> None:
        self.job_ns = program["job_us"] * 1000
        self.going = True
        self._lock = Lock()
        self._jobs = 0
        self._work = Work()
        self._tally = tally

    def slices(self, ns: int) -> Iterator[int]:
        """So much CPU time in parts of 1 ms or less, nanoseconds all; none after the stop."""
        return takewhile(lambda _: self.going, _slices(ns))

    def work(self, ns: int) -> None:
        """Uses so much CPU time of the thread that calls it, without a pause; each millisecond counts when it is done."""
        for part_ns in self.slices(ns):
            self.add(part_ns, burn(part_ns))

    def add(self, asked_ns: int, worked_ns: int) -> None:
        with self._lock:
            if self.going:
                self._work.add(asked_ns, worked_ns)

    def end_job(self) -> None:
        with self._lock:
            self._jobs += self.going

    def stop(self) -> dict[str, int]:
        """The evidence; of what is under way the slices that are done."""
        with self._lock:
            self.going = False
            asked_ns, worked_ns = self._tally.sums() if self._tally else (0, 0)
            return {"jobs": self._jobs, "asked_ns": self._work.asked_ns + asked_ns, "worked_ns": self._work.worked_ns + worked_ns}


class Pool(NamedTuple):
    """Where CPU-bound work runs beside the loop.

    `execute` has it call a function with a number of nanoseconds. `tally`: that of its workers, where they are processes.
    """

    execute: Callable[[Callable[[int], object], int], Any]
    tally: Tally | None = None

    def work(self, load: Load) -> Any:
        """Has it do a whole job; returns what `execute` does."""
        return self.execute(tallied if self.tally else load.work, load.job_ns)


class Scene:
    """One run: the load, the probes, and the time at which it ends at the latest. It begins when this is made."""

    def __init__(self, program: Program, pool: Pool | None) -> None:
        first_ns = monotonic_ns()
        self._cap_ns = first_ns + program["cap_ms"] * 1_000_000
        self.load = Load(program, pool.tally if pool else None)
        self.sleeping = Probes(program, first_ns, int(PROBE_SECONDS * 1e9))
        self.small = Probes(program, first_ns, SMALL_NS) if pool else None

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
