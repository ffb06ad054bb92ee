"""The matrix of a run as multiples of one base: startup, switch and memory first."""

from __future__ import annotations

import msgspec

from corobench.report import units
from corobench.report.tables import BASELINE, Matrix, Row, Shown
from corobench.report.text import number

NO_BASE = "no base"
LEADING = ("startup", "switch", "memory")
# The least multiple of each shade. The sheet has the colours, and the browser is told of them.
SHADES = (0.0, 0.1, 0.5, 0.8, 1.25, 2.0, 5.0, 10.0, 100.0)


def normalise(matrix: Matrix) -> Matrix:
    """The same numbers with the leading columns first, and a floor as the default base of each
    track that has one. Ratios that don't exist are left out.
    """

    def rank(place: int) -> int:
        workload = matrix.columns[place].workload
        return LEADING.index(workload) if workload in LEADING else len(LEADING)

    places = sorted(range(len(matrix.columns)), key=rank)
    floors = {place.partition("/")[0]: name for place, name in reversed(matrix.floors)}
    return msgspec.structs.replace(
        matrix,
        columns=[matrix.columns[place] for place in places],
        bodies={
            track: [
                msgspec.structs.replace(row, cells=[row.cells[place] for place in places])
                for row in rows
            ]
            for track, rows in matrix.bodies.items()
        },
        ratios={
            base: {
                key: [figure, "base" if interval == BASELINE else interval]
                for key, (figure, interval) in ratios.items()
                if figure != units.NONE
            }
            for base, ratios in matrix.ratios.items()
        },
        defaults={track: floors.get(track, name) for track, name in matrix.defaults.items()},
    )


def doubts(matrix: Matrix) -> dict[str, dict[int, tuple[str, str]]]:
    """Track and base, as in the ratios -> place of a column -> what its multiples lack, and why."""
    return {
        f"{row.track}/{row.runtime.name}": {
            place: found
            for place, cell in enumerate(row.cells)
            if (found := _doubt(row, cell)) is not None
        }
        for row in matrix.rows
    }


def _doubt(row: Row, cell: Shown) -> tuple[str, str] | None:
    if cell.value is None:
        return NO_BASE, why(row, cell)
    return ("base not ranked", ", ".join(cell.reds)) if cell.state == "flagged" else None


def why(row: Row, cell: Shown) -> str:
    """Why a cell has no number."""
    if cell.state == "none":
        return "not asked of this variant" if row.made_for else "not on this track"
    return cell.reason or "no number"


def shade(multiple: str) -> int:
    """The place of a multiple among the shades, read from its text as the browser reads it; -1
    where there is no number.
    """
    value = number(multiple.replace(",", ""))
    return -1 if value is None else sum(value >= least for least in SHADES) - 1
