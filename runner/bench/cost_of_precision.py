"""What does precision cost in box time? Run: python bench/cost_of_precision.py --hyperfine PATH
[--sessions 60] [--seconds 12].

A cell of eight identical commands is measured again and again, by each design for about the same
box time in turn, and two of the eight are compared. One stream of processes a session serves the
two designs that differ in nothing but order: taken block by block in the order of the shipped plan
(plan.block_order, the last of the eight being the reference's twin) they are ours, with the sign
interval; taken as eight runs one after the other they are A..A B..B. hyperfine and pyperf's
`command` then measure the eight in their own way. The truth is a ratio of 1, so that the real error
is seen: printed are the half-width that each design states, the share of its intervals that hold
the truth, the error that 95 % of its ratios stay under, and the seconds of box time. A narrow
interval that misses the truth is not precise: the *honest* half-width is the stated one, times the
factor by which all intervals of the design would have to be wider for 95 % of them to hold the
truth (never less than 1).
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from corobench.plan import Plan, block_order
from corobench.statistics import estimates
from corobench.statistics.types import Estimate
from corobench.suite.workload import Case

PROGRAM = "import asyncio; asyncio.run(asyncio.sleep(0))"
COMMAND = [sys.executable, "-I", "-S", "-c", PROGRAM]
CELL = [Case("spawn", "n=1", "one-cpu", f"runtime-{place}") for place in range(7)]
CELL.append(msgspec.structs.replace(CELL[0], twin=True))
BLOCKS = "blocks, paired"
HALVES = "A..A B..B, medians"
HELD = 0.95
Design = Callable[[float], Iterator[tuple[str, Estimate]]]


def processes(seconds: float) -> Iterator[tuple[str, Estimate]]:
    """One stream of processes, judged as blocks and as one command after the other."""
    found: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(found) < 9 * len(CELL) or len(found) % len(CELL):
        found.append(process())
    other = random.randrange(1, len(CELL))
    yield BLOCKS, estimates.paired_ratio(in_blocks(found, CELL[other].key))
    logs, each = [math.log(value) for value in found], len(found) // len(CELL)
    yield HALVES, estimates.unpaired_ratio(logs[:each], logs[other * each : (other + 1) * each])


def process() -> float:
    started = time.monotonic()
    subprocess.run(COMMAND, check=True, stdin=subprocess.DEVNULL)
    return time.monotonic() - started


def in_blocks(values: list[float], other: str) -> list[float]:
    """Log ratios of a case to the first in each block; of identical commands, which may be named
    afterwards.
    """
    keys = [case.key for case in CELL]
    plan = Plan(
        profile="default",
        seed=random.getrandbits(32),
        cases=keys,
        points={},
        references={},
        gaps=[],
    )
    size = len(keys)
    blocks = [values[i : i + size] for i in range(0, len(values), size)]
    found = [
        dict(zip(block_order(plan, place), block, strict=True))
        for place, block in enumerate(blocks)
    ]
    return [math.log(block[other] / block[keys[0]]) for block in found]


def by_hyperfine(hyperfine: Path) -> Design:
    """hyperfine, one command after the other."""

    def design(seconds: float) -> Iterator[tuple[str, Estimate]]:
        with tempfile.TemporaryDirectory() as folder:
            export = Path(folder) / "times.json"
            runs = max(9, int(seconds / len(CELL) / statistics.median(process() for _ in range(3))))
            command = " ".join(f"'{part}'" for part in COMMAND)
            options = ["--shell=none", "--style=none", f"--runs={runs}", f"--export-json={export}"]
            subprocess.run(
                [str(hyperfine), *options, *[command] * len(CELL)],
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            results = json.loads(export.read_text())["results"]
        yield "hyperfine", ratio_of_means(results[0]["times"], random.choice(results[1:])["times"])

    return design


def by_pyperf(seconds: float) -> Iterator[tuple[str, Estimate]]:
    """pyperf's `command`, one command after the other."""
    samples = []
    for _ in CELL:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "pyperf.json"
            count = max(
                9, int(seconds / len(CELL) / statistics.median(process() for _ in range(3)) / 2)
            )
            options = [
                "--quiet",
                f"--processes={count}",
                "--values=1",
                "--warmups=1",
                "--loops=1",
                "--name=program",
                "--output",
                str(out),
            ]
            subprocess.run(
                [sys.executable, "-m", "pyperf", "command", *options, "--", *COMMAND],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            runs = json.loads(out.read_text())["benchmarks"][0]["runs"]
        samples.append([value for run in runs for value in run.get("values", [])])
    yield "pyperf", ratio_of_means(samples[0], random.choice(samples[1:]))


def ratio_of_means(first: list[float], second: list[float]) -> Estimate:
    """mean(second) / mean(first) with the normal interval of its log."""
    center = math.log(statistics.fmean(second) / statistics.fmean(first))
    variance = sum(
        statistics.variance(sample) / len(sample) / statistics.fmean(sample) ** 2
        for sample in (first, second)
    )
    reach = 1.96 * math.sqrt(variance)
    values = [math.exp(x) for x in (center, center - reach, center + reach)]
    return Estimate(
        center=values[0],
        low=values[1],
        high=values[2],
        n=len(first),
        confidence=estimates.CONFIDENCE,
    )


def sessions(
    designs: list[Design], count: int, seconds: float
) -> Iterator[tuple[str, Estimate, float]]:
    """Every design once a session, in random order, so that none has the quiet hours."""
    for _ in range(count):
        for design in random.sample(designs, len(designs)):
            started = time.monotonic()
            found = list(design(seconds))
            took = time.monotonic() - started
            yield from ((name, ratio, took) for name, ratio in found)


def at(values: list[float], share: float) -> float:
    """The least of the values that `share` of them do not exceed."""
    return sorted(values)[math.ceil(share * len(values)) - 1]


def stretch(ratio: Estimate) -> float:
    """By which factor both sides of the interval must grow, in logs, for it to hold the
    truth, 1.
    """
    center = math.log(ratio.center)
    side = center - math.log(ratio.low) if center > 0 else math.log(ratio.high) - center
    return abs(center) / side if side > 0 else math.inf if center else 0.0


def report(found: dict[str, list[tuple[Estimate, float]]]) -> None:
    print(
        f"{'design':20} {'box s':>7} {'n':>5} {'stated +-':>10} {'holds 1':>8} {'95 % error':>11} "
        f"{'honest +-':>10}"
    )
    for name, results in found.items():
        ratios = [ratio for ratio, _ in results]
        stated = statistics.median(estimates.ratio_half_width(ratio) for ratio in ratios)
        holds = statistics.fmean(ratio.low <= 1 <= ratio.high for ratio in ratios)
        error = at([math.expm1(abs(math.log(ratio.center))) for ratio in ratios], HELD)
        honest = math.expm1(
            math.log1p(stated) * max(1.0, at([stretch(ratio) for ratio in ratios], HELD))
        )
        box, n = (
            statistics.median(seconds for _, seconds in results),
            statistics.median(ratio.n for ratio in ratios),
        )
        print(
            f"{name:20} {box:7.1f} {n:5.0f} {stated:10.1%} {holds:8.0%} {error:11.1%} "
            f"{honest:10.1%}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hyperfine", type=Path)
    parser.add_argument("--sessions", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=12.0)
    arguments = parser.parse_args()
    designs: list[Design] = [processes, by_pyperf]
    if arguments.hyperfine:
        designs.append(by_hyperfine(arguments.hyperfine))
    found: dict[str, list[tuple[Estimate, float]]] = {}
    for name, ratio, seconds in sessions(designs, arguments.sessions, arguments.seconds):
        found.setdefault(name, []).append((ratio, seconds))
    report(found)


if __name__ == "__main__":
    main()
