"""What several threads count at once: no one's count is lost between another's read and write."""

from collections.abc import Callable
from contextlib import suppress
from threading import Barrier, BrokenBarrierError, Thread

import pytest

from fizzbuzz_steps import Sleepers
from harness import Program
from parking import Lot
from timer_tasks import Deadlines
from tracing import Recorder, SwitchCounter, Tracing

PATIENCE = 0.2  # seconds in which the other thread comes, where nothing keeps it away


class Slow(int):
    """A count to which nothing is added before two threads want to, or one has waited in vain for the other."""

    both: Barrier

    def __add__(self, other: int) -> "Slow":
        with suppress(BrokenBarrierError):
            self.both.wait(PATIENCE)
        return Slow(int(self) + other)

    def __sub__(self, other: int) -> "Slow":
        return self + -other


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Slow]:
    monkeypatch.setattr(Slow, "both", Barrier(2), raising=False)
    return Slow


def in_two_threads(count: Callable[[int], object]) -> None:
    threads = [Thread(target=count, args=[i]) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setenv("COROBENCH_RUNTIME", "threads")
    return Program("timers", "n", "lead", "sleep_ms", arguments=["n=3", "lead=60000", "sleep_ms=1"])


def test_the_units_that_park(program: Program, slow: Callable[[int], Slow]) -> None:
    lot = Lot(program, Tracing(), None)
    lot.parked = slow(0)
    in_two_threads(lot.park)
    assert lot.parked == 2


def test_the_units_that_leave(program: Program, slow: Callable[[int], Slow]) -> None:
    lot = Lot(program, Tracing(), None)
    lot.parked = slow(2)
    in_two_threads(lambda _: lot.leave())
    assert lot.parked == 0


def test_the_sleepers_that_are_alive(program: Program, slow: Callable[[int], Slow]) -> None:
    sleepers = Sleepers(program, lambda: None)
    sleepers.alive = slow(0)
    in_two_threads(sleepers.lie_down)
    assert (sleepers.alive, sleepers.most_alive) == (2, 2)


def test_true_switches(slow: Callable[[int], Slow]) -> None:
    counter = SwitchCounter()
    counter.true_switches = slow(0)
    turns = counter.over(lambda _, times: range(times))
    in_two_threads(lambda i: list(turns(i, 1)))
    assert counter.true_switches == 2


def test_the_numbers_of_tasks_that_threads_start(slow: Callable[[int], Slow]) -> None:
    class Numbers:
        """As itertools.count is without the interpreter's lock: two can read it before either has gone on."""

        at = slow(0)

        def __next__(self) -> int:
            self.at += 1
            return self.at

    recorder = Recorder(lambda: "unit")
    recorder._numbers = Numbers()  # type: ignore[assignment]

    def at_once(function: Callable[..., None], *arguments: int) -> None:
        function(*arguments)

    start = recorder.starts_any(at_once)
    in_two_threads(lambda _: start(lambda: None))
    assert sorted(i for kind, i, _ in recorder.events if kind == "spawn") == [1, 2]


def test_tasks_that_wake_early_are_counted_by_what_each_has_left(program: Program) -> None:
    deadlines = Deadlines(program)
    for i in (0, 2):
        deadlines.wake(i)  # a minute or more before its time; task 1 leaves nothing
    lap = next(program.laps())
    deadlines.record(program, lap, 3, 3, 3)
    assert lap.evidence["early"] == 2
    assert list(program._series["lateness"]) == [0, 0, 0]
