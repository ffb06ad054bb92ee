"""What an export format is, and the words that all of them owe."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from corobench import store
from corobench.statistics.values import Cell, RunSummary

NO_CLAIMS = "quick run: no claims"
NO_CLAIM = "no claim"


class Exporter(msgspec.Struct, frozen=True, kw_only=True):
    """A format: `name` on the command line, `file` beside the run's page where it is `shipped` with it.

    `lines`: it reads those of the raw log, which the run that it is given beside a page has only then: they are most of a run.
    """

    name: str
    title: str
    suffix: str
    media_type: str
    function: Callable[[store.Run, RunSummary], str]
    shipped: bool = False
    lines: bool = False

    @property
    def file(self) -> str:
        return "summary.json" if self.name == "json" else f"{self.name}{self.suffix}"

    def export(self, run: store.Run, summary: RunSummary) -> str:
        """The whole file as text."""
        return self.function(run, summary)


def claims(summary: RunSummary) -> str:
    """Empty for a run that may be quoted; the warning that every export of another one carries."""
    return "" if summary.claims else NO_CLAIMS


def numbers(summary: RunSummary) -> Iterator[Cell]:
    """The cells with a number."""
    return (cell for cell in summary.cells if cell.typical is not None)


def status(cell: Cell) -> str:
    """ok, not ranked, failed or no number."""
    if cell.gap:
        return "no number"
    return "failed" if cell.typical is None else "ok" if cell.trusted else "not ranked"


def caveat(summary: RunSummary, cell: Cell) -> str:
    """What a reader of one number must be told with it: that nothing is claimed, of the run or by the number, and red flags."""
    reds = [f"not ranked: {flag.name}" for flag in cell.flags if flag.level == "red"]
    return "; ".join(filter(None, [claims(summary), "" if cell.claims else NO_CLAIM, *reds]))
