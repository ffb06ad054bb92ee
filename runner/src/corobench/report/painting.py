"""Charts drawn beside other work: a process of its own draws while this one reads, sums up and writes pages.

The engine draws one chart at a time in a process, lets no other thread run meanwhile, and takes longer to start than ten charts
take. So one that will be needed is started before there is anything to draw. This process starts an engine of its own only when
nothing else is left to do: then it draws, from the last on, what the other has not come to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain

import msgspec

from corobench.report import rendering
from corobench.report.charts.style import Spec
from corobench.report.workers import Aside, cpus

_PIECE = 4  # charts that the process is given at a time: one by one, it would wait for this one's interpreter lock each time
_LEAST = 12  # charts, with fewer of which a process takes longer to start than it saves
_BESIDE: ContextVar[Painter | None] = ContextVar("painter", default=None)


class Painter:
    """The process, which starts when it is told to or when there is enough to draw."""

    def __init__(self) -> None:
        self._aside = Aside()
        self._started = False

    def start(self) -> None:
        """Returns at once; the process warms up meanwhile."""
        if not self._started:
            self._started = True
            self._aside.begin(rendering.warm_up)

    def draw(self, pieces: Sequence[Sequence[Spec]]) -> list[Future[list[str]]]:
        """Begins to draw these, in their order; none of them where that would not be worth it."""
        if not self._started and sum(map(len, pieces)) < _LEAST:
            return []
        self.start()
        return [self._aside.begin(rendering.all_drawn, piece) for piece in pieces]

    def end(self) -> None:
        self._aside.end()


@contextmanager
def beside() -> Iterator[Painter | None]:
    """Charts that are begun inside are drawn beside what follows, where there is a second CPU to do it."""
    if cpus() < 2:
        yield None
        return
    painter = Painter()
    token = _BESIDE.set(painter)
    try:
        yield painter
    finally:
        _BESIDE.reset(token)
        painter.end()


class Begun:
    """Drawings on their way, by what they are drawn from."""

    def __init__(self, specs: Sequence[Spec]) -> None:
        # The largest first: what is left for both at the end is small.
        self._order = sorted(range(len(specs)), key=lambda place: len(msgspec.json.encode(specs[place])), reverse=True)
        ordered = [specs[place] for place in self._order]
        self._pieces = [ordered[first : first + _PIECE] for first in range(0, len(ordered), _PIECE)]
        painter = _BESIDE.get()
        self._aside = painter.draw(self._pieces) if painter else []

    def finished(self) -> list[str]:
        """The drawings in the order of their specifications. An error in one is raised here."""
        aside, here = list(self._aside), []
        for piece in reversed(self._pieces):
            if aside and not aside.pop().cancel():
                break
            here.append(rendering.all_drawn(piece))
        there = (drawings.result() for drawings in self._aside[: len(self._pieces) - len(here)])
        found = dict(zip(self._order, chain(*there, *reversed(here)), strict=True))
        return [found[place] for place in range(len(found))]
