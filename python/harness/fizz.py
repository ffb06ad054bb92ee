"""Fizzbuzz without tasks: the steps of each, and what they add up to."""

from harness import Lap

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
