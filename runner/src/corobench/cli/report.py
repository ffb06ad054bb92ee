"""The commands that read runs: report, publish, check, export, compare, readme and show.

Which run a command is about is said by its name, or it is the newest; which runs are of this box.
"""

from __future__ import annotations

import difflib
import gc
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from corobench.cli import called, checkout, completion, find_results, find_root, results_option, say
from corobench.commands import git
from corobench.errors import RunFailed, UserError, unknown
from corobench.machine.facts import box_name
from corobench.machine.proc import Host
from corobench.plan import Plan
from corobench.results import log
from corobench.suite.workload import TWIN

if TYPE_CHECKING:
    from corobench.report.reproduce import Number, Recipe
    from corobench.results.publishable import Origin
    from corobench.statistics.types import RunSummary
    from corobench.suite.runtime import Runtime


def find_run(results: Path, name: str | None) -> Path:
    """A run's folder from its path or its name (`run` or `box/run`); without one this box's newest,
    else the newest of all.

    UserError with the nearest name. That a run of another box is taken is said.
    """
    if name and (Path(name) / "run.json").is_file():
        return Path(name).resolve()
    runs = sorted(run_folders(results), key=lambda folder: folder.name)
    if not runs:
        raise UserError(f"{results}: no run there yet; `make quick` makes one")
    if name is None:
        return _newest(runs)
    named = [folder for folder in runs if name in (folder.name, known_as(folder))]
    if not named:
        raise unknown("run", name, [folder.name for folder in runs])
    if len(named) > 1:
        raise UserError(
            f"several boxes have a run {name!r}; say which: {', '.join(map(known_as, named))}"
        )
    return named[0]


def _run(results: Path | None, name: str | None) -> Path:
    """A run by its own folder, wherever that is, or by its name in a folder of runs."""
    if name and (Path(name) / "run.json").is_file():
        return Path(name).resolve()
    return find_run(find_results(results), name)


def _newest(runs: list[Path]) -> Path:
    box = this_box()
    own = [folder for folder in runs if folder.parent.name == box]
    if not own:
        say(f"no run of this box ({box}) is there: taken is {known_as(runs[-1])}, of ANOTHER BOX")
    return (own or runs)[-1]


def known_as(folder: Path) -> str:
    """A run is known by its box too: two boxes may have runs of one name."""
    return f"{folder.parent.name}/{folder.name}"


def run_folders(results: Path) -> list[Path]:
    """Those of all boxes."""
    return [file.parent for file in results.glob("[!.]*/[!.]*/run.json")]


def this_box() -> str:
    """The name under which runs of this box lie."""
    return box_name(Host(), os.environ)


def of_this_box(runs: list[Path]) -> list[Path]:
    """The runs of this box, or all where it has none. A clone brings the published runs of other
    boxes, which take a minute.
    """
    box = this_box()
    own = [folder for folder in runs if folder.parent.name == box]
    if own and len(own) < len(runs):
        say(
            f"report: {len(own)} of {len(runs)} runs are of this box ({box}); `corobench report "
            "--all` shows all"
        )
    return own or runs


address_option = click.option(
    "--address",
    metavar="URL",
    default="",
    envvar="COROBENCH_ADDRESS",
    help="Where the site will be served, for canonical links and pictures of shared links.",
)

SERVED = "http://127.0.0.1:8000/"  # by `make serve`
png_option = click.option(
    "--png", is_flag=True, help="Each chart as a PNG too; makes the site three times as large."
)


@click.command("report")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where the site is written; results/site by default.",
)
@click.option(
    "--all", "every", is_flag=True, help="The runs of every box under results/, published ones too."
)
@png_option
@results_option
def report_command(out: Path | None, every: bool, png: bool, named: Path | None) -> int:
    """Make the pages of this box's runs under results/. Prints the first page's path."""
    results = find_results(named)
    runs = run_folders(results)
    if not runs:
        raise UserError(f"{results}: no run there yet; `make quick` makes one")
    if not every:
        runs = of_this_box(runs)
    _address(_site(results, out, runs, png), out)
    return 0


def _address(page: Path, out: Path | None) -> None:
    """Where the site is, as the last word: its path is data."""
    click.echo(page)
    if out is None and checkout():
        say(f"open it, or show it on this machine: make serve, then {SERVED}")


