"""Independent pieces of the site on all CPUs of this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Piece = TypeVar("Piece")
Made = TypeVar("Made")

WORTH_IT = 4  # a process takes as long to start as a run's pages take to be made


def cpus() -> int:
    """Those of this process."""
    return len(os.sched_getaffinity(0))


def each(function: Callable[[Piece], Made], pieces: Iterable[Piece]) -> list[Made]:
    """What `function` makes of each piece, in their order. An error in one is raised here; function and pieces are pickled."""
    waiting = list(pieces)
    workers = min(len(waiting), cpus())
    if len(waiting) < WORTH_IT or workers < 2:
        return [function(piece) for piece in waiting]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:  # none shares another's painter
        return list(pool.map(function, waiting))
