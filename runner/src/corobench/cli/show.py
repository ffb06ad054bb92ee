"""`show`: a case of a run in full, or a line each for several."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from corobench.cli import called, completion, find_results, results_option, say
from corobench.cli.report import find_run, run_folders, this_box
from corobench.errors import UserError
from corobench.plan import Plan
from corobench.results import log
from corobench.suite.workload import TWIN

if TYPE_CHECKING:
    from corobench.report.reproduce import Number, Recipe
    from corobench.statistics.types import RunSummary

_NEAR = 3  # names that are offered for one that nothing has
_LETTERS = 120  # of a reason in a list


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """The cases that were asked for, and which run tells them. `newest_of`: how many runs of its
    box have them.
    """

    run: str
    box: str
    this_box: bool
    created: str
    claims: bool
    newest_of: int | None
    cases: list[Recipe]

    def origin(self, wanted: str, own: str) -> str:
        """Whose numbers these are, in a line."""
        when = (
            f"{self.created[:16].replace('T', ' ')} "
            f"UTC{'' if self.claims else ', quick run: no claims'}"
        )
        if self.this_box:
            several = (
                f"; the newest of {self.newest_of} here that have it"
                if (self.newest_of or 0) > 1
                else ""
            )
            return f"run {self.run} of this box ({self.box}), {when}{several}"
        why = (
            f"no run of this box ({own}) has {wanted!r}" if self.newest_of else f"this one is {own}"
        )
        return f"ANOTHER BOX: run {self.run} of {self.box}, {when}; {why}"


@click.command("show")
@click.argument("case", shell_complete=completion.cases)
@click.option(
    "--run",
    metavar="RUN",
    shell_complete=completion.runs,
    help="A run's folder or name; by default this box's newest that has the case.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
@results_option
def show_command(case: str, run: str | None, as_json: bool, named: Path | None) -> int:
    """Show a case: number, interval, flags, raw values, and the command that measures it again.

    CASE is workload/point/track/runtime, or some of these in this order: of several cases each is a
    line.
    """
    results, own = find_results(named), this_box()
    wanted = [part for part in case.split("/") if part]
    found = _find(results, wanted, run, own)
    if found is None:
        raise _unknown(results, case, run)
    summary, header, told = found
    origin = told.origin(case, own)
    if as_json:
        click.echo(msgspec.json.encode(told))
        if not told.this_box:
            say(origin)
        return 0
    lines = _whole(told.cases[0], summary, header) if len(told.cases) == 1 else _list(told.cases)
    click.echo("\n".join([origin, *lines]))
    if len(told.cases) > 1:
        say(f"{len(told.cases)} cases; one in full: {called()} show {told.cases[0].key}")
    return 0


def _find(
    results: Path, wanted: list[str], run: str | None, own: str
) -> tuple[RunSummary, log.RunHeader, Told] | None:
    """The newest run of this box that has such a case, else of another one; or the one that is
    named.
    """
    from corobench.report.reproduce import recipes  # noqa: PLC0415  as with all of the reporting half: loaded when it is used
    from corobench.statistics.summary import summarise_given  # noqa: PLC0415

    folders = [find_run(results, run)] if run is not None else _candidates(results, own)
    having = [folder for folder in folders if _may_have(_plan(folder), wanted)]
    for folder in having:
        read = log.read(folder)
        summary = summarise_given(read)
        found = [
            recipe
            for recipe in recipes(summary, read.header)
            if _has(recipe.key.split("/"), wanted)
        ]
        if found:
            box = str(read.header.box.get("name", folder.parent.name))
            told = Told(
                run=read.header.run,
                box=box,
                this_box=box == own,
                created=read.header.created,
                claims=read.header.claims,
                newest_of=None
                if run is not None
                else sum(other.parent.name == folder.parent.name for other in having),
                cases=sorted(found, key=lambda recipe: recipe.key.rpartition("/")[0]),
            )
            return summary, read.header, told
    return None


def _candidates(results: Path, own: str) -> list[Path]:
    """This box's runs, then all others; the newest first."""
    newest_first = sorted(run_folders(results), key=lambda folder: folder.name, reverse=True)
    return sorted(newest_first, key=lambda folder: folder.parent.name != own)


