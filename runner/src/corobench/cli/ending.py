"""What a run ends with, for a person: what it found, where its page will be, and what to do next."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from corobench import store
from corobench.case import TWIN
from corobench.cli.common import called, nearby

_WIDEST = 100


def lines(run: store.Run, root: Path) -> Iterator[str]:
    """What is said of a run when it has ended; `root` is the checkout."""
    from corobench.report.terminal import found  # noqa: PLC0415  not before everything is measured

    yield ""
    yield from found(run, _width())
    yield ""
    yield from _next(run, root)


def _width() -> int:
    """Of the table: that of the terminal, or of a page where there is none."""
    try:
        return min(_WIDEST, os.get_terminal_size(2).columns)
    except OSError:
        return _WIDEST


def _next(run: store.Run, root: Path) -> Iterator[str]:
    """Where the page will be, and a command or two."""
    from corobench.report import layout  # noqa: PLC0415

    results = root / "results"
    reported = run.folder.parent.parent == results
    name = run.folder.name if reported else nearby(run.folder)
    if reported:
        page = results / "site" / layout.place(run.folder) / "index.html"
        yield f"page: {nearby(page)}, written by `{called()} report`"
    if not run.header.claims:
        yield f"next: {called()} run --profile default    (numbers that can be quoted)"
    elif not all(mark.values.get("precise", True) for mark in run.marks if mark.event == "finished"):
        yield f"next: {called()} run --resume {name} --budget 1h    (more precise numbers)"
    measured = {invocation.case for invocation in run.invocations}
    first = next((case for case in run.header.plan.cases if case in measured), None)
    if first is not None:
        yield f"next: {called()} show {first.removesuffix(TWIN)} --run {name}    (a case in full)"
