"""Charts drawn beside other work: a process of its own draws while this one reads, sums up and writes pages.

The engine draws one chart at a time in a process, lets no other thread run meanwhile, and takes longer to start than ten charts
take. So one that will be needed is started before there is anything to draw, and before this process has loaded what a report is
made with: what is large is imported here only where it is used. This process starts an engine of its own only when nothing else
is left to do and enough is left to draw: then it draws, from the last on, what the other has not come to.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

import msgspec

from corobench.report.workers import WORTH_IT, Aside, cpus, in_no_hurry

if TYPE_CHECKING:
    from corobench.report.charts.style import Spec

_PIECE = 4  # charts that the process is given at a time: one by one, it would wait for this one's interpreter lock each time
_PIECES = 3  # of them at once in the middle: while an engine starts here it is given nothing, and what it has must last
_FIRST = 8  # charts, the largest: each takes up to six times as long as one of the others
_LEAST = 12  # charts, with fewer of which a process takes longer to start than it saves
_PRACTICE = 6  # drawings, after which the engine gets hardly any faster
_ENGINE = 24  # charts that the process draws while an engine starts here
_BESIDE: ContextVar[Painter | None] = ContextVar("painter", default=None)


def warm_up() -> None:
    """What the process does before there is anything to draw: an engine that has drawn the like is faster."""
    from corobench.report import practice, rendering  # noqa: PLC0415  not before the process runs

    rendering.warm_up()
    for _ in range(_PRACTICE):
        if not in_no_hurry():
            break
        rendering.drawn(practice.panels())


def all_drawn(specs: Sequence[Spec]) -> list[str]:
    """The drawings in the order of their specifications. Raises the error of the first that can't be drawn."""
    from corobench.report import rendering  # noqa: PLC0415

    return [rendering.drawn(spec) for spec in specs]


def packed(specs: Sequence[Spec]) -> bytes:
    """The same, small enough to fit into a pipe that is not read while an engine starts in the other process."""
    return zlib.compress(msgspec.json.encode(all_drawn(specs)), 1)


def unpacked(drawings: bytes) -> list[str]:
    """What `packed` has drawn."""
    return msgspec.json.decode(zlib.decompress(drawings), type=list[str])


class Painter:
    """The process, which starts when it is told to or when there is enough to draw."""

    def __init__(self) -> None:
        self._aside = Aside()
        self._started = False

    def start(self) -> None:
        """Returns at once; the process warms up meanwhile."""
        if not self._started:
            self._started = True
            self._aside.begin(warm_up)

    def draw(self, pieces: Sequence[Sequence[Spec]]) -> list[Future[bytes]]:
        """Begins to draw these, in their order and `packed`; none of them where that would not be worth it."""
        if not self._started and sum(map(len, pieces)) < _LEAST:
            return []
        self.start()
        self._aside.hurry()
        return [self._aside.begin(packed, piece) for piece in pieces]

    def end(self) -> None:
        self._aside.end()


@contextmanager
def beside(new: int = 0) -> Iterator[Painter | None]:
    """Charts that are begun inside are drawn beside what follows, where there is a second CPU to do it.

    `new`: how many runs have all of their charts to be drawn; for a few the process starts at once. One that runs is taken.
    """
    if cpus() < 2:
        yield None
        return
    known = _BESIDE.get()
    painter = known or Painter()
    if 0 < new < WORTH_IT:
        painter.start()
    token = _BESIDE.set(painter)
    try:
        yield painter
    finally:
        _BESIDE.reset(token)
        if not known:
            painter.end()


class Begun:
    """Drawings on their way, by what they are drawn from."""

    def __init__(self, specs: Sequence[Spec]) -> None:
        # The largest first: what is left for both at the end is small.
        order = sorted(range(len(specs)), key=lambda place: len(msgspec.json.encode(specs[place])), reverse=True)
        self._places = list(_pieces(order))
        self._pieces = [[specs[place] for place in places] for places in self._places]
        painter = _BESIDE.get()
        self._aside = painter.draw(self._pieces) if painter else []

    def finished(self) -> Iterator[tuple[int, str]]:
        """Each drawing with the place of its specification, as they come. An error in one is raised here."""
        if not self._aside:
            for places, piece in zip(self._places, self._pieces, strict=True):
                yield from zip(places, all_drawn(piece), strict=True)
        first, end, least = 0, len(self._aside), _ENGINE
        while first < end:
            left = sum(map(len, self._places[first:end]))
            if not self._aside[first].done() and left > least and self._aside[end - 1].cancel():
                end, least = end - 1, 0  # the engine runs from now on
                yield from zip(self._places[end], all_drawn(self._pieces[end]), strict=True)
            else:
                yield from zip(self._places[first], unpacked(self._aside[first].result()), strict=True)
                first += 1


def _pieces(order: Sequence[int]) -> Iterator[Sequence[int]]:
    """Small ones at the end, where both draw; larger ones before, but for those charts that are themselves large."""
    start, half = 0, len(order) // 2
    while start < len(order):
        size = _PIECE * (_PIECES if _FIRST <= start < half else 1)
        yield order[start : start + size]
        start += size
