"""Numbers that a spec states as expressions over one invocation: throughput, percentiles, CPU time a request."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from corobench import distribution, expression, quantities, store
from corobench.distribution import Distribution
from corobench.model import Parameter, Point, Workload
from corobench.statistics.sample import Sample
from corobench.statistics.series import Series


def samples(workload: Workload, points: Mapping[str, Point], cases: list[Series]) -> Iterator[Sample]:
    """A number for each metric of each case that is an expression; an invocation in which that has no value gives none.

    A percentile of a series that is empty or short at a setting, for instance: that number does not exist there.
    """
    asked = [(metric, metric.value) for metric in workload.metric if metric.value is not None]
    for part in cases if asked else []:
        params = points[part.case.point].params
        known = {block: quantities.of_invocation(params, invocation) for block, invocation in part.invocations.items()}
        for metric, text in asked:
            found = {block: _value(text, known[block], i.series) for block, i in part.invocations.items()}
            values = {block: number for block, number in found.items() if number is not None}
            if values or not part.invocations:
                yield Sample(case=part.case, workload=workload, metric=metric, values=values, figures={}, parts=[part])


def value(text: str, params: Mapping[str, Parameter], invocation: store.Invocation) -> float | None:
    """The value of an expression for an invocation; None where it has none."""
    return _value(text, quantities.of_invocation(params, invocation), invocation.series)


def _value(text: str, names: expression.Names, samples: Mapping[str, Distribution]) -> float | None:
    try:
        found = float(expression.evaluate(text, names, samples))
    except (ZeroDivisionError, expression.NoValue):
        return None
    return found if math.isfinite(found) else None


def pooled(found: Mapping[str, Series]) -> dict[str, dict[str, Distribution]]:
    """Case -> series -> the samples of all its invocations as one distribution. The twins of the control are left out."""
    result: dict[str, dict[str, Distribution]] = {}
    for key, part in found.items():
        names = dict.fromkeys(name for invocation in part.invocations.values() for name in invocation.series)
        if names and not part.case.twin:
            parts = part.invocations.values()
            result[key] = {n: distribution.pooled(i.series[n] for i in parts if n in i.series) for n in names}
    return result


def cpus(found: Mapping[str, Series]) -> dict[str, int]:
    """`workload/track` -> the CPUs that its programs had, where the runner has observed it: something else took one."""
    seen = {
        f"{part.case.workload}/{part.case.track}": int(invocation.observed[name])
        for part in found.values()
        for invocation in part.invocations.values()
        for name in quantities.CPUS
        if name in invocation.observed
    }
    return dict(sorted(seen.items()))


def raw(found: Mapping[str, Series]) -> dict[str, dict[str, list[int]]]:
    """Case -> series -> the samples of its last invocation, for what is shown of one invocation only (a timeline)."""
    last = {key: list(part.invocations.values())[-1] for key, part in found.items() if part.invocations and not part.case.twin}
    return {key: dict(invocation.raw) for key, invocation in last.items() if invocation.raw}
