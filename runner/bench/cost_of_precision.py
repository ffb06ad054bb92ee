"""What does precision cost in box time? Run: python bench/cost_of_precision.py --hyperfine PATH [--sessions 10] [--seconds 4].

Two identical commands are compared again and again, by each design for the same box time in turn: interleaved blocks with the
paired sign interval (ours), the same processes run A..A B..B, hyperfine A then B, and pyperf's `command` A then B.
The truth is a ratio of 1, so that the real error is seen: printed are the half-width that each design states, the share of its
intervals that hold the truth, the error that 95 % of its ratios stay under, and the seconds of box time. A narrow interval
that misses the truth is not precise; the honest half-width is the larger of what is stated and what was missed by.
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

from corobench.statistics import order, paired, twosample
from corobench.statistics.values import Estimate

PROGRAM = "import asyncio; asyncio.run(asyncio.sleep(0))"
COMMAND = [sys.executable, "-I", "-S", "-c", PROGRAM]
Design = Callable[[float], Estimate]


def process() -> float:
    started = time.monotonic()
    subprocess.run(COMMAND, check=True, stdin=subprocess.DEVNULL)
    return time.monotonic() - started


def ours(seconds: float) -> Estimate:
    """Blocks of A and B in random order, until the time is used."""
    logs: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(logs) < 9:
        block = [process(), process()]
        random.shuffle(block)  # identical commands: naming them afterwards is running them in random order
        logs.append(math.log(block[1] / block[0]))
    return paired.ratio(logs)


def one_after_another(seconds: float) -> Estimate:
    """The same processes and medians, A..A then B..B."""
    samples = [_repeat(seconds / 2) for _ in range(2)]
    return twosample.ratio(*([math.log(value) for value in sample] for sample in samples))


def _repeat(seconds: float) -> list[float]:
    found: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(found) < 9:
        found.append(process())
    return found


def by_hyperfine(hyperfine: Path) -> Design:
    """A..A then B..B, with the interval of a ratio of means by the t distribution's large-sample form."""

    def design(seconds: float) -> Estimate:
        with tempfile.TemporaryDirectory() as folder:
            export = Path(folder) / "times.json"
            runs = max(9, int(seconds / 2 / statistics.median(process() for _ in range(3))))
            command = " ".join(f"'{part}'" for part in COMMAND)
            options = ["--shell=none", "--style=none", f"--runs={runs}", f"--export-json={export}"]
            subprocess.run(
                [str(hyperfine), *options, command, command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            results = json.loads(export.read_text())["results"]
        return ratio_of_means(*(result["times"] for result in results))

    return design


def by_pyperf(seconds: float) -> Estimate:
    """pyperf's `command`, A then B."""
    samples = []
    for _ in range(2):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "pyperf.json"
            count = max(9, int(seconds / 2 / statistics.median(process() for _ in range(3)) / 2))
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
                [sys.executable, "-m", "pyperf", "command", *options, "--", *COMMAND], check=True, stdout=subprocess.DEVNULL
            )
            runs = json.loads(out.read_text())["benchmarks"][0]["runs"]
        samples.append([value for run in runs for value in run.get("values", [])])
    return ratio_of_means(*samples)


def ratio_of_means(first: list[float], second: list[float]) -> Estimate:
    """mean(second) / mean(first) with the normal interval of its log."""
    center = math.log(statistics.fmean(second) / statistics.fmean(first))
    variance = sum(statistics.variance(sample) / len(sample) / statistics.fmean(sample) ** 2 for sample in (first, second))
    reach = 1.96 * math.sqrt(variance)
    values = [math.exp(x) for x in (center, center - reach, center + reach)]
    return Estimate(center=values[0], low=values[1], high=values[2], n=len(first), confidence=order.CONFIDENCE)


def sessions(designs: dict[str, Design], count: int, seconds: float) -> Iterator[tuple[str, Estimate, float]]:
    """Every design once a session, in random order, so that none has the quiet hours."""
    for _ in range(count):
        for name in random.sample(list(designs), len(designs)):
            started = time.monotonic()
            yield name, designs[name](seconds), time.monotonic() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hyperfine", type=Path)
    parser.add_argument("--sessions", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=4.0)
    arguments = parser.parse_args()
    designs: dict[str, Design] = {"blocks, paired": ours, "A..A B..B, medians": one_after_another, "pyperf": by_pyperf}
    if arguments.hyperfine:
        designs["hyperfine"] = by_hyperfine(arguments.hyperfine)
    found: dict[str, list[tuple[Estimate, float]]] = {name: [] for name in designs}
    for name, ratio, seconds in sessions(designs, arguments.sessions, arguments.seconds):
        found[name].append((ratio, seconds))
    print(f"{'design':20} {'box s':>7} {'n':>5} {'stated +-':>10} {'holds 1':>8} {'95 % error':>11} {'honest +-':>10}")
    for name, results in found.items():
        stated = statistics.median(paired.half_width(ratio) for ratio, _ in results)
        holds = statistics.fmean(ratio.low <= 1 <= ratio.high for ratio, _ in results)
        errors = sorted(math.expm1(abs(math.log(ratio.center))) for ratio, _ in results)
        error = errors[min(len(errors) - 1, math.ceil(0.95 * len(errors)) - 1)]
        box, n = (statistics.median(values) for values in ([s for _, s in results], [r.n for r, _ in results]))
        print(f"{name:20} {box:7.1f} {n:5.0f} {stated:10.1%} {holds:8.0%} {error:11.1%} {max(stated, error):10.1%}")


if __name__ == "__main__":
    main()
