"""The whole static site from the results folder, written into a new folder that then takes the
place of the old one.

The pages of a run depend on its own raw files and on the code alone: those that the old site has
are kept, if every file of them is as it was written.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Mapping
from functools import cache as once
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from corobench.errors import RunFailed, UserError
from corobench.fleet.campaign import CAMPAIGNS, Record, records
from corobench.plan import PROFILE
from corobench.report import runs, units, vega
from corobench.report.pages import compare, history, reference
from corobench.report.pages import run as run_page
from corobench.report.render import THEMED, draw, render
from corobench.report.reproduce import Checkout, read_checkout
from corobench.report.runs import (
    CACHE,
    WORTH_IT,
    Entry,
    code_digest,
    collect,
    digest_of,
    each,
    make_folder,
    newest,
    read_sealed,
    seal_of,
    sealed,
    write,
)
from corobench.statistics.types import RunComparison

_HERE = Path(__file__).parent
_WHOLE = ("default", "publish")  # profiles that measure everything
STAMP = ".made-from"

Pair = tuple[Entry, Entry]


class Stamp(msgspec.Struct, frozen=True, kw_only=True):
    """What a folder of the site was made from, and the SHA-256 of each file that was made; beside a
    comparison what the list of comparisons says of it. It lies there under the seal of the memory.
    """

    made_from: str
    files: dict[str, str]
    outcome: dict[str, str] = {}


def build(
    results: Path,
    out: Path,
    source_root: Path | None = None,
    cache: Path | None = None,
    only: list[Path] | None = None,
    pictures: bool = False,
    address: str = "",
) -> Path:
    """Writes the site of all runs, or of those folders only, to `out` and returns its first page.

    `source_root`: the checkout whose sources are shown beside the runtimes. `cache`: where
    summaries are kept, `<out>/../.report-cache` by default; it may be emptied at any time.
    `pictures`: a PNG beside each SVG, which makes the site three times as large. `address`: where
    the site will be served, for links and pictures that must be whole. UserError for a
    run that can't be read, and where `out` holds something else.
    """
    _check_ours(out)
    memory = cache or out.parent / CACHE
    seal = seal_of(memory)
    entries = collect(results, memory, only)
    checkout = _shown_of(entries, source_root)
    made_from = _made_from(
        *(entry.digest for entry in entries),
        str(pictures),
        address,
        _source_digest(checkout),
        digest_of(sorted((results / CAMPAIGNS).glob("*.json"))),
    )
    if _is_made(out, made_from, seal):
        return out / "index.html"
    new, old = (out.with_name(f".{out.name}.{word}") for word in ("new", "old"))
    for folder in (new, old):
        if folder.is_symlink():
            folder.unlink()
        shutil.rmtree(folder, ignore_errors=True)
    make_folder(new)
    _pages(entries, records(results), new, out, pictures, checkout)
    if address:
        _share(new, address.rstrip("/"), featured(entries))
    _stamp(new, made_from, seal)
    try:
        if out.exists():
            out.rename(old)
        new.rename(out)
    except OSError as error:
        raise RunFailed(f"{out}: cannot be replaced: {error.strerror}") from error
    shutil.rmtree(old, ignore_errors=True)
    return out / "index.html"


_ADDRESS = re.compile(r"<!-- address, picture: (\S*) -->")


def _share(site: Path, address: str, first: Entry | None) -> None:
    """Tells each page its own address and that of its picture, or the first page's.

    A page that was told is not as its stamp says, and so never kept for the next site.
    """
    pictures = sorted((site / first.place / "charts").glob("answer--*.png")) if first else []
    usual = pictures[0].relative_to(site).as_posix() if pictures else ""
    for file in site.rglob("*.html"):
        text = file.read_text()
        marked = _ADDRESS.search(text)
        assert marked is not None, f"{file} is not made from the base of all pages"
        path, picture = file.relative_to(site).as_posix(), marked[1] or usual
        lines = [
            f'<link rel="canonical" href="{address}/{quote(path.removesuffix("index.html"))}">',
            f'<meta property="og:url" content="{address}/{quote(path)}">',
        ]
        if picture:
            lines += [
                f'<meta property="og:image" content="{address}/{quote(picture)}">',
                '<meta name="twitter:card" content="summary_large_image">',
            ]
        file.unlink()  # it may be linked from the old site, where it stays as it is
        file.write_text(text.replace(marked[0], "\n".join(lines), 1))


def _check_ours(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise UserError(f"{out}: is no folder; name one that is empty, or the folder of a site")
    if out.is_dir() and any(out.iterdir()) and not (out / STAMP).is_file():
        raise UserError(
            f"{out}: holds something else than a site of corobench; name an empty folder"
        )


def _shown_of(entries: list[Entry], source_root: Path | None) -> Checkout | None:
    """What the pages of these runs show of a checkout, where there is one."""
    if source_root is None:
        return None
    headers = [runs.header(entry) for entry in entries]
    folders = [str(one.get("folder", "")) for header in headers for one in header.runtimes.values()]
    return read_checkout(source_root, folders)


def _source_digest(checkout: Checkout | None) -> str:
    """What pages show of the checkout: its commit, its findings, the sources of the runtimes."""
    if checkout is None:
        return ""
    held = [text for found in checkout.sources.values() for one in found for text in one]
    findings = sorted((checkout.root / "runner/findings").glob("*.toml"))
    return _hash(checkout.commit, digest_of(findings), *held)


def _pages(
    entries: list[Entry],
    campaigns: Mapping[str, Record],
    out: Path,
    old: Path,
    pictures: bool,
    checkout: Checkout | None,
) -> None:
    """Writes the site to `out`, with those pages of the site `old` that would be the same."""
    wanted = [
        entry
        for entry in entries
        if not _kept(old, out, entry.place, _made_from(entry.digest, str(pictures)), entry.seal)
    ]
    alone = len(wanted) < WORTH_IT  # their charts are drawn beside the pages that need none
    started = [run_page.start(entry, out, pictures) for entry in wanted] if alone else []
    _assets(out)  # beside the charts that were begun
    told = newest(entries)
    reference.write_runtimes(entries, told, out, checkout)
    reference.write_findings(entries, out, checkout.root if checkout else None)
    reference.write_method(entries, out)
    reference.write_notes(entries, out)
    if not alone:
        each(partial(_run, out=out, pictures=pictures), wanted)
    index = _index(entries, out, pictures, started)
    for one in started:
        _finish(one, out, pictures)
    _comparisons(entries, out, old, pictures)
    history.write_history(entries, out, pictures)
    compare.write_boxes(
        entries,
        told,
        {one.title: compare.campaign_page(name) for name, one in campaigns.items()},
        out,
        pictures,
    )
    compare.write_campaigns(campaigns, entries, out, pictures)
    if first := featured(entries):
        compare.write_runtime_pairs(first, out, pictures)
    write(out / "index.html", index())
    reference.write_data(entries, out)


def _kept(old: Path, out: Path, place: str, made_from: str, seal: bytes) -> bool:
    """Whether a folder of the old site is as it would be made now; then the new one has its
    files.
    """
    if not _is_made(old / place, made_from, seal):
        return False
    make_folder((out / place).parent)
    shutil.copytree(old / place, out / place, copy_function=os.link)
    return True


def featured(entries: list[Entry]) -> Entry | None:
    """The run that the first page shows: the newest one that makes claims, the newest one where
    none does.

    A run of another profile than those that measure everything answers a question of its own, and
    so does one of a few workloads: neither is shown first where there is one of the others, one
    with less than half of what another has.
    """
    claiming = [e for e in entries if e.card.claims]
    able = [e for e in claiming if e.card.profile in _WHOLE] or claiming or entries
    most = max((len(e.card.measured) for e in able), default=0)
    return next((e for e in able if 2 * len(e.card.measured) >= most), None)


def of_a_million(entries: list[Entry], first: Entry) -> Entry | None:
    """The newest run on the first page's box that measured a million tasks, in enough blocks."""
    needed = PROFILE["million"].looks[0]
    return next(
        (
            e
            for e in entries
            if e.box == first.box
            and e.card.profile == "million"
            and e.card.measured
            and e.card.blocks >= needed
        ),
        None,
    )


