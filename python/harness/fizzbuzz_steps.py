"""Fizzbuzz without tasks: the steps of each, what they add up to, and the sleeps between them."""

from array import array
from collections.abc import Callable
from threading import Lock
from time import monotonic_ns

from harness import Lap, Program

PHASES = ("base", "spawn", "yield")


def step(number: int) -> int:
    """31 times the length of the text of a number, plus its first byte: its worth, so that it can't be left out."""
    text = _fizzbuzz(number)
    return 31 * len(text) + ord(text[0])


def _fizzbuzz(number: int) -> str:
    if number % 15 == 0:
        return "FizzBuzz"
    if number % 3 == 0:
        return "Fizz"
    if number % 5 == 0:
        return "Buzz"
    return str(number)


def steps(i: int, m: int) -> tuple[int, int]:
    """The steps of task i: how many, and their worth."""
    done = worth = 0
    for number in range(i, i + m):
        worth += step(number)
        done += 1
    return done, worth


class Tally:
    """What the tasks returned."""

    def __init__(self) -> None:
        self.finished = self.steps = self.checksum = 0

    def add(self, result: tuple[int, int]) -> None:
        """One task's steps and their worth."""
        self.finished += 1
        self.steps += result[0]
        self.checksum += result[1]

    def record(self, lap: Lap) -> None:
        lap.record(ops=self.finished, finished=self.finished, steps=self.steps, checksum=self.checksum)


def base(n: int, m: int) -> Tally:
    """The phase of plain calls."""
    tally = Tally()
    for i in range(n):
        tally.add(steps(i, m))
    return tally


class Sleepers:
    """n tasks, each asleep for `seconds` again and again; `all_sleep` is called when the last first lies down."""

    def __init__(self, program: Program, all_sleep: Callable[[], object]) -> None:
        self._n = program["n"]
        self._sleep_ns = program["sleep_ms"] * 1_000_000
        self.seconds = program["sleep_ms"] / 1000
        self._all_sleep = all_sleep
        # Arrays, so that nothing of this grows while the tasks' memory is read.
        self._asleep_ns = array("q", bytes(8 * self._n))
        self.lateness = array("q", bytes(8 * self._n))
        self._started = self.alive = self.most_alive = 0
        self._counting = Lock()  # tasks may be threads, for which these counts are several steps

    def lie_down(self, i: int) -> None:
        if not self._asleep_ns[i]:
            self._start()
        self._asleep_ns[i] = monotonic_ns()

    def wake(self, i: int) -> None:
        self.lateness[i] = max(0, monotonic_ns() - self._asleep_ns[i] - self._sleep_ns)

    def leave(self) -> None:
        """A task ends, or has failed: nobody shall wait for the others to lie down."""
        with self._counting:
            self.alive -= 1
            missing = self._started < self._n
        if missing:
            self._all_sleep()

    def _start(self) -> None:
        with self._counting:
            self._started += 1
            self.alive += 1
            self.most_alive = max(self.most_alive, self.alive)
            last = self._started == self._n
        if last:
            self._all_sleep()

    def record(self, program: Program, lap: Lap, tally: Tally) -> None:
        """A sleep is what counts as an operation: one follows each step."""
        evidence = {"finished": tally.finished, "steps": tally.steps, "checksum": tally.checksum}
        lap.record(ops=tally.steps, most_alive=self.most_alive, **evidence)
        program.series("lateness", self.lateness)
