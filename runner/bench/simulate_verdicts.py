"""How often do our verdicts err, and what do they find? Run: python bench/simulate_verdicts.py [--families 400] [--blocks 25].

Identical runtimes are measured in blocks under simulated noise (noises.py) and judged by the shipped rules. For each kind
of noise and each figure (typical, floor, CPU time) it prints, in percent: families with a false "lower" or "higher";
families with a false second group; families with a false "fastest"; intervals of the paired ratio, and of the absolute
value, that hold the truth; true differences of 10 % found, and those that a stricter rule would find; mean half-width of
the ratio's interval, and mean delta. Noise is scaled so that the typical time has a paired standard deviation of 6.5 %, the
figure for which power is stated ("layout" is not: there identical programs differ by up to 1 % for good, and no interval
holds the 1). The last column judges two runs of such families by their ratios of ratios: families with a false verdict.
`--runs FOLDER ...` judges the A/A pairs of measured runs instead.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from noises import KINDS, LAYOUT, Array, Figures, simulate

from corobench import store
from corobench.plan import _row
from corobench.statistics import groups, holm, noise, paired, serial, series, twosample, verdict
from corobench.statistics.values import Estimate

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


def arranged(values: Array, rng: np.random.Generator) -> Array:
    """From slots in time to cases: a Williams square, its rows and the cases' places seeded, as the plan does it."""
    families, blocks, slots = values.shape
    found = np.empty_like(values)
    for family in range(families):
        seed, names = int(rng.integers(2**32)), rng.permutation(slots)
        for block in range(blocks):
            found[family, block, names[_row(slots, block, seed)]] = values[family, block]
    return found


def judge(values: Array, truth: float) -> dict[str, float]:
    """The share of each outcome over families; `values` by (family, block, case), the last case being the twin of case 0."""
    outcomes = [_family(family, truth) for family in values]
    shares = {name: float(np.mean([outcome[name] for outcome in outcomes])) for name in HEAD}
    return shares | {TWO_RUNS: float(np.mean([_two_runs(*pair) for pair in zip(values[::2], values[1::2], strict=False)]))}


def _family(family: Array, truth: float) -> dict[str, float]:
    cases, delta, logs = _against_first(family)
    decided = verdict.decide(logs, delta)
    found = groups.groups({str(case): cases[case] for case in range(RUNTIMES)}, delta)
    ratio, absolute = paired.ratio(logs["1"]), serial.estimate(cases[1])
    slower = {**logs, "1": [value + math.log(1.1) for value in logs["1"]]}
    return {
        "false verdict": any(one.verdict in ("lower", "higher") for one in decided.values()),
        "false group": max(found.values()) > 1,
        "false fastest": groups.fastest(found) is not None,
        "ratio covered": ratio.low <= 1 <= ratio.high,
        "absolute covered": absolute.low <= truth <= absolute.high,
        "10 % found": verdict.decide(slower, delta)["1"].verdict == "higher",
        "by strict rule": _strict(slower, delta),
        "half-width": paired.half_width(ratio),
        "delta": delta,
    }


def _strict(family: dict[str, list[float]], delta: float) -> bool:
    """The rule that verdict.py did not take: the whole interval has to clear delta."""
    bound = math.log1p(delta)
    return holm.adjust([2 * paired.p_above(logs, bound) for logs in family.values()])[0] <= verdict.ALPHA


def _against_first(family: Array) -> tuple[list[dict[int, float]], float, dict[str, list[float]]]:
    """The cases by block, the delta of their A/A control, and the log ratios of cases 1 .. 7 to case 0."""
    cases = [dict(enumerate(family[:, case].tolist())) for case in range(RUNTIMES + 1)]
    delta = noise.delta(paired.ratio(paired.log_ratios(cases[RUNTIMES], cases[0])))
    return cases, delta, {str(case): paired.log_ratios(cases[case], cases[0]) for case in range(1, RUNTIMES)}


def _two_runs(first: Array, second: Array) -> bool:
    """Whether `compare`, without interleaving, would call one of 7 unchanged runtimes changed."""
    (_, delta, before), (_, other_delta, after) = _against_first(first), _against_first(second)
    bound = math.log1p(noise.LEAST_DELTA_ACROSS)
    adjusted = holm.adjust([twosample.p_differs(before[name], after[name], bound) for name in before])
    centers = [math.log(twosample.ratio(before[name], after[name]).center) for name in before]
    least = math.log1p(max(delta, other_delta, noise.LEAST_DELTA_ACROSS))
    return any(p <= verdict.ALPHA and abs(center) > least for p, center in zip(adjusted, centers, strict=True))


def simulated(kind: str, families: int, blocks: int, seed: int) -> dict[str, dict[str, float]]:
    """The outcomes for each figure under one kind of noise."""
    rng = np.random.default_rng(seed)
    long = simulate(kind, (200, 50, RUNTIMES + 1), np.random.default_rng(seed + 1))
    logs = np.log(long.typical)
    scale = 1.0 if kind == LAYOUT else PAIRED_DEVIATION / float(np.std(logs[:, :, 0] - logs[:, :, RUNTIMES // 2]))
    truth = Figures(*(figure**scale for figure in long))
    figures = Figures(*(figure**scale for figure in simulate(kind, (families, blocks, RUNTIMES + 1), rng)))
    layout = np.exp(rng.uniform(-0.005, 0.005, (families, 1, RUNTIMES + 1))) if kind == LAYOUT else 1.0
    return {
        name: judge(arranged(values, rng) * layout, float(np.median(getattr(truth, name))))
        for name, values in figures._asdict().items()
    }


def measured(folders: list[Path]) -> None:
    """The A/A pairs of real runs by figure: how far off, how often the interval excludes 1, how wide it is."""
    print(f"{'figure':10} {'pairs':>6} {'off: p50':>14} {'p90':>7} {'excludes 1':>11} {'half-width p50':>15}")
    for figure in ("typical", "fastest", "cpu"):
        found = [ratio for folder in folders for ratio in _controls(store.read(folder), figure)]
        off = [abs(ratio.center - 1) for ratio in found]
        wide = [paired.half_width(ratio) for ratio in found]
        excludes = np.mean([not ratio.low <= 1 <= ratio.high for ratio in found])
        middle, most = np.quantile(off, 0.5), np.quantile(off, 0.9)
        print(f"{figure:10} {len(found):6} {middle:14.2%} {most:7.2%} {excludes:11.1%} {np.median(wide):15.2%}")


def _controls(run: store.Run, figure: str) -> Iterator[Estimate]:
    value = getattr(series, figure)
    found = series.collect(run)
    kinds = {name: spec["kind"] for name, spec in run.header.workloads.items()}
    for key, twin in found.items():
        kind = kinds[twin.case.workload]
        if twin.case.twin and kind != "memory":
            columns = [part.by_block(lambda i, kind=kind: value(i, kind)) for part in (twin, found[key.removesuffix("~twin")])]
            if logs := paired.log_ratios(*columns):
                yield paired.ratio(logs)


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
    print(f"{arguments.families} families of {RUNTIMES} identical runtimes, {arguments.blocks} blocks; percent")
    columns = [*HEAD, TWO_RUNS]
    print(f"{'noise':16} {'figure':8}" + "".join(f"{name:>17}" for name in columns))
    for kind in KINDS:
        for figure, shares in simulated(kind, arguments.families, arguments.blocks, arguments.seed).items():
            print(f"{kind:16} {figure:8}" + "".join(f"{100 * shares[name]:17.1f}" for name in columns))


if __name__ == "__main__":
    main()