@click.command("publish")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where the site is written; results/site by default.",
)
@png_option
@address_option
@results_option
def publish_command(out: Path | None, png: bool, address: str, named: Path | None) -> int:
    """Make the site of the committed runs of every box, ready for a static host. Checks each run
    first.

    Outside of a checkout, of all runs in the folder.
    """
    results, root = find_results(named), checkout()
    ours = root is not None and results == root / "results"
    runs = committed(results.parent) if ours else run_folders(results)
    if not runs:
        raise UserError(f"{results}: no run is committed; add one with git add results/<box>/<run>")
    with _uncollected(), _history(root) as history:
        found = {known_as(folder): _problems(history, folder) for folder in runs}
    for name, wrong in found.items():
        _say_problems(name, wrong, history)
    if any(found.values()):
        return 1
    # From nothing but the logs: no summary and no page of before is looked at.
    with tempfile.TemporaryDirectory(prefix="corobench-") as memory:
        _address(_site(results, out, runs, png, address, Path(memory)), out)
    return 0


def committed(root: Path) -> list[Path]:
    """The folders of the runs that git tracks; what the site keeps of them lies deeper."""
    # By -z names come as they are: else those with other than ASCII letters are quoted.
    listed = git(root, "ls-files", "-z", ":(glob)results/*/*/run.json", exact=True)
    if not listed.ok:
        raise RunFailed(f"{root}: cannot ask git for the committed runs: {listed.reason}")
    return [root / Path(name).parent for name in listed.output.split("\0") if name]


def _site(
    results: Path,
    out: Path | None,
    runs: list[Path],
    pictures: bool,
    address: str = "",
    memory: Path | None = None,
) -> Path:
    from corobench.report import vega  # noqa: PLC0415

    site = out or results / "site"
    if len(list(site.glob("runs/*/*/.made-from"))) < len(runs):
        vega.prepare()
    with _uncollected():
        from corobench.report.build import build  # noqa: PLC0415  half of the report's code: loaded while processes start
        from corobench.report.runs import CACHE  # noqa: PLC0415

        # The cache lies there wherever the site is written: nothing is left beside it.
        memory = memory or results / CACHE
        return build(results, site, checkout(), memory, runs, pictures, address)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the search for cycles: of the hundreds of thousands of numbers that are read hardly
    one is in a cycle, and it would go through all of them again and again.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


_VERSION = re.compile(r'__version__ = "([^"]+)"')


# Of a commit: no result of before, no documentation and no test of the runner is compared.
_NEEDED = (".", ":!results", ":!docs", ":!runner/tests")


class _History:
    """The commits that runs name, one after the other unpacked while their runs are checked."""

    def __init__(self, root: Path | None, folder: Path) -> None:
        self._root = root
        self._folder = folder
        self._there = ""
        self._origin: Origin | None = None
        self.notes: dict[str, str] = {}

    def problems(self, run: log.Run) -> list[str]:
        """What is wrong with a run, in itself and compared with its commit. That it can't be
        compared is noted, or a problem where the repository should have its commit.
        """
        from corobench.results.publishable import problems, unknown_commit  # noqa: PLC0415

        named = known_as(run.folder)
        if self._root is None or not git(self._root, "rev-parse", "--git-dir").ok:
            self.notes[named] = "not compared with its commit: no git repository is here"
            return problems(run)
        origin = self._at(run.header.commit)
        if origin is not None:
            return problems(run, origin)
        found = problems(run)
        shallow = git(self._root, "rev-parse", "--is-shallow-repository").output == "true"
        if shallow or not run.folder.is_relative_to(self._root / "results"):
            why = "a shallow clone" if shallow else "its commit is not in this repository"
            self.notes[named] = f"not compared with its commit: {why}"
            return found
        return [*found, unknown_commit(run)]

    def _at(self, commit: str) -> Origin | None:
        if commit != self._there:
            self._there, self._origin = commit, self._unpacked(commit)
        return self._origin

    def _unpacked(self, commit: str) -> Origin | None:
        """None for what is no commit from which this checkout descends."""
        from corobench.results.publishable import COMMIT, Origin  # noqa: PLC0415
        from corobench.suite.load import load_recorded  # noqa: PLC0415
        from corobench.toolchains.prepare import locked_version, recorded_hashes  # noqa: PLC0415

        root = self._root
        assert root is not None
        if (
            not COMMIT.fullmatch(commit)
            or not git(root, "merge-base", "--is-ancestor", commit, "HEAD").ok
        ):
            return None
        # One folder for all: of a commit that is near the one before it few files are written.
        folder = self._folder / "commit"
        folder.mkdir(exist_ok=True)
        # With an index of its own, so that the checkout doesn't change, and without its hooks.
        elsewhere = {"GIT_INDEX_FILE": str(self._folder / "index")}
        plain = ["-c", f"core.hooksPath={os.devnull}", "-c", "core.sparseCheckout=false"]
        how = ["checkout", "--quiet", "--no-overlay", commit, "--", *_NEEDED]
        words = [*plain, f"--work-tree={folder}", *how]
        unpacked = git(root, *words, env=elsewhere)
        if not unpacked.ok:
            raise RunFailed(f"{root}: cannot unpack {commit}: {unpacked.reason}: {unpacked.errors}")

        known: dict[tuple[str, str], bool] = {}

        def hashed(runtime: Runtime, said: str) -> bool:
            if (runtime.name, said) not in known:
                known[runtime.name, said] = said in recorded_hashes(runtime)
            return known[runtime.name, said]

        def had(module: str, words: bytes) -> bool:
            file = folder / "runner/src/corobench" / module
            return file.is_file() and words in file.read_bytes()

        made = _VERSION.search((folder / "runner/src/corobench/__init__.py").read_text())
        return Origin(
            suite=load_recorded(folder),
            hashed=hashed,
            version=locked_version,
            committed=float(git(root, "show", "-s", "--format=%ct", commit).output),
            corobench=made[1] if made else "",
            records_selection=had("results/log.py", b"selection: Selection"),
            same_order=had("plan.py", b'Random(f"{seed} {name}")'),
            watches=had("execute/program.py", b"are_looked_at"),
        )


