"""Spawn by raw greenlets, which have no result and no join: each adds a result to a list, and the last one says so."""

from functools import partial
from pathlib import Path

from harness import Program
from hub import spawn_raw
from launch import run
from programs import load
from tracing import Tracing
from waiting import Event

idiom = load(Path(__file__).parents[1] / "gevent", "spawn")


class Group:
    """n tasks, and what those returned that have ended."""

    __slots__ = ("body", "ended", "results", "running")

    def __init__(self, n: int, trace: Tracing) -> None:
        self.body = trace.body(idiom.task)
        self.ended = Event()
        self.results: list[int] = []
        self.running = n

    def run(self, i: int) -> None:
        self.results.append(self.body(i))
        self.running -= 1
        if not self.running:
            self.ended.set()


def spawn(numbers: range, trace: Tracing) -> tuple[int, int, int]:
    """Tasks created, results received, their sum."""
    group = Group(len(numbers), trace)
    start = trace.starts(spawn_raw, numbers.start)
    created = finished = checksum = 0
    for i in numbers:
        start(group.run, i)
        created += 1
    group.ended.wait()
    for result in trace.collects(group.results, numbers.start):
        checksum += result
        finished += 1
    return created, finished, checksum


if __name__ == "__main__":
    run(Program("spawn", "n"), partial(idiom.main, spawn=spawn))
