"""Do our own programs take more instructions than they did? Run: python bench/count_programs.py
[--write].

Counts some programs of the core as `corobench count` does and compares them with the committed
figures (count_programs.json). One that takes over 1 % more, in each of its three processes and each
time that it is counted, fails: a busy box adds to some, as Go's scheduler and collector go by the
clock. Figures are of one set of versions: where compiler, interpreter or library is another one,
nothing is counted. `--write` makes what was counted the committed figure; its commit says why it
changed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from corobench.execute import begin, counting
from corobench.execute.program import Program, track_cpus
from corobench.statistics import counts
from corobench.suite.load import load_suite
from corobench.toolchains.prepare import prepare
from corobench.toolchains.provision import helper
from corobench.toolchains.tools import Missing, MissingTool, Prepared

ROOT = Path(__file__).resolve().parents[2]
FIGURES = Path(__file__).with_suffix(".json")
# What an operation takes in seconds, or more: lengths are made of it, the same on every box.
RUNTIMES = {"tokio-current-thread": 1e-7, "go-p1": 2e-7, "asyncio": 1e-5}
POINTS = {"spawn": "n=1000", "switch": "k=100,m=200", "hand-off": "m=500"}
_TIMES = 3  # at most, of one that seems to have grown


class Figure(msgspec.Struct, frozen=True):
    """The instructions an operation took in each process, and the versions that it took them of."""

    versions: list[str]
    instructions: list[float]


class Unfit(Exception):
    """Why nothing can be counted here."""


def counted(
    known: Mapping[str, Figure],
    runtimes: Iterable[str] = RUNTIMES,
    points: Mapping[str, str] = POINTS,
) -> Iterator[tuple[str, Figure]]:
    """Case by case, anew where one takes more than is `known`. Where that is of other versions,
    nothing is counted. Unfit where Valgrind is missing.
    """
    suite = load_suite(ROOT)
    valgrind = helper(suite, "valgrind", _say)
    if isinstance(valgrind, MissingTool):
        raise Unfit(f"{valgrind.reason}; {valgrind.help}")
    ways = [counting.instructions(valgrind)]
    for name, ready in prepare(suite, runtimes, _say).items():
        if isinstance(ready, Missing):
            _say(f"{name}: {ready.reason}")
            continue
        for workload, point in points.items():
            spec = suite.workloads[workload]
            program = Program(suite.runtimes[name], spec, ready, begin.token(), {})
            asked = next(one for one in spec.point if one.name == point)
            key = f"{workload}/{point}/one-cpu/{name}"
            task = counting.Task(key, program, asked, RUNTIMES[name])
            versions = _versions(ready, valgrind.version)
            if key in known and known[key].versions != versions:
                yield key, Figure(versions, [])
                continue
            for _ in range(_TIMES):
                now = Figure(versions, _samples(task, ways))
                if key not in known or grown(known[key], now) is None:
                    break
            yield key, now


def _samples(task: counting.Task, ways: list[counting.Counter | counting.Missed]) -> list[float]:
    line = counting.count(task, track_cpus("one-cpu"), ways)
    if line.reasons:
        raise Unfit(f"{task.key}: {line.reasons['instructions']}")
    return [counts.per_operation(one) for one in line.tallies["instructions"]]


def _versions(ready: Prepared, valgrind: str) -> list[str]:
    return [ready.version, ready.language_version, f"valgrind {valgrind}"]


def grown(before: Figure, after: Figure) -> float | None:
    """By which factor the instructions became more, where that is a change; None where it is none,
    or where the versions differ.
    """
    if before.versions != after.versions:
        return None
    ratio = counts.ratio(before.instructions, after.instructions)
    return ratio.center if counts.changed(ratio) and ratio.center > 1 else None


def committed() -> dict[str, Figure]:
    return msgspec.json.decode(FIGURES.read_bytes(), type=dict[str, Figure])


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--write", action="store_true", help="make these the committed figures")
    write = parser.parse_args().write
    known = committed() if FIGURES.exists() else {}
    try:
        found = dict(counted({} if write else known))
    except Unfit as reason:
        sys.exit(str(reason))
    for key, now in found.items():
        if not now.instructions:
            print(f"{key}: not counted, as the committed figure is of {known[key].versions}")
            continue
        before = known.get(key, now)
        factor = grown(before, now)
        unlike = before.versions != now.versions
        told = (
            "other versions" if unlike else f"{factor:.3f} times as many" if factor else "the same"
        )
        print(f"{key}: {counts.median(now.instructions):,.1f} ({told if key in known else 'new'})")
    if write:
        FIGURES.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")
        return 0
    return 1 if any(grown(known[key], now) for key, now in found.items() if key in known) else 0


if __name__ == "__main__":
    sys.exit(main())