def _problems(history: _History, folder: Path) -> list[str]:
    """One of a run that can't be read at all."""
    try:
        return history.problems(log.read(folder))
    except UserError as error:
        return [str(error).removeprefix(f"{folder}/")]


_SHOWN = 20  # problems of one run on a terminal; --json has all


def _say_problems(name: str, found: list[str], history: _History) -> None:
    if note := history.notes.get(name):
        say(f"{name}: {note}")
    for problem in found[:_SHOWN]:
        say(f"{name}: {problem}")
    if len(found) > _SHOWN:
        say(f"{name}: {len(found) - _SHOWN} more problems; corobench check --json {name} lists all")


@contextmanager
def _history(root: Path | None) -> Iterator[_History]:
    with tempfile.TemporaryDirectory(prefix="corobench-") as folder:
        yield _History(root, Path(folder))


@click.command("check")
@click.argument("runs", nargs=-1, shell_complete=completion.runs)
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
@results_option
def check_command(runs: tuple[str, ...], as_json: bool, named: Path | None) -> int:
    """Check runs, the newest by default, for publication: schema, evidence, completeness of the
    plan, plausibility, and that they are of the commit that they name.
    """
    chosen = [_run(named, name) for name in runs or (None,)]
    with _uncollected(), _history(checkout()) as history:
        found = {known_as(folder): _problems(history, folder) for folder in chosen}
    if as_json:
        click.echo(msgspec.json.encode(found))
    for name, wrong in found.items():
        _say_problems(name, wrong, history)
        if not wrong:
            say(f"{name}: can be published")
    return 1 if any(found.values()) else 0


@click.command("export")
@click.argument("run", required=False, shell_complete=completion.runs)
@click.option(
    "--format",
    "name",
    default="json",
    show_default=True,
    metavar="NAME",
    shell_complete=completion.formats,
    help="json, csv, markdown, gobench ...",
)
@results_option
def export_command(run: str | None, name: str, named: Path | None) -> int:
    """Write a run in another format to stdout; the newest run where none is named."""
    from corobench.report.exports import exporter  # noqa: PLC0415
    from corobench.statistics.summary import summarise_given  # noqa: PLC0415

    made = exporter(name)
    read = log.read(_run(named, run))
    # a file's encoding doesn't depend on the terminal
    click.echo(made.export(read, summarise_given(read)).encode(), nl=False)
    return 0


class Share(click.ParamType[float]):
    """`5%`."""

    name = "percent"

    def convert(
        self, value: object, param: click.Parameter | None, context: click.Context | None
    ) -> float:
        if isinstance(value, float):
            return value
        try:
            share = float(str(value).removesuffix("%")) / 100
        except ValueError:
            self.fail(f"{value!r} is not a percentage; write 5%", param, context)
        if not 0 < share < 10:
            self.fail("the threshold must be above 0% and below 1000%", param, context)
        return share


