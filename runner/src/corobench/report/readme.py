"""What a visitor of a code host reads: the table and picture of the README, and a Markdown page
beside each published run.
"""

from __future__ import annotations

import hashlib
import html
import re
import textwrap
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path

import msgspec

from corobench.errors import UserError
from corobench.report import render, vega, view
from corobench.report.charts.base import Chart
from corobench.report.exports import markdown
from corobench.report.headline import Column
from corobench.report.pages.run import stamp
from corobench.report.runs import Entry
from corobench.report.tables import Matrix, Row, Shown
from corobench.results import log
from corobench.results.log import log_file

PAGE = "README.md"
PICTURES = "pictures"  # the folder beside a run's page
_IMAGES = Path("docs/images")
_SHOWN = "switch"  # the workload of the picture where no run measured a million tasks
_FAMILIES = ("startup", "spawn", "switch", "memory")
_ROWS = 8
_MOST_PICTURES = 4
_WIDTH = 100
_BLOCK = re.compile(r"(<!-- results: .*? -->\n).*?(<!-- /results -->)", re.DOTALL)
_SHOWN_RUN = re.compile(r"[(\"]results/([^/)]+/[^/)]+)/README\.md[)\"]")


def shown_runs(text: str) -> list[str]:
    """The runs that the README's block shows, as box/run. UserError where it names none."""
    found = list(dict.fromkeys(_SHOWN_RUN.findall(_block(text)[0])))
    if not found:
        raise _no_block()
    return found


def with_results(text: str, entry: Entry, of: Entry, chart: Chart) -> str:
    """The README's text with its table made anew from a run, and its picture, which is a chart of
    the run `of`. UserError where the markers are missing.
    """
    match = _block(text)
    lines = [*_picture(of, chart), "", *_results(entry)]
    return text[: match.end(1)] + "\n" + "\n".join(lines) + "\n\n" + text[match.start(2) :]


def _picture(entry: Entry, chart: Chart) -> list[str]:
    return [
        f'<a href="results/{entry.key}/{PAGE}"><picture>',
        f'  <source media="(prefers-color-scheme: dark)" srcset="{_image(chart, "-dark")}">',
        f'  <img src="{_image(chart)}" alt="{html.escape(chart.title)}, by runtime">',
        "</picture></a>",
    ]


def _image(chart: Chart, suffix: str = "") -> str:
    return (_IMAGES / f"{chart.id.partition('--')[2]}{suffix}.svg").as_posix()


def _block(text: str) -> re.Match[str]:
    found = _BLOCK.search(text)
    if found is None:
        raise _no_block()
    return found


def _no_block() -> UserError:
    return UserError(
        "README.md: no results block; it must hold <!-- results: ... --> and <!-- /results -->"
    )


def pictures(of: Entry, chart: Chart) -> Iterator[tuple[Path, bytes]]:
    """A chart of a run for a light and for a dark page: SVGs with their title and origin."""
    drawn = _drawn(of, chart)
    yield Path(_image(chart)), drawn
    yield Path(_image(chart, "-dark")), render.darkened(drawn.decode()).encode()


def charted(entry: Entry, million: Entry | None) -> tuple[Entry, Chart]:
    """The README's picture, and whose it is: of the run of a million tasks where there is one.
    UserError for a run without that workload.
    """
    of, workload = (million, "memory") if million else (entry, _SHOWN)
    charts = view.make_charts(of.summary, "brief").get(workload)
    if not charts:
        raise UserError(f"{of.folder}: has no chart of {workload} for the README")
    return of, charts[0]


def unshown(folder: Path, made: AbstractSet[Path]) -> list[Path]:
    """The pictures beside a run's page that no page shows any more: it may show others than it
    did.
    """
    return sorted({*(folder / PICTURES).glob("*.svg")} - made)


