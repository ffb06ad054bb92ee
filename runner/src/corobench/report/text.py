"""Values, lists, names and box facts in words; slugs; the titles of tracks."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from corobench.machine.facts import leaves
from corobench.machine.proc import cpu_list
from corobench.report import units
from corobench.statistics.flags import doubted
from corobench.statistics.types import Cell, RunSummary

HARD = "\N{NO-BREAK SPACE}"  # a number is not parted from its unit at the end of a line
_UNCLAIMED = {"smoke": "Smoke run: no claims.", "scale": "Scale run: no claims."}
_ACRONYM = 2  # capitals at the start of a title that is no ordinary word


def joined(words: Iterable[str]) -> str:
    """`a, b and c`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def counted(number: int, word: str) -> str:
    """`1 block`, `9 blocks`."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def inside(title: str) -> str:
    """A title in the middle of a sentence: `Context switch` begins small there, `HTTP servers` and
    `I/O switch` don't.
    """
    word = title.split(maxsplit=1)[0] if title else ""
    return title if word[:_ACRONYM].isupper() or "/" in word else title[:1].lower() + title[1:]


def direction(cell: Cell) -> str:
    """Which numbers of a column are better, where any is."""
    return f"{cell.better} is better" if cell.claims else "no claim"


def reading(names: Sequence[str], way: str) -> str:
    """`node and gevent read lower`."""
    return f"{joined(names)} read{'s' if len(names) == 1 else ''} {way}"


def bracketed(title: str) -> str:
    """`lateness (99th percentile)`: a title inside a sentence, where its comma would part it."""
    what, _, which = inside(title).partition(", ")
    return f"{what} ({which})" if which else what


def unclaimed(profile: str) -> str:
    """What stands on everything that is made from a run without claims."""
    return _UNCLAIMED.get(profile, "Quick run: no claims.")


def kinds_of(summary: RunSummary) -> dict[str, str]:
    """What each runtime schedules."""
    return {runtime.name: runtime.unit for runtime in summary.runtimes}


def unlike(cells: Sequence[Cell], kinds: Mapping[str, str]) -> list[str]:
    """What the runtime of each of these schedules, where that isn't the same for all of them; else
    nothing for any.
    """
    found = [kinds.get(cell.runtime, "") for cell in cells]
    return found if len(set(found)) > 1 else [""] * len(found)


def kinded(who: str, kind: str) -> str:
    """`node, stackless task`; the name alone where there is no kind."""
    return f"{who}, {kind}" if kind else who


def ends(
    cells: Sequence[Cell],
    kinds: Mapping[str, str] | None = None,
    doubts: bool = True,
    brief: bool = False,
) -> list[str]:
    """The least and the most of some cells (by value, ascending) in one unit: `60 ns (node)`, `640
    ns (uvloop)`; of one cell that alone.

    `kinds`: what each runtime schedules, said where it isn't the same at both: `60 ns (node,
    stackless task)`. Both ends are alike in digits, and beside its name stands what the spec
    itself doubts of a number (`doubts`), or only that it does (`brief`).
    """
    chosen = [cells[0], *cells[-1:]] if len(cells) > 1 else [cells[0]]
    found = [cell.median for cell in chosen if cell.median]
    scale = units.scale_of_estimates(found, chosen[0].unit)
    shown = [
        f"{text}{HARD if scale.symbol else ''}{scale.symbol}"
        for text in units.show_alike(found, scale)
    ]
    names = [
        kinded(cell.runtime, kind)
        for cell, kind in zip(chosen, unlike(chosen, kinds or {}), strict=True)
    ]
    reasons = [doubted(cell.flags) if doubts else "" for cell in chosen]
    beside = ["in doubt" if brief and reason else reason for reason in reasons]
    who = ["; ".join(filter(None, pair)) for pair in zip(names, beside, strict=True)]
    return [f"{text} ({name})" for text, name in zip(shown, who, strict=True)]


_UNSAFE = re.compile(r"[^a-z0-9.,=~_-]+")


@cache
def slug(text: str) -> str:
    """Lower-case letters, digits and a few signs; a digest is added where anything was lost, so
    that two names never meet.
    """
    safe = _UNSAFE.sub("-", text.lower()).strip("-.")[:80]
    if safe and safe == text:
        return safe
    return f"{safe or 'x'}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def anchor(*parts: str) -> str:
    """An element id for a cell or a section; starts with a letter where the first part does."""
    return "--".join(slug(part) for part in parts)


_CPUS = ("cpu.online", "cpu.cpus", "cpu.cores")


def who_and_where(summary: RunSummary) -> list[tuple[str, str]]:
    """The line under the answer: what a reader must know of the box before the numbers."""
    box = summary.box
    found = [
        ("CPU", box_fact(box, "cpu.model", "cpu_model", "model")),
        ("CPUs", cpus_counted(box)),
    ]
    found += [
        ("Kernel", box_fact(box, "kernel.release", "kernel")),
        ("Virtualised", box_fact(box, "virtualisation", "virtualization")),
    ]
    return [(name, value) for name, value in found if value]


def cpus_counted(box: dict[str, Any]) -> str:
    """`24; measured on 16, the performance cores (0-15)` where not all are used."""
    count, used = box_fact(box, *_CPUS), cpu_list(box_fact(box, "cpu.measured_on"))
    if not used:
        return count
    kind = box_fact(box, "cpu.kind")
    return (
        f"{count}; measured on {len(used)}{f', the {kind}' if kind else ''} "
        f"({box_fact(box, 'cpu.measured_on')})"
    )


def box_fact(box: dict[str, Any], *paths: str) -> str:
    """The first of these dotted paths that the box facts have, as words; empty where none is
    there.
    """
    for path in paths:
        value: Any = box
        for key in path.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        if value not in (None, "") and not isinstance(value, dict | list):
            return str(value)
    return ""


def box_cpus(box: dict[str, Any]) -> int:
    """How many CPUs a box has; 0 where its facts don't say."""
    return int(number(box_fact(box, *_CPUS)) or 0)


def flat(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """Nested facts as dotted names and words, for a table."""
    return [
        (name, ("; ".join(map(str, value)) or "none") if isinstance(value, list) else str(value))
        for name, value in leaves(facts)
    ]


# What was observed of it -> what it is.
_BESIDE = {"generator_cpu": "load generator", "companion_cpu": "latency server"}


def place_title(summary: RunSummary, workload: str, track: str) -> str:
    """`One CPU`, `All CPUs`, or `1 of 2 CPUs (the other is the load generator's)`."""
    had, box = summary.cpus.get(f"{workload}/{track}", 0), box_cpus(summary.box)
    if track != "all-cpus" or not 0 < had < box:
        return TRACK_TITLES[track]
    seen = {
        name
        for case, found in summary.observed.items()
        if case.startswith(f"{workload}/")
        for name in found
    }
    owner = next((what for name, what in _BESIDE.items() if name in seen), None)
    others = "the other is" if box - had == 1 else "the others are"
    beside = f" ({others} the {owner}'s)" if owner else ""
    return f"{had} of {box} CPUs{beside}"


class _TrackTitles(dict[str, str]):
    """Those of what lies between the two tracks that every box has are made: `4 CPUs`."""

    def __missing__(self, track: str) -> str:
        return track.replace("-cpus", " CPUs")


TRACK_TITLES = _TrackTitles({"one-cpu": "One CPU", "all-cpus": "All CPUs"})


def number(text: str) -> float | None:
    """A parameter as a number, or None where it is a word."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
