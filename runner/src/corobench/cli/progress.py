"""Shows a run as it goes: one line on a terminal, drawn between programs only; elsewhere a plain
line a block or so.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time

from corobench.cli import say
from corobench.execute.session import Decision, Step
from corobench.results.log import Failure

_DUMB = "dumb"
_QUIET_S = 10.0  # between two plain lines, whatever begins
_SILENT_S = 60.0  # in a long block


def human(seconds: float) -> str:
    """`3 min 05 s`, `2 h 10 min`."""
    whole = max(0, round(seconds))
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
    return f"{whole // 60} min {whole % 60:02d} s" if whole >= 60 else f"{whole} s"


def too_short(fitting: int, needed: int, needed_s: float) -> str:
    """That a budget ends before the first look at precision."""
    return (
        f"the time budget has room for about {fitting} of the {needed} blocks that this profile "
        "needs at least; "
        f"for these, give it about {human(needed_s)} with --budget"
    )


class Plain:
    """For logs and pipes: no carriage return, and no line that says what the one before has
    said.
    """

    def __init__(self) -> None:
        self._said = -_SILENT_S
        self._block = -1

    def step(self, step: Step) -> None:
        quiet_s = time.monotonic() - self._said
        if quiet_s >= (_QUIET_S if step.block != self._block else _SILENT_S):
            self._said, self._block = time.monotonic(), step.block
            say(
                f"block {step.block + 1} of {step.blocks}: {step.share:.0%}, about "
                f"{human(step.left_s)} left, now {step.what}"
            )

    def failed(self, failure: Failure) -> None:
        self._say(f"FAILED {failure.case} (block {failure.block + 1}): {failure.reason}")

    def looked(self, decision: Decision, blocks: int) -> None:
        if not decision.stop:  # a run that ends here says why itself
            self._say(f"after {blocks} blocks: {decision.reason}")

    def too_short(self, fitting: int, needed: int, needed_s: float) -> None:
        self._say(too_short(fitting, needed, needed_s))

    def _say(self, text: str) -> None:
        say(text)

    def close(self) -> None:
        """Nothing is held open."""


class Terminal(Plain):
    """One line that is redrawn before each program; no thread draws while one is measured
    (auto_refresh is off).
    """

    def __init__(self) -> None:
        super().__init__()
        from rich.console import Console  # noqa: PLC0415  only a terminal pays for it
        from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415
        from rich.table import Column  # noqa: PLC0415

        rest = Column(no_wrap=True, overflow="ellipsis", ratio=1)
        self._bar = Progress(
            TextColumn("block {task.fields[block]}", table_column=Column(no_wrap=True)),
            BarColumn(bar_width=20),
            TextColumn(
                "{task.percentage:>3.0f} %, {task.fields[left]} left",
                table_column=Column(no_wrap=True),
            ),
            TextColumn("{task.fields[what]}", style="dim", markup=False, table_column=rest),
            console=Console(stderr=True),
            auto_refresh=False,
            transient=True,
            expand=True,
        )
        self._task = self._bar.add_task("run", total=1.0, block="", left="", what="", visible=False)
        self._bar.start()

    def step(self, step: Step) -> None:
        self._bar.update(
            self._task,
            completed=step.share,
            visible=True,
            block=f"{step.block + 1} of {step.blocks}",
            left=human(step.left_s),
            what=step.what,
        )
        self._bar.refresh()

    def _say(self, text: str) -> None:
        self._bar.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def close(self) -> None:
        with contextlib.suppress(OSError):  # of a terminal that was closed
            self._bar.stop()


def chosen() -> Plain:
    """By what stderr is: a terminal that can't go back in a line gets plain ones."""
    return Terminal() if sys.stderr.isatty() and os.environ.get("TERM", _DUMB) != _DUMB else Plain()
