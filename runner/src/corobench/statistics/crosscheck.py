"""The native cross-check: our number beside that of the language's own benchmark harness, for the same operation.

A control line named "crosscheck" carries runtime, workload, params, harness and `per_op_ns` (one value a sample; per
resume for switch, so that our figure is multiplied by the share of true switches again). Over 10 % apart is a flag that
asks for an explanation: a different operation is a bug in one of the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corobench import store
from corobench.model import point_name
from corobench.statistics import order
from corobench.statistics.series import NS
from corobench.statistics.values import Agreement, Cell, Estimate

DISAGREE = 0.10


def agreement(run: store.Run, cells: Sequence[Cell]) -> Iterator[Agreement]:
    """One row a cross-check whose case was measured too; on the one-CPU track, where harnesses run as well."""
    for line in run.controls:
        if line.name != "crosscheck" or not line.values.get("per_op_ns"):
            continue
        runtime, workload = str(line.values["runtime"]), str(line.values["workload"])
        point = point_name(line.values["params"])
        track = line.values.get("track", "one-cpu")
        case = (workload, point, track, runtime)
        ours = next((c.typical for c in cells if (c.workload, c.point, c.track, c.runtime) == case), None)
        if ours is None:
            continue
        share = run.header.true_switches.get(f"{runtime}/{workload}/{point}", 1.0)
        mine = _scaled(ours, share)
        theirs = order.estimate(NS * float(value) for value in line.values["per_op_ns"])
        ratio = theirs.center / mine.center
        agrees = abs(ratio - 1) <= DISAGREE or (theirs.low <= mine.high and mine.low <= theirs.high)
        yield Agreement(
            runtime=runtime,
            workload=workload,
            point=point,
            track=track,
            harness=str(line.values.get("harness", "")),
            ours=mine,
            theirs=theirs,
            ratio=ratio,
            agrees=agrees,
            explanation="" if agrees else run.header.runtimes[runtime].get("explained", {}).get(workload, ""),
        )


def _scaled(value: Estimate, share: float) -> Estimate:
    return Estimate(
        center=value.center * share, low=value.low * share, high=value.high * share, n=value.n, confidence=value.confidence
    )
