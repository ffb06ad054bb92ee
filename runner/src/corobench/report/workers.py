"""Independent pieces of the site on all CPUs of this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from multiprocessing.context import SpawnContext
from multiprocessing.synchronize import Event
from typing import TypeVar

Piece = TypeVar("Piece")
Made = TypeVar("Made")

WORTH_IT = 4  # a process takes as long to start as a run's pages take to be made


class Aside:
    """A process beside this one, which starts with the first thing that it is given to do and does one after the other."""

    def __init__(self) -> None:
        self._hurry = _not_forked().Event()
        self._pool = ProcessPoolExecutor(1, mp_context=_not_forked(), initializer=_listen, initargs=(self._hurry,))

    def begin(self, function: Callable[..., Made], *arguments: object) -> Future[Made]:
        """Returns at once. What has not been begun can be cancelled."""
        return self._pool.submit(function, *arguments)

    def hurry(self) -> None:
        """Something is waited for from now on."""
        self._hurry.set()

    def end(self) -> None:
        """What was not begun is not done."""
        self.hurry()
        self._pool.shutdown(cancel_futures=True)


_told: list[Event] = []


def _listen(hurry: Event) -> None:
    _told.append(hurry)


def in_no_hurry() -> bool:
    """Whether nobody waits yet for what this process does, which is one beside another."""
    return not any(hurry.is_set() for hurry in _told)


def cpus() -> int:
    """Those of this process."""
    return len(os.sched_getaffinity(0))


def _not_forked() -> SpawnContext:
    return get_context("spawn")  # the engine that draws the charts has threads


def each(function: Callable[[Piece], Made], pieces: Iterable[Piece]) -> list[Made]:
    """What `function` makes of each piece, in their order. An error in one is raised here; function and pieces are pickled."""
    waiting = list(pieces)
    workers = min(len(waiting), cpus())
    if len(waiting) < WORTH_IT or workers < 2:
        return [function(piece) for piece in waiting]
    with ProcessPoolExecutor(workers, mp_context=_not_forked()) as pool:
        return list(pool.map(function, waiting))
