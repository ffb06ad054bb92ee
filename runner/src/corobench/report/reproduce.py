"""What gives a number again: the command, its hashes, and the programs' source as text files of the
site.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from corobench.report import units
from corobench.report.headline import short_point
from corobench.report.runs import File, write
from corobench.report.tables import FIGURES, cell_anchor, compared, state
from corobench.report.text import TRACK_TITLES, slug
from corobench.results import log
from corobench.statistics.types import Cell, Estimate, RunSummary

_MADE = {"node_modules", "target", "__pycache__", "build", "dist"}
_LARGEST = 64 * 1024
_COMMIT = re.compile(r"[0-9a-f]{40,64}")


class Checkout(msgspec.Struct, frozen=True, kw_only=True):
    """What pages show of a checkout: its commit, and by folder the path and text of each source."""

    root: Path
    commit: str
    sources: dict[str, list[tuple[str, str]]]


def read_checkout(root: Path, folders: Iterable[str]) -> Checkout:
    """The commit of a checkout, and the sources of these folders of runtimes."""
    return Checkout(
        root=root,
        commit=checkout_commit(root),
        sources={folder: list(sources(root, folder)) for folder in sorted(set(folders))},
    )


def write_sources(checkout: Checkout, out: Path, folder: str) -> list[File]:
    """Writes the files of a runtime's folder into the site, as text."""
    files = []
    for name, content in checkout.sources.get(folder, []):
        href = "/".join(["source", *map(slug, PurePosixPath(name).parts)]) + ".txt"
        write(out / href, content.encode())
        files.append(File(title=name.removeprefix(f"{folder}/"), href=href))
    return files


def sources(root: Path, folder: str) -> Iterator[tuple[str, str]]:
    """Path and text of the files of a folder; none where the folder isn't a runtime's.

    The folder's name comes from a run, so that it is believed only where it lies in the checkout
    and holds a manifest.
    """
    place = (root / folder).resolve()
    if (
        not folder
        or not place.is_relative_to(root.resolve())
        or not (place / "runtime.toml").is_file()
    ):
        return
    for file in sorted(place.rglob("*")):
        if file.is_symlink() or not file.is_file():
            continue
        inside = file.relative_to(place).as_posix()
        if (
            _is_source(PurePosixPath(inside).parts, file.stat().st_size)
            and (text := _text(file.read_bytes())) is not None
        ):
            yield f"{folder}/{inside}", text


def _is_source(parts: Iterable[str], size: int) -> bool:
    """Whether a file was written by somebody, and is small enough to be read by somebody."""
    return size <= _LARGEST and not any(part in _MADE or part.startswith(".") for part in parts)