def run_page(entry: Entry) -> Iterator[tuple[Path, bytes]]:
    """The Markdown page of a run and its pictures, by their path in the run's folder."""
    charts = [found[0] for found in view.make_charts(entry.summary, "brief").values() if found][
        :_MOST_PICTURES
    ]
    pictures = [(chart, Path(PICTURES) / f"{chart.id}.svg") for chart in charts]
    for chart, place in pictures:
        yield place, _drawn(entry, chart)
    text = markdown.page(entry.box, entry.summary)
    shown = [f"![{chart.title}]({place.as_posix()})\n" for chart, place in pictures]
    log = log_file(entry.folder).name
    raw = (
        f"Raw data: [run.json](run.json) (box, plan, versions) and [{log}]({log}), one JSON "
        "line an invocation"
    )
    yield (
        Path(PAGE),
        "\n".join(
            [text, *shown, f"{raw}; SHA-256, unpacked: `{log_digest(entry.folder)}`.", ""]
        ).encode(),
    )


def log_digest(folder: Path) -> str:
    """SHA-256 of a run's log, unpacked."""
    return hashlib.sha256(log.log_bytes(folder)).hexdigest()


def index(entries: Iterable[Entry]) -> str:
    """The page of all published runs, newest first, each with its box, size and noise."""
    lines = [
        "# Published runs",
        "",
        "One folder a box, one a run: its page, its raw log and what was known before it began.",
        "`make publish` builds the site of all of them.",
        "",
        "| run | CPU | profile | blocks | runtimes | noise floor |",
        "|---|---|---|---:|---:|---:|",
    ]
    for entry in entries:
        card = entry.card
        noise = "not measured" if card.noise_floor is None else f"±{100 * card.noise_floor:.1f} %"
        cells = [
            f"[{entry.name}]({entry.key}/{PAGE})",
            card.cpu,
            card.profile,
            card.blocks,
            len(card.runtimes),
            noise,
        ]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join([*lines, ""])


def _drawn(entry: Entry, chart: Chart) -> bytes:
    return render.titled(
        vega.draw(next(iter(chart.specs.values()))), chart.title, stamp(entry)
    ).encode()


def _results(entry: Entry) -> list[str]:
    summary = entry.summary
    shown = view.make_view(entry.box, entry.name, summary, "head")
    columns, rows = _narrow(shown.matrix)
    page = f"results/{entry.key}/{PAGE}"
    heads = ["Runtime (unit)", *(f"{column.title}, {_unit(column)}" for column in columns)]
    where = f"one CPU of {entry.card.cpu}, {summary.created[:10]}"
    said = (
        f"Medians of up to {summary.blocks} processes with 95 % intervals, on {where};"
        " lower is better. *Italic*: too uncertain to rank."
        f" [All numbers of this run]({page}), [all published runs](results/{PAGE})."
    )
    return [
        f"| {' | '.join(heads)} |",
        f"|---|{'---:|' * len(columns)}",
        *(
            f"| {row.runtime.name} ({row.runtime.unit}) | {' | '.join(map(_number, row.cells))} |"
            for row in rows
        ),
        "",
        *textwrap.wrap(said, width=_WIDTH, break_long_words=False, break_on_hyphens=False),
    ]


def _narrow(matrix: Matrix) -> tuple[list[Column], list[Row]]:
    """The headline columns, and of the core runtimes on the first track those with most numbers in
    them, in their order.
    """
    places = [
        i
        for family in _FAMILIES
        for i, column in enumerate(matrix.columns)
        if column.workload == family
    ]
    core = [row for row in next(iter(matrix.bodies.values())) if row.core and not row.made_for]
    cut = [msgspec.structs.replace(row, cells=[row.cells[i] for i in places]) for row in core]
    fullest = sorted(cut, key=lambda row: -sum(cell.value is not None for cell in row.cells))[
        :_ROWS
    ]
    return [matrix.columns[i] for i in places], [row for row in cut if row in fullest]


def _unit(column: Column) -> str:
    return " ".join(filter(None, [column.scale.symbol, column.per]))


def _number(cell: Shown) -> str:
    if cell.value is None:
        return cell.text
    return f"*{cell.text}*" if cell.state == "flagged" else f"{cell.text} ({cell.interval})"
