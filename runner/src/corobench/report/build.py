"""The whole static site from the results folder: what is unchanged is left as it is.

A run's pages depend on its own raw files and on the code alone, so that a site of many runs is made by making the new ones.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from functools import cache as once
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from corobench.report import runs, units
from corobench.report.pages import compare, history, reference, runtimes
from corobench.report.pages import run as run_page
from corobench.report.render import KEPT, THEMED, engine_script
from corobench.report.reproduce import Archive, Sources
from corobench.report.runs import (
    STAMP,
    WORTH_IT,
    Entry,
    Stamp,
    code_digest,
    collect,
    digest_of,
    each,
    make_folder,
    newest,
    read_stamp,
    recorded,
    sweep,
    write,
)
from corobench.report.templating import render
from corobench.statistics.types import RunComparison

_HERE = Path(__file__).parent
_OWN = ("assets", "boxes", "data", "history", "runtimes", "source")  # folders that are made anew by every build

_WHOLE = ("default", "publish")  # profiles that measure everything

Pair = tuple[Entry, Entry]


def build(
    results: Path,
    out: Path,
    source_root: Path | None = None,
    cache: Path | None = None,
    only: list[Path] | None = None,
    pictures: bool = False,
    archive: Archive | None = None,
) -> list[Path]:
    """Writes the site of all runs, or of those folders only, to `out` and returns the pages that it holds.

    `source_root`: the checkout whose sources are shown beside the runtimes, by `archive` as they were when a run was made.
    `cache`: where summaries, comparisons and these sources are remembered, `<out>/../.report-cache` by default; it may be emptied
    at any time. `pictures`: a PNG beside each SVG, which makes the site three times as large. Raises UserError for a run that
    can't be read.
    """
    cache = cache or out.parent / ".report-cache"
    make_folder(out)
    ours = (out / STAMP).is_file() or not any(out.iterdir())
    with recorded() as files:
        entries = collect(results, cache / "summaries", only, out)
        sources = Sources(source_root, out, archive, cache / "sources") if source_root else None
        pages = _pages(entries, out, pictures, cache, source_root, sources)
        write(out / STAMP, b"corobench: older files in the folders of this site are removed by the next build\n")
    if ours:
        for name in _OWN:
            sweep(out / name, files)
    return pages


def _pages(
    entries: list[Entry], out: Path, pictures: bool, cache: Path, source_root: Path | None, sources: Sources | None
) -> list[Path]:
    _forget(entries, out)
    wanted = [e for e in entries if not _is_made(out / e.place, _run_digest(e, pictures))]
    alone = len(wanted) < WORTH_IT  # their charts are drawn beside the pages that need none
    started = [run_page.start(entry, out, pictures) for entry in wanted] if alone else []
    _assets(out)  # beside the charts that were begun
    pages = [out / entry.place / name for entry in entries for name in run_page.PAGES]
    told = newest(entries)
    pages += runtimes.write_runtimes(entries, told, out, sources)
    pages.append(reference.write_findings(entries, out, source_root))
    pages += [reference.write_method(entries, out), reference.write_notes(entries, out)]
    if not alone:
        each(partial(_run, out=out, pictures=pictures), wanted)
    index = _index(entries, out, pictures, started)
    for one in started:
        _finish(one, out, pictures)
    pages += _comparisons(entries, out, pictures, cache)
    pages += [*history.write_history(entries, out, pictures), compare.write_boxes(entries, told, out, pictures)]
    return [write(out / "index.html", index()), reference.write_data(entries, out), *pages]


def featured(entries: list[Entry]) -> Entry | None:
    """The run that the first page shows: the newest one that makes claims, the newest one where none does.

    A run of another profile than those that measure everything answers a question of its own, and so does one of a few
    workloads: neither is shown first where there is one of the others, one with less than half of what another has.
    """
    claiming = [e for e in entries if e.card.claims]
    able = [e for e in claiming if e.card.profile in _WHOLE] or claiming or entries
    most = max((len(e.card.measured) for e in able), default=0)
    return next((e for e in able if 2 * len(e.card.measured) >= most), None)


def _run(entry: Entry, out: Path, pictures: bool) -> None:
    _finish(run_page.start(entry, out, pictures), out, pictures)


def _finish(started: run_page.Started, out: Path, pictures: bool) -> None:
    entry = started.entry
    stamp = Stamp(made_from=_run_digest(entry, pictures), digest=entry.digest, card=entry.card)
    with recorded() as files:
        run_page.write_run(started, out)
        runs.ship_raw(entry, out)
        _stamp(out / entry.place, stamp)
    sweep(out / entry.place, files)


def _stamp(folder: Path, stamp: Stamp) -> None:
    write(folder / STAMP, msgspec.json.encode(stamp) + b"\n")


def _run_digest(entry: Entry, pictures: bool) -> str:
    return _made_from(entry.digest, str(pictures))


def _made_from(*digests: str) -> str:
    return hashlib.sha256(" ".join([*digests, report_digest()]).encode()).hexdigest()


def _is_made(folder: Path, made_from: str) -> bool:
    stamp = read_stamp(folder)
    return stamp is not None and stamp.made_from == made_from


@once
def report_digest() -> str:
    """A hash of the code and templates that decide what a page looks like."""
    files = sorted(file for file in _HERE.rglob("*") if file.suffix in (".py", ".j2", ".css", ".js", ".mjs"))
    return f"{code_digest()} {digest_of(files)}"


def _forget(entries: list[Entry], out: Path) -> None:
    """Pages of runs that are no longer there: only folders that this module made, which its stamp tells."""
    kept = {out / entry.place for entry in entries} | {out / compare.place(*pair) for pair in compare.pairs(entries)}
    for stamp in [*out.glob(f"runs/*/*/{STAMP}"), *out.glob(f"compare/*/*/{STAMP}")]:
        if stamp.parent not in kept:
            shutil.rmtree(stamp.parent)


def _assets(out: Path) -> None:
    target = out / "assets"
    for file in sorted((_HERE / "assets").iterdir()):
        write(target / file.name, file.read_bytes())
    write(target / "vega.js", engine_script(target / "vega.js", KEPT))
    write(target / "palette.js", b"window.palette = " + msgspec.json.encode(THEMED) + b";\n")


def _comparisons(entries: list[Entry], out: Path, pictures: bool, cache: Path) -> list[Path]:
    pairs = compare.pairs(entries)
    wanted = [pair for pair in pairs if not _is_made(out / compare.place(*pair), _pair_digest(pair, pictures))]
    each(partial(_comparison, out=out, pictures=pictures, cache=cache), wanted)
    listed = [stamp.outcome for pair in pairs if (stamp := read_stamp(out / compare.place(*pair)))]
    page = render("compare.html.j2", depth=0, here="compare.html", pairs=listed, most=compare.MOST)
    return [*(out / compare.place(*pair) / "index.html" for pair in pairs), write(out / "compare.html", page)]


def _comparison(pair: Pair, out: Path, pictures: bool, cache: Path) -> None:
    found = compare.compared(*pair, cache / "comparisons")
    folder = out / compare.place(*pair)
    with recorded() as files:
        compare.write_pair(*pair, found, out, pictures)
        _stamp(folder, Stamp(made_from=_pair_digest(pair, pictures), outcome=_outcome(pair, found)))
    sweep(folder, files)


def _pair_digest(pair: Pair, pictures: bool) -> str:
    return _made_from(*(entry.digest for entry in pair), str(pictures))


def _outcome(pair: Pair, found: RunComparison) -> dict[str, str]:
    before, after = pair
    confounders = ", ".join(d.key for d in found.environment if d.kind == "confounding")
    words = {"sentence": compare.sentence(found), "confounders": confounders, "box": after.box, "profile": after.card.profile}
    return {"href": compare.place(before, after) + "index.html", "after": after.name, "before": before.name, **words}


def _index(entries: list[Entry], out: Path, pictures: bool, started: list[run_page.Started]) -> Callable[[], bytes]:
    """The first page, but for its charts, for which what is returned waits."""
    first = featured(entries)
    if first is None:
        return partial(render, "empty.html.j2", depth=0, here="index.html")
    under_way = next((one.drawings for one in started if one.entry is first), None)
    values, drawings = run_page.featured(first, out, pictures, under_way)
    page = render("index.html.j2", depth=0, here="index.html", runs=[_listed(e) for e in entries], **values)
    return partial(drawings.filled, page)


def _listed(entry: Entry) -> dict[str, Any]:
    card = entry.card
    return {
        "href": entry.place + "index.html",
        "name": entry.name,
        "box": entry.box,
        "cpu": card.cpu,
        "date": card.created[:10],
        "profile": card.profile,
        "claims": card.claims,
        "blocks": card.blocks,
        "commit": card.commit[:10],
        "noise": "not measured" if card.noise_floor is None else f"±{units.percent(card.noise_floor)}",
    }