def _text(content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def checkout_commit(root: Path) -> str:
    """The commit that a checkout is at, read from its files; empty where it can't be told."""
    git = root / ".git"
    try:
        if git.is_file():  # a worktree
            git = root / git.read_text("utf-8").removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text("utf-8").strip()
        if not head.startswith("ref:"):
            return head if _COMMIT.fullmatch(head) else ""
        name = head.removeprefix("ref:").strip()
        common = (
            git / (git / "commondir").read_text("utf-8").strip()
            if (git / "commondir").is_file()
            else git
        )
        loose = common / name
        if loose.is_file():
            return loose.read_text("utf-8").strip()
        packed = (common / "packed-refs").read_text("utf-8").splitlines()
        return next((line.split()[0] for line in packed if line.endswith(f" {name}")), "")
    except OSError:
        return ""  # no git checkout: the page says that the commit is not known


_AROUND = {
    "generator_cpu": ("load generator's share of its CPU", "%"),
    "concurrency": ("clients that asked at once", ""),
    "rate": ("requests a second that were asked for", ""),
    "late": ("load generator late by (99th percentile)", "s"),
    "queued": ("requests due while all connections were busy", ""),
    "companion_cpu": ("latency server's share of its CPU", "%"),
    "companion_late": ("latency server late by", "s"),
    "companion_late_p99": ("latency server late by (99th percentile)", "s"),
}
_OF_OPEN_LOOPS = ("rate", "late", "queued")
_OF_NOTHING = hashlib.sha256(b"").hexdigest()


class Number(msgspec.Struct, frozen=True, kw_only=True):
    """One metric of a case as it was found. `samples`: block -> value as shown, in `symbol`."""

    metric: str
    median: str
    state: str
    against: str
    figures: list[tuple[str, str]]
    samples: list[tuple[int, str]]
    symbol: str
    flags: list[tuple[str, str, str]]


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """A case with everything that its numbers rest on; what it was built from is that of its
    runtime (`origin`).

    `around`: what was seen of the load generator or the companion beside it.
    """

    anchor: str
    title: str
    key: str
    runtime: str
    command: str
    program: str
    source: str
    around: list[tuple[str, str]]
    numbers: list[Number]
    failures: list[str]
    reason: str


def commands(
    summary: RunSummary, workload: str, tracks: list[str], runtimes: list[str]
) -> list[str]:
    """What measures these runtimes again as this run did, from a clone on; the reference comes
    along, it carries the ratio.
    """
    return [*setting_up(summary, runtimes), command(summary, workload, tracks, runtimes)]


def setting_up(summary: RunSummary, runtimes: list[str]) -> list[str]:
    """What sets a clone up for these runtimes as they were."""
    names = ",".join(dict.fromkeys(runtimes))
    build = shlex.join(
        ["make", "setup", "build", f"PROFILE={summary.profile}", f"RUNTIMES={names}"]
    )
    return [
        f"git checkout {summary.commit}" if summary.commit else "# no commit was recorded",
        build,
    ]


def command(summary: RunSummary, workload: str, tracks: list[str], runtimes: list[str]) -> str:
    """The command that measures, where everything is built."""
    words = [
        ".venv/bin/corobench",
        "run",
        "--profile",
        summary.profile,
        "--workloads",
        workload,
        "--tracks",
        ",".join(tracks),
    ]
    return shlex.join(
        [*words, "--runtimes", ",".join(dict.fromkeys(runtimes)), "--seed", str(summary.seed)]
    )


def recipes(summary: RunSummary, header: log.RunHeader) -> list[Recipe]:
    """One for each case of a run, by runtimes in the order of the summary."""
    cases: dict[str, list[Cell]] = {}
    for cell in summary.cells:
        cases.setdefault(cell_anchor(cell), []).append(cell)
    order = {runtime.name: place for place, runtime in enumerate(summary.runtimes)}
    found = [_recipe(summary, header, cells) for cells in cases.values()]
    return sorted(found, key=lambda recipe: order.get(recipe.runtime, len(order)))


def _recipe(summary: RunSummary, header: log.RunHeader, cells: list[Cell]) -> Recipe:
    cell = cells[0]
    facts = header.runtimes.get(cell.runtime, {})
    reference = summary.references.get(f"{cell.workload}/{cell.point}/{cell.track}")
    return Recipe(
        anchor=cell_anchor(cell),
        title=(
            f"{cell.runtime}: {cell.workload}, {short_point(cell.point)} · "
            f"{TRACK_TITLES.get(cell.track, cell.track)}"
        ),
        key=cell.key.removesuffix(f"/{cell.metric}"),
        runtime=cell.runtime,
        command=command(
            summary,
            cell.workload,
            [cell.track],
            [cell.runtime, *([reference] if reference else [])],
        ),
        program=_program(facts, header.workloads.get(cell.workload, {}), cell),
        source=f"{facts['folder']}/{cell.workload}" if facts.get("folder") else "",
        around=_around(summary.observed.get(cell.key.removesuffix(f"/{cell.metric}"), {})),
        numbers=[_number(c) for c in cells if not c.gap],
        failures=cell.failures,
        reason=cell.gap or "",
    )


def _around(observed: dict[str, float]) -> list[tuple[str, str]]:
    """As words and numbers: shares of a CPU, seconds, and counts. A closed loop has no rate and is
    late for nothing.
    """
    told = {
        name: value
        for name, value in observed.items()
        if name not in _OF_OPEN_LOOPS or observed.get("rate")
    }
    return [
        (title, _shown(told[name], unit)) for name, (title, unit) in _AROUND.items() if name in told
    ]


def _shown(value: float, unit: str) -> str:
    return (
        units.percent(value)
        if unit == "%"
        else units.bare(value, unit)
        if unit
        else f"{value:,.3g}"
    )


def _number(cell: Cell) -> Number:
    scale = units.scale_of(
        [*cell.samples.values(), *([cell.median.center] if cell.median else [])], cell.unit
    )
    return Number(
        metric=cell.metric,
        median=_typical(cell, scale),
        state=state(cell),
        against=f"{compared(cell)} against {cell.comparison.other}" if cell.comparison else "",
        figures=[
            (FIGURES.get(name, name), _figure(name, value, cell, scale))
            for name, value in cell.figures.items()
        ],
        samples=[
            (block, units.plain(v / scale.factor, units.decimals(v / scale.factor, 0)))
            for block, v in sorted(cell.samples.items())
        ],
        symbol=scale.symbol,
        flags=[(flag.level, flag.name, flag.text) for flag in cell.flags],
    )


def _figure(name: str, value: Estimate, cell: Cell, scale: units.Scale) -> str:
    """A figure beside the headline with its own unit; the floor with the headline's unit and
    digits.
    """
    if name == "minimum":
        return f"{units.show_beside(value, cell.median, scale)} {scale.symbol}".rstrip()
    return units.bare(value.center, cell.unit)


def _typical(cell: Cell, scale: units.Scale) -> str:
    if cell.median is None:
        return "no number"
    return (
        f"{units.show(cell.median, scale)} {scale.symbol} "
        f"({units.show_interval(cell.median, scale)}), n = {cell.median.n}"
    )


def _program(facts: dict[str, Any], spec: dict[str, Any], cell: Cell) -> str:
    """The program as it is started, with the placeholders of its manifest, which say what they
    stand for.
    """
    env = [f"{key}={value}" for key, value in facts.get("env", {}).items()]
    words = [
        str(word).replace("{workload}", cell.workload)
        for word in [*facts.get("command", []), *facts.get("arguments", [])]
    ]
    generator_only = spec.get("generator_only", spec.get("unseen", []))
    point = [
        part
        for part in cell.point.split(",")
        if ".." not in part and part.split("=")[0] not in generator_only
    ]
    peer = ["peer=PORT"] if spec.get("companion") else []
    return " ".join([*env, *words, *point, *peer]) if words else ""


def origin(summary: RunSummary, header: log.RunHeader) -> dict[str, list[tuple[str, str]]]:
    """runtime -> what its programs were built from."""
    found = {
        one.name: {**header.runtimes.get(one.name, {}), "version": one.version}
        for one in summary.runtimes
    }
    return {name: _facts(summary, facts) for name, facts in found.items()}


def _facts(summary: RunSummary, facts: dict[str, Any]) -> list[tuple[str, str]]:
    found = [("Commit", summary.commit + (" with uncommitted changes" if summary.dirty else ""))]
    found += [
        (f"Hash of {name}", _hash(name, str(value)))
        for name, value in facts.get("hashes", {}).items()
    ]
    version = facts.get("facts", {}).get("parts") or facts.get("version", "")
    return [
        *found,
        (
            "Version",
            f"{version} on {facts.get('language', '')} {facts.get('language_version', '')}".strip(),
        ),
    ]


def _hash(name: str, value: str) -> str:
    return f"no {name} file" if value == _OF_NOTHING else value
