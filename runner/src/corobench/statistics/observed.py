"""What the runner saw around the programs of a case: the load generator or the companion that a number leans on. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from corobench.statistics.order import median
from corobench.statistics.series import Series

AROUND = ("generator_cpu", "concurrency", "rate", "late", "queued", "companion_cpu", "companion_late", "companion_late_p99")
"""Of what is observed, what is not the program's own (runner/workloads/README.md says what each is)."""


def medians(found: Mapping[str, Series]) -> dict[str, dict[str, float]]:
    """Case -> quantity -> its median over the invocations. The twins of the control are left out."""
    result: dict[str, dict[str, float]] = {}
    for key, part in found.items():
        seen = [invocation.observed for invocation in part.invocations.values()]
        names = [name for name in AROUND if any(name in one for one in seen)]
        if names and not part.case.twin:
            result[key] = {name: median(one[name] for one in seen if name in one) for name in names}
    return result