@click.command("compare")
@click.argument("before", shell_complete=completion.runs)
@click.argument("after", shell_complete=completion.runs)
@click.option(
    "--threshold",
    type=Share(),
    default="5%",
    show_default=True,
    help="A regression is worse by more than this.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
@results_option
def compare_command(
    before: str, after: str, threshold: float, as_json: bool, named: Path | None
) -> int:
    """Compare two runs; prints Markdown. Exit status 3 where AFTER is worse than BEFORE by over the
    threshold.
    """
    from corobench.report.exports.markdown import comparison_markdown  # noqa: PLC0415
    from corobench.statistics.compare import compare  # noqa: PLC0415

    found = compare(
        log.read(_run(named, before)), log.read(_run(named, after)), threshold=threshold
    )
    click.echo(msgspec.json.encode(found) if as_json else comparison_markdown(found))
    return 3 if found.regressions else 0


@click.command("readme", hidden=True)
@click.option(
    "--check",
    "only_check",
    is_flag=True,
    help="Change nothing; status 1 where a page is not up to date.",
)
def readme_command(only_check: bool) -> int:
    """Write what a code host shows: README.md's picture and table, results/README.md and a page
    beside each published run.
    """
    from corobench.report.build import featured, of_a_million  # noqa: PLC0415
    from corobench.report.readme import (  # noqa: PLC0415
        PAGE,
        charted,
        index,
        log_digest,
        pictures,
        run_page,
        shown_runs,
        unshown,
        with_results,
    )
    from corobench.report.runs import CACHE, collect  # noqa: PLC0415

    root = find_root()
    results, published = root / "results", committed(root)
    if not published:
        raise UserError(f"{results}: no run is committed yet")
    text, listing = (root / "README.md").read_text("utf-8"), results / PAGE
    # A check reads these runs again; the pages of the others are known by the hash of their logs.
    chosen = [results / name for name in shown_runs(text)] if only_check else published
    entries = collect(results, results / CACHE, chosen)
    first = featured(entries)
    assert first is not None
    of, chart = charted(first, of_a_million(entries, first))
    made = {root / "README.md": with_results(text, first, of, chart).encode()}
    made |= {root / name: content for name, content in pictures(of, chart)}
    for entry in entries:
        made |= {entry.folder / name: content for name, content in run_page(entry)}
    unused = [file for entry in entries for file in unshown(entry.folder, made.keys())]
    if not only_check:
        made[listing] = index(entries).encode()
        for file, content in made.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        for file in unused:
            file.unlink()
        return 0
    stale = unused + [
        file for file, content in made.items() if not file.is_file() or file.read_bytes() != content
    ]
    for folder in published:
        page = folder / PAGE
        if not page.is_file() or log_digest(folder) not in page.read_text("utf-8"):
            stale.append(page)
        if f"]({known_as(folder)}/{PAGE})" not in listing.read_text("utf-8"):
            stale.append(listing)
    for file in dict.fromkeys(stale):
        say(f"{file.relative_to(root)}: not up to date; run `corobench readme`")
    return 1 if stale else 0


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

    folders = [find_run(results, run)] if run is not None else _candidates(results, own)
    having = [folder for folder in folders if _may_have(_plan(folder), wanted)]
    for folder in having:
        summary, header = _summary(results, folder)
        found = [
            recipe for recipe in recipes(summary, header) if _has(recipe.key.split("/"), wanted)
        ]
        if found:
            box = str(header.box.get("name", folder.parent.name))
            told = Told(
                run=header.run,
                box=box,
                this_box=box == own,
                created=header.created,
                claims=header.claims,
                newest_of=None
                if run is not None
                else sum(other.parent.name == folder.parent.name for other in having),
                cases=sorted(found, key=lambda recipe: recipe.key.rpartition("/")[0]),
            )
            return summary, header, told
    return None


def _summary(results: Path, folder: Path) -> tuple[RunSummary, log.RunHeader]:
    """All numbers of a run: those that were kept for its pages, or kept for them now. Where nothing
    can be kept they are for this once.
    """
    from corobench.report.runs import CACHE, collect, header  # noqa: PLC0415  as with all of the reporting half: loaded when it is used
    from corobench.statistics.summary import summarise_given  # noqa: PLC0415

    try:
        (entry,) = collect(results, results / CACHE, [folder])
        return entry.summary, header(entry)
    except RunFailed:
        run = log.read(folder)
        return summarise_given(run), run.header


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

    prepared = {workload.name: workload.prepared for workload in summary.workloads}
    for one in summary.counts:
        if one.key == f"{recipe.key}/{one.event}":
            told = f"not counted: {one.reason}" if one.value is None else number(one.value)
            untimed = prepared.get(one.workload)
            beside = f" (with what is not timed: {untimed})" if untimed else ""
            yield f"  {one.event} an operation: {told}{beside}"


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
