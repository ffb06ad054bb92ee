"""Charts drawn beside other work: a process of its own draws while this one reads, sums up and writes pages.

The engine draws one chart at a time in a process, lets no other thread run meanwhile, and takes longer to start than ten charts
take. So one that will be needed is started before there is anything to draw; this process starts none of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from corobench.report import rendering
from corobench.report.charts.style import Spec
from corobench.report.workers import Aside, cpus

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

    def draw(self, specs: Sequence[Spec]) -> Callable[[], list[str]] | None:
        """Begins to draw these, in their order; None where that would not be worth it.

        All are one piece of work: to be given one chart after the other, the process would wait for this one's interpreter lock.
        """
        if not self._started and len(specs) < _LEAST:
            return None
        self.start()
        return self._aside.begin(rendering.all_drawn, specs)

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
        self._specs = specs
        painter = _BESIDE.get()
        self._aside = painter.draw(specs) if painter else None

    def finished(self) -> list[str]:
        """The drawings in the order of their specifications. An error in one is raised here."""
        if self._aside:
            return self._aside()
        return rendering.all_drawn(self._specs)
