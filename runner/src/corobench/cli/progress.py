"""Shows a run as it goes: one line on a terminal, drawn between programs only; plain lines elsewhere, a few a minute."""

from __future__ import annotations

import contextlib
import sys
import time

from corobench.cli.common import say
from corobench.execute.session import Decision
from corobench.store import Failure

_QUIET_S = 10.0  # between two plain lines


def human(seconds: float) -> str:
    """`3 min 05 s`."""
    whole = max(0, round(seconds))
    return f"{whole // 60} min {whole % 60:02d} s" if whole >= 60 else f"{whole} s"


def _too_short(fitting: int, needed: int, needed_s: float) -> str:
    return (
        f"the time budget has room for about {fitting} of the {needed} blocks that this profile needs at least; "
        f"for these, give it about {human(needed_s)} with --budget"
    )


class Plain:
    """For logs and pipes."""

    def __init__(self) -> None:
        self._said = -_QUIET_S

    def case(self, key: str, block: int, done: int, total: int, seconds_left: float) -> None:
        if time.monotonic() - self._said >= _QUIET_S:
            self._said = time.monotonic()
            say(f"block {block + 1}: {done}/{total}, budget left {human(seconds_left)}, now {key}")

    def failed(self, failure: Failure) -> None:
        say(f"FAILED {failure.case} (block {failure.block + 1}): {failure.reason}")

    def looked(self, decision: Decision, blocks: int) -> None:
        say(f"after {blocks} blocks: {decision.reason}")

    def too_short(self, fitting: int, needed: int, needed_s: float) -> None:
        say(_too_short(fitting, needed, needed_s))

    def close(self) -> None:
        """Nothing is held open."""


class Terminal(Plain):
    """One line that is redrawn before each program; no thread draws while one is measured (auto_refresh is off)."""

    def __init__(self) -> None:
        super().__init__()
        from rich.console import Console  # noqa: PLC0415  only a terminal pays for it
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

        self._bar = Progress(
            TextColumn("block {task.fields[block]}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("budget left {task.fields[left]}  {task.fields[case]}", style="dim"),
            console=Console(stderr=True),
            auto_refresh=False,
            transient=True,
        )
        self._task = self._bar.add_task("run", total=None, block=1, left="", case="")
        self._bar.start()

    def case(self, key: str, block: int, done: int, total: int, seconds_left: float) -> None:
        self._bar.update(self._task, completed=done, total=total, block=block + 1, left=human(seconds_left), case=key)
        self._bar.refresh()

    def failed(self, failure: Failure) -> None:
        self._bar.console.print(
            f"FAILED {failure.case} (block {failure.block + 1}): {failure.reason}", markup=False, highlight=False
        )

    def looked(self, decision: Decision, blocks: int) -> None:
        self._bar.console.print(f"after {blocks} blocks: {decision.reason}", markup=False, highlight=False)

    def too_short(self, fitting: int, needed: int, needed_s: float) -> None:
        self._bar.console.print(_too_short(fitting, needed, needed_s), markup=False, highlight=False)

    def close(self) -> None:
        with contextlib.suppress(OSError):  # of a terminal that was closed
            self._bar.stop()


def chosen() -> Plain:
    return Terminal() if sys.stderr.isatty() else Plain()
