"""The native cross-check: our number beside that of the language's own benchmark harness, for the same operation.

A control line named "crosscheck" carries runtime, workload, params, harness and `per_op_ns` (one value a sample; per
resume for switch, so that our figure is multiplied by the share of true switches again). A line is one process of the
harness, and its value the median of its samples. Where the harness ran in blocks enough, each line is paired with our value of
its block, as every comparison here is. Where it ran in fewer, the ratio lies between its least value over our k-th largest and
its largest over our k-th least. If n values of ours and m of theirs scatter alike, all orders of them are equally likely
(Wilcoxon 1945, Biometrics Bulletin 1), and both bounds hold in 1 - 2 C(k - 1 + m, m) / C(n + m, m) of cases; k is the largest
that leaves 95 %. One line proves nothing, unless we have 39 blocks. Over 10 % apart asks for an explanation: a different
operation is a bug in one of the two.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from corobench import store
from corobench.model import point_name
from corobench.statistics import facts, flags, order, paired
from corobench.statistics.series import NS
from corobench.statistics.values import Agreement, Cell, Estimate

DISAGREE = 0.10
NAME = "crosscheck"
UNEXPLAINED = "not explained"


class _Checked(NamedTuple):
    """What a cross-check is about."""

    runtime: str
    workload: str
    point: str
    track: str
    harness: str


def agreement(run: store.Run, cells: Sequence[Cell]) -> list[Agreement]:
    """One row for each number that was cross-checked and that we have, too."""
    metrics = {name: workload.metric[0].name for name, workload in facts.workloads(run.header).items()}
    known = {(c.runtime, c.workload, c.point, c.track): c for c in cells if c.typical and c.metric == metrics[c.workload]}
    rows = []
    for checked, theirs in _lines(run).items():
        if (cell := known.get(checked[:4])) is not None:
            share = run.header.true_switches.get(f"{checked.runtime}/{checked.workload}/{checked.point}", 1.0)
            rows.append(_row(run, checked, cell, share, theirs))
    return rows


def _lines(run: store.Run) -> dict[_Checked, list[tuple[int | None, float]]]:
    """The blocks and values (seconds) of the lines of each cross-check."""
    found: dict[_Checked, list[tuple[int | None, float]]] = {}
    for line in run.controls:
        if line.name == NAME and line.values.get("per_op_ns"):
            said = line.values
            track, harness = str(said.get("track", "one-cpu")), str(said.get("harness", ""))
            checked = _Checked(str(said["runtime"]), str(said["workload"]), point_name(said["params"]), track, harness)
            found.setdefault(checked, []).append((line.block, NS * order.median(map(float, said["per_op_ns"]))))
    return found


def _row(run: store.Run, checked: _Checked, cell: Cell, share: float, lines: list[tuple[int | None, float]]) -> Agreement:
    assert cell.typical is not None
    ours = {block: value * share for block, value in cell.samples.items()}
    theirs = [value for _, value in lines]
    logs = paired.log_ratios({block: value for block, value in lines if block is not None}, ours)
    are_enough = bool(order.rank(len(logs)))
    interval = paired.ratio(logs) if are_enough else by_ranks(theirs, list(ours.values()))
    state = _state(interval)
    explained = run.header.runtimes.get(checked.runtime, {}).get("explained", {})
    return Agreement(
        **checked._asdict(),
        metric=cell.metric,
        ours=cell.typical.times(share),
        theirs=order.estimate(theirs),
        ratio=interval.center,
        interval=interval,
        method="paired" if are_enough else "ranks",
        state=state,
        agrees=state == "agrees",
        explanation=explained.get(checked.workload, "") if state == "disagrees" else "",
    )


def by_ranks(theirs: Sequence[float], ours: Sequence[float]) -> Estimate:
    """Theirs / ours: their extremes over ranks of ours; over our extremes, and confidence 0, where these are too few for 95 %."""
    ordered, n = sorted(ours), len(ours)
    known = [k for k in range(1, n // 2 + 1) if _coverage(n, len(theirs), k) >= order.CONFIDENCE]
    k = max(known, default=1)
    return Estimate(
        center=order.median(theirs) / order.median(ours),
        low=min(theirs) / ordered[n - k],
        high=max(theirs) / ordered[k - 1],
        n=len(theirs),
        confidence=_coverage(n, len(theirs), k) if known else 0.0,
    )


def _coverage(n: int, m: int, k: int) -> float:
    """The probability that neither all m values of theirs are above our k-th largest, nor all below our k-th least."""
    return 1 - 2 * math.comb(k - 1 + m, m) / math.comb(n + m, m)


def _state(ratio: Estimate) -> Literal["agrees", "disagrees", "can't tell"]:
    least, most = 1 / (1 + DISAGREE), 1 + DISAGREE
    if ratio.confidence and least <= ratio.low and ratio.high <= most:
        return "agrees"
    return "disagrees" if ratio.confidence and (ratio.high < least or ratio.low > most) else "can't tell"


def flagged(cells: Sequence[Cell], rows: Sequence[Agreement]) -> list[Cell]:
    """The cells, those with an amber flag that the language's own harness contradicts."""
    wrong = {"/".join((r.workload, r.point, r.track, r.runtime, r.metric)): r for r in rows if r.state == "disagrees"}
    return [
        msgspec.structs.replace(cell, flags=[*cell.flags, flags.crosscheck(_contradiction(row))])
        if (row := wrong.get(cell.key))
        else cell
        for cell in cells
    ]


def _contradiction(row: Agreement) -> str:
    return f"{row.harness} reads {row.ratio:.2f} times as much: {row.explanation or UNEXPLAINED}"


def warnings(run: store.Run, rows: Sequence[Agreement]) -> Iterator[str]:
    """The disagreements of a run, and the cross-checks that gave no number."""
    for row in rows:
        if row.state == "disagrees":
            where = f"{row.runtime}, {row.workload} {row.point}"
            yield f"cross-check of {where}: {_contradiction(row)}"
    failed = {str(line.values.get("runtime")): str(line.values["failed"]) for line in _failed(run)}
    for runtime, reason in failed.items():
        yield f"cross-check of {runtime} failed: {reason}"


def _failed(run: store.Run) -> Iterator[store.Control]:
    return (line for line in run.controls if line.name == NAME and "failed" in line.values)