def _plan(folder: Path) -> Plan:
    """What a run has planned. UserError where run.json can't be read."""
    try:
        return log.read_header(folder).plan
    except OSError as error:
        raise UserError(f"{folder / 'run.json'}: not a run: {error.strerror}") from error


def _may_have(plan: Plan, wanted: list[str]) -> bool:
    """Whether one of its cases has these parts, or what is missing from it; a range of points
    (`n=1..9`) is known only later.
    """
    parts = [part for part in wanted if ".." not in part]
    places = [key.rpartition("/")[0].split("/") for key in plan.cases]
    missing = (
        [*place, gap.runtime] for gap in plan.gaps for place in places if place[0] == gap.workload
    )
    return any(_has(key.split("/"), parts) for key in plan.cases) or any(
        _has(place, parts) for place in missing
    )


def _has(parts: list[str], wanted: list[str]) -> bool:
    """Whether the wanted parts are among these, in this order."""
    rest = iter(parts)
    return all(part in rest for part in wanted)


def _unknown(results: Path, case: str, run: str | None) -> UserError:
    """The error for a case that no run has, with the nearest names."""
    folders = run_folders(results) if run is None else [find_run(results, run)]
    if not folders:
        return UserError(f"{results}: no run there yet; `make quick` makes one")
    keys = [key for folder in folders for key in _plan(folder).cases if not key.endswith(TWIN)]
    known = dict.fromkeys([*keys, *(part for key in keys for part in key.split("/"))])
    near = difflib.get_close_matches(case, known, n=_NEAR, cutoff=0.5)
    hint = (
        f"did you mean {' or '.join(map(repr, near))}?"
        if near
        else "a case is workload/point/track/runtime"
    )
    return UserError(f"{'no run' if run is None else f'run {run!r}'} has measured {case!r}; {hint}")


def _whole(recipe: Recipe, summary: RunSummary, header: log.RunHeader) -> Iterator[str]:
    """All that is known of a case."""
    from corobench.report.reproduce import origin  # noqa: PLC0415

    yield recipe.title + (f"\n  no number: {recipe.reason}" if recipe.reason else "")
    yield from (f"  failed: {text}" for text in recipe.failures)
    for number in recipe.numbers:
        yield f"  {number.metric}: {number.median}{f'; {number.against}' if number.against else ''}"
        yield from (f"    {name}: {value}" for name, value in number.figures)
        yield from (f"    {level}: {name}: {text}" for level, name, text in number.flags)
        yield (
            f"    by block ({number.symbol}): "
            f"{', '.join(f'{block}: {value}' for block, value in number.samples)}"
        )
    yield from _counted(recipe, summary)
    for name, value in [*origin(summary, header)[recipe.runtime], ("Source", recipe.source)]:
        yield f"  {name}: {value}"
    yield f"  again: {recipe.command}"


def _counted(recipe: Recipe, summary: RunSummary) -> Iterator[str]:
    """The events that an operation of the case takes, where they were counted."""
    from corobench.report.counted import number  # noqa: PLC0415

    for one in summary.counts:
        if one.key == f"{recipe.key}/{one.event}":
            told = f"not counted: {one.reason}" if one.value is None else number(one.value)
            yield f"  {one.event} an operation: {told}"


def _list(recipes: list[Recipe]) -> Iterator[str]:
    """A line for each number, or why there is none."""
    width = max(len(recipe.key) for recipe in recipes)
    for recipe in recipes:
        told = [f"{number.metric} {number.median}{_unranked(number)}" for number in recipe.numbers]
        reasons = [
            f"no number: {reason}" for reason in (recipe.reason, *recipe.failures[:1]) if reason
        ]
        for text in [*told, *reasons]:
            yield (
                f"{recipe.key:{width}}  "
                f"{text if len(text) <= _LETTERS else text[: _LETTERS - 1] + '…'}"
            )


def _unranked(number: Number) -> str:
    reds = [name for level, name, _ in number.flags if level == "red"]
    return f"; not ranked: {', '.join(reds)}" if reds else ""


COMMANDS = [show_command]