def _run(entry: Entry, out: Path, pictures: bool) -> None:
    _finish(run_page.start(entry, out, pictures), out, pictures)


def _finish(started: run_page.Started, out: Path, pictures: bool) -> None:
    entry = started.entry
    run_page.write_run(started, out)
    runs.ship_raw(entry, out)
    _stamp(out / entry.place, _made_from(entry.digest, str(pictures)), entry.seal)


def _stamp(
    folder: Path, made_from: str, seal: bytes, outcome: dict[str, str] | None = None
) -> None:
    """Says what a folder of the site was made from, when all of its files are written."""
    stamp = Stamp(made_from=made_from, files=_files(folder), outcome=outcome or {})
    write(folder / STAMP, sealed(seal, STAMP, msgspec.json.encode(stamp)))


def _files(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file in a folder, but for its own stamp. A link is none that we made."""
    found = {}
    for parent, folders, names in os.walk(folder):
        for name in [*names, *(one for one in folders if Path(parent, one).is_symlink())]:
            file = Path(parent, name)
            if file == folder / STAMP:
                continue
            if file.is_symlink() or not file.is_file():
                found[str(file.relative_to(folder))] = ""
            else:
                with file.open("rb") as content:
                    digest = hashlib.file_digest(content, "sha256").hexdigest()
                found[str(file.relative_to(folder))] = digest
    return found


def _made_from(*parts: str) -> str:
    return _hash(*parts, report_digest())


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _is_made(folder: Path, made_from: str, seal: bytes) -> bool:
    """Whether a folder was made from this, and nothing in it was added or changed since."""
    stamp = _read_stamp(folder, seal)
    return stamp is not None and stamp.made_from == made_from and stamp.files == _files(folder)


def _read_stamp(folder: Path, seal: bytes) -> Stamp | None:
    """None where there is none of ours."""
    told = read_sealed(seal, folder / STAMP)
    return None if told is None else msgspec.json.decode(told, type=Stamp)


@once
def report_digest() -> str:
    """A hash of the code and templates that decide what a page looks like."""
    files = sorted(
        file for file in _HERE.rglob("*") if file.suffix in (".py", ".j2", ".css", ".js")
    )
    return f"{code_digest()} {digest_of(files)}"


def _assets(out: Path) -> None:
    target = out / "assets"
    for file in sorted((_HERE / "assets").iterdir()):
        write(target / file.name, file.read_bytes())
    write(target / "vega.js", vega.page_script())
    write(target / "palette.js", b"window.palette = " + msgspec.json.encode(THEMED) + b";\n")


def _comparisons(entries: list[Entry], out: Path, old: Path, pictures: bool) -> None:
    pairs = compare.pairs(entries)
    wanted = [
        pair
        for pair in pairs
        if not _kept(old, out, compare.place(*pair), _pair_digest(pair, pictures), pair[0].seal)
    ]
    each(partial(_comparison, out=out, pictures=pictures), wanted)
    listed = [
        stamp.outcome
        for pair in pairs
        if (stamp := _read_stamp(out / compare.place(*pair), pair[0].seal))
    ]
    write(
        out / "compare.html",
        render("compare.html.j2", depth=0, here="compare.html", pairs=listed, most=compare.MOST),
    )


def _comparison(pair: Pair, out: Path, pictures: bool) -> None:
    found = compare.compared(*pair)
    compare.write_pair(*pair, found, out, pictures)
    _stamp(
        out / compare.place(*pair),
        _pair_digest(pair, pictures),
        pair[0].seal,
        _outcome(pair, found),
    )


def _pair_digest(pair: Pair, pictures: bool) -> str:
    return _made_from(*(entry.digest for entry in pair), str(pictures))


def _outcome(pair: Pair, found: RunComparison) -> dict[str, str]:
    before, after = pair
    confounders = ", ".join(d.key for d in found.environment if d.kind == "confounding")
    words = {
        "sentence": compare.sentence(found),
        "confounders": confounders,
        "box": after.box,
        "profile": after.card.profile,
    }
    return {
        "href": compare.place(before, after) + "index.html",
        "after": after.name,
        "before": before.name,
        **words,
    }


def _index(
    entries: list[Entry], out: Path, pictures: bool, started: list[run_page.Started]
) -> Callable[[], bytes]:
    """The first page, but for its charts, for which what is returned waits."""
    first = featured(entries)
    if first is None:
        return partial(render, "empty.html.j2", depth=0, here="index.html")
    under_way = next((one.drawings for one in started if one.entry is first), None)
    values, drawings = run_page.featured(
        first, out, pictures, under_way, of_a_million(entries, first)
    )
    page = render(
        "index.html.j2",
        depth=0,
        here="index.html",
        runs=[_listed(e) for e in entries],
        pairs=[
            (f"{one} or {other}?", compare.pair_href(one, other))
            for one, other in compare.runtime_pairs(first.summary)
        ],
        asked=len(compare.ASKED),
        versions=list(
            draw(
                history.version_charts(entries, first), out, pictures, f"{first.box}, by version"
            ).values()
        ),
        **values,
    )
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
        "noise": "not measured"
        if card.noise_floor is None
        else f"±{units.percent(card.noise_floor)}",
    }
