"""How often do our verdicts err, and what do they find? Run: python bench/simulate_verdicts.py
[--families 400] [--blocks 25].

Identical runtimes are measured in blocks under simulated noise (noises.py) and judged by the
shipped rules. For each kind of noise and each figure (median, minimum, CPU time) it prints, in
percent: families with a false "lower" or "higher"; families with a false second group; families
with a false "fastest"; intervals of the paired ratio, and of the absolute value, that hold the
truth; true differences of 10 % found, and those that a stricter rule would find; mean half-width of
the ratio's interval, and mean delta. Noise is scaled so that the typical time has a paired standard
deviation of 6.5 %, the figure for which power is stated ("layout" is not: there identical programs
differ by up to 1 % for good, and no interval holds the 1). The last columns judge two runs of such
families by their ratios of ratios: families with a false verdict, and runs of twelve columns in
which `compare` would raise a false alarm, a regression where nothing has changed.

A second table says the same of runs that end as the shipped rule ends them (stopping.py), with the
mean of their blocks: one ratio with its target alone, columns of two and of eight runtimes, and
three columns of eight. `--runs FOLDER ...` judges the A/A pairs of measured runs instead.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import stopping
from noises import KINDS, LAYOUT, Array, Figures, simulate

from corobench.plan import _row
from corobench.results import log
from corobench.statistics import estimates, samples, verdicts
from corobench.statistics.compare import THRESHOLD
from corobench.statistics.types import Estimate

RUNTIMES = 8
HEAD = (
    "false verdict",
    "false group",
    "false fastest",
    "ratio covered",
    "absolute covered",
    "10 % found",
    "by strict rule",
    "half-width",
    "delta",
)
PAIRED_DEVIATION = 0.065
TWO_RUNS = "two runs: false"
ALARM = "false alarm"
COLUMNS = 12
BLOCKS = "blocks"


def arranged(values: Array, rng: np.random.Generator) -> Array:
    """From slots in time to cases: a Williams square, its rows and the cases' places seeded, as the
    plan does it.
    """
    families, blocks, slots = values.shape
    found = np.empty_like(values)
    for family in range(families):
        seed, names = int(rng.integers(2**32)), rng.permutation(slots)
        for block in range(blocks):
            found[family, block, names[_row(slots, block, seed)]] = values[family, block]
    return found


def judge(values: Array, truth: float) -> dict[str, float]:
    """The share of each outcome over families; `values` by (family, block, case), the last case
    being the twin of case 0.
    """
    outcomes = [_family(family, truth) for family in values]
    pairs = [_two_runs(*pair) for pair in zip(values[::2], values[1::2], strict=False)]
    runs = [pairs[i : i + COLUMNS] for i in range(0, len(pairs) - COLUMNS + 1, COLUMNS)]
    return _means(outcomes) | {
        TWO_RUNS: float(np.mean([any(one.called) for one in pairs])),
        ALARM: float(np.mean([_alarm(run) for run in runs])) if runs else math.nan,
    }


def _means(outcomes: list[dict[str, float]]) -> dict[str, float]:
    return {name: float(np.mean([outcome[name] for outcome in outcomes])) for name in outcomes[0]}


def _family(family: Array, truth: float) -> dict[str, float]:
    cases, delta, logs = _against_first(family)
    decided = verdicts.decide(logs, delta)
    found = verdicts.groups({str(case): values for case, values in enumerate(cases[:-1])}, delta)
    ratios, absolute = (
        [estimates.paired_ratio(values) for values in logs.values()],
        [estimates.serial_median_interval(values) for values in cases[:-1]],
    )
    slower = {**logs, "1": [value + math.log(1.1) for value in logs["1"]]}
    return {
        "false verdict": any(one.verdict in ("lower", "higher") for one in decided.values()),
        "false group": max(found.values()) > 1,
        "false fastest": verdicts.sole_fastest(found) is not None,
        "ratio covered": _covered(ratios, 1.0),
        "absolute covered": _covered(absolute, truth),
        "10 % found": verdicts.decide(slower, delta)["1"].verdict == "higher",
        "by strict rule": _strict(slower, delta),
        "half-width": estimates.ratio_half_width(ratios[0]),
        "delta": delta,
    }


def _covered(intervals: list[Estimate], truth: float) -> float:
    return float(np.mean([found.low <= truth <= found.high for found in intervals]))


def _strict(family: dict[str, list[float]], delta: float) -> bool:
    """The rule that verdicts.py did not take: the whole interval has to clear delta."""
    bound = math.log1p(delta)
    return (
        estimates.holm([2 * estimates.p_above(logs, bound) for logs in family.values()])[0]
        <= verdicts.ALPHA
    )


def _against_first(family: Array) -> tuple[list[dict[int, float]], float, dict[str, list[float]]]:
    """The cases by block, the delta of their A/A control (the last case), and the log ratios of the
    others to case 0.
    """
    cases = [dict(enumerate(family[:, case].tolist())) for case in range(family.shape[1])]
    delta = verdicts.noise_delta(estimates.paired_ratio(estimates.log_ratios(cases[-1], cases[0])))
    return (
        cases,
        delta,
        {
            str(case): estimates.log_ratios(cases[case], cases[0])
            for case in range(1, len(cases) - 1)
        },
    )


class _Compared(NamedTuple):
    """A column in two runs: which unchanged runtimes are called changed, by which factor each got
    slower, and p of that.
    """

    called: list[bool]
    growth: list[float]
    worse: list[float]


def _two_runs(first: Array, second: Array) -> _Compared:
    """What `compare`, without interleaving, says of unchanged runtimes."""
    (_, delta, before), (_, other_delta, after) = _against_first(first), _against_first(second)
    bound = math.log1p(verdicts.LEAST_DELTA_ACROSS)
    differs = [estimates.unpaired_p_differs(before[name], after[name], bound) for name in before]
    centers = [
        math.log(estimates.unpaired_ratio(before[name], after[name]).center) for name in before
    ]
    least = math.log1p(max(delta, other_delta, verdicts.LEAST_DELTA_ACROSS))
    called = [
        p <= verdicts.ALPHA and abs(center) > least
        for p, center in zip(estimates.holm(differs), centers, strict=True)
    ]
    worse = [p / 2 if center > 0 else 1.0 for p, center in zip(differs, centers, strict=True)]
    return _Compared(called, [math.exp(center) for center in centers], worse)


def _alarm(columns: list[_Compared]) -> bool:
    """Whether `compare` would find a regression in two runs of these columns."""
    adjusted = estimates.benjamini_hochberg([p for column in columns for p in column.worse])
    called = [
        one and growth > 1 + THRESHOLD
        for c in columns
        for one, growth in zip(c.called, c.growth, strict=True)
    ]
    return any(one and p <= verdicts.ALPHA for one, p in zip(called, adjusted, strict=True))


def simulated(kind: str, families: int, blocks: int, seed: int) -> dict[str, dict[str, float]]:
    """The outcomes for each figure under one kind of noise."""
    made, truth = scaled(kind, (families, blocks, RUNTIMES + 1), seed)
    return {name: judge(values, getattr(truth, name)) for name, values in made.items()}


def scaled(
    kind: str,
    shape: tuple[int, int, int],
    seed: int,
    deviation: float = PAIRED_DEVIATION,
    wanted: Sequence[str] = Figures._fields,
) -> tuple[dict[str, Array], Figures]:
    """Families in which the typical time has this paired deviation, by each figure that is wanted,
    and the true values of all.
    """
    rng = np.random.default_rng(seed)
    long = simulate(kind, (200, 50, RUNTIMES + 1), np.random.default_rng(seed + 1))
    logs = np.log(long.median)
    scale = (
        1.0
        if kind == LAYOUT
        else deviation / float(np.std(logs[:, :, 0] - logs[:, :, RUNTIMES // 2]))
    )
    figures = simulate(kind, shape, rng)
    layout = np.exp(rng.uniform(-0.005, 0.005, (shape[0], 1, shape[2]))) if kind == LAYOUT else 1.0
    made = {name: arranged(getattr(figures, name) ** scale, rng) * layout for name in wanted}
    return made, Figures(*(np.asarray(np.median(figure**scale)) for figure in long))


class Shape(NamedTuple):
    """A run that is simulated: so many columns of so many runtimes, and the targets that it stops
    at.
    """

    name: str
    columns: int
    runtimes: int
    stops: stopping.Stops


SHAPES = [
    Shape("one ratio", 1, 2, stopping.shipped(target_absolute=math.inf)),
    Shape("two runtimes", 1, 2, stopping.shipped()),
    Shape("eight runtimes", 1, 8, stopping.shipped()),
    Shape("three columns", 3, 8, stopping.shipped()),
]


def with_stop(
    kind: str, shape: Shape, runs: int, seed: int, deviation: float = PAIRED_DEVIATION
) -> dict[str, float]:
    """The outcomes for the typical time in runs that stop by themselves, and the mean of their
    blocks.
    """
    families = (runs * shape.columns, stopping.LOOKS[-1], shape.runtimes + 1)
    made, truth = scaled(kind, families, seed, deviation, [verdicts.FIGURE])
    values = made[verdicts.FIGURE].reshape(runs, shape.columns, *families[1:])
    ends = [stopping.stopped(list(run), shape.stops) for run in values]
    outcomes = [
        _family(run[0][:end], float(truth.median)) | {BLOCKS: end}
        for run, end in zip(values, ends, strict=True)
    ]
    return _means(outcomes)


def measured(folders: list[Path]) -> None:
    """The A/A pairs of real runs by figure: how far off, how often the interval excludes 1, how
    wide it is.

    Fewer than six blocks have no 95 % interval, which could exclude anything.
    """
    print(
        f"{'figure':10} {'pairs':>6} {'off: p50':>14} {'p90':>7} {'excludes 1':>11} "
        f"{'half-width p50':>15}"
    )
    for figure in ("median", "minimum", "cpu"):
        found = [
            ratio
            for folder in folders
            for ratio in _controls(log.read(folder), figure)
            if verdicts.usable_control(ratio)
        ]
        if not found:
            print(f"{figure:10} {0:6}")
            continue
        off = [abs(ratio.center - 1) for ratio in found]
        wide = [estimates.ratio_half_width(ratio) for ratio in found]
        excludes = np.mean([not ratio.low <= 1 <= ratio.high for ratio in found])
        middle, most = np.quantile(off, 0.5), np.quantile(off, 0.9)
        print(
            f"{figure:10} {len(found):6} {middle:14.2%} {most:7.2%} {excludes:11.1%} "
            f"{np.median(wide):15.2%}"
        )


def _controls(run: log.Run, figure: str) -> Iterator[Estimate]:
    value = getattr(samples, f"{figure}_seconds")
    found = samples.collect(run)
    kinds = {name: spec["kind"] for name, spec in run.header.workloads.items()}
    for key, twin in found.items():
        kind = kinds[twin.case.workload]
        if twin.case.twin and kind != "memory":
            columns = [value(part, kind) for part in (twin, found[key.removesuffix("~twin")])]
            if logs := estimates.log_ratios(*columns):
                yield estimates.paired_ratio(logs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--families", type=int, default=400)
    parser.add_argument("--blocks", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=Path, nargs="*")
    arguments = parser.parse_args()
    if arguments.runs:
        measured(arguments.runs)
        return
    print(
        f"{arguments.families} families of {RUNTIMES} identical runtimes, {arguments.blocks} "
        "blocks; percent"
    )
    columns = [*HEAD, TWO_RUNS, ALARM]
    print(f"{'noise':16} {'figure':14}" + "".join(f"{name:>17}" for name in columns))
    for kind in KINDS:
        for figure, shares in simulated(
            kind, arguments.families, arguments.blocks, arguments.seed
        ).items():
            print(
                f"{kind:16} {figure:14}"
                + "".join(f"{100 * shares[name]:17.1f}" for name in columns)
            )
    print(f"\n{arguments.families} runs that stop by themselves; percent, and blocks")
    print(f"{'noise':16} {'run':14}" + "".join(f"{name:>17}" for name in (*HEAD, BLOCKS)))
    for kind in KINDS:
        for shape in SHAPES:
            shares = with_stop(kind, shape, arguments.families, arguments.seed)
            told = "".join(f"{100 * shares[name]:17.1f}" for name in HEAD)
            print(f"{kind:16} {shape.name:14}{told}{shares[BLOCKS]:17.1f}")


if __name__ == "__main__":
    main()
