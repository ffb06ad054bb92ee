"""From the raw log to one value an invocation, by case and block.

A process is one observation (Kalibera & Jones 2013): its value is the median of its warm iterations. The first one is
cold and a figure of its own, because warm-up is shown, not assumed (Barrett et al. 2017).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

import msgspec

from corobench import store
from corobench.case import Case, parse_case
from corobench.model import Kind
from corobench.statistics import contamination
from corobench.statistics.order import median

NS = 1e-9
Each = TypeVar("Each")


class Series(msgspec.Struct, frozen=True, kw_only=True, dict=True):  # what several of its numbers ask for is made once
    """What one case gave. `invocations` holds one a block, the last where a block has several."""

    case: Case
    invocations: dict[int, store.Invocation]
    failures: list[store.Failure]
    retried: int

    @cached_property
    def paces(self) -> dict[int, list[float]]:
        """Nanoseconds an operation in each iteration of each invocation."""
        return {block: [i.elapsed_ns / i.ops for i in one.iterations] for block, one in self.invocations.items()}

    @cached_property
    def neighbours(self) -> contamination.Neighbours:
        """What was seen of others meanwhile."""
        return contamination.seen(self.invocations.values())

    def by_block(self, value: Callable[[store.Invocation], float | None]) -> dict[int, float]:
        """A figure of each invocation, where it has one."""
        found = ((block, value(invocation)) for block, invocation in self.invocations.items())
        return {block: number for block, number in found if number is not None}


def collect(run: store.Run) -> dict[str, Series]:
    """Every case of the plan, also one that never ran."""
    invocations: dict[str, dict[int, store.Invocation]] = defaultdict(dict)
    failures: dict[str, list[store.Failure]] = defaultdict(list)
    retried: dict[str, int] = defaultdict(int)
    for line in run.lines:
        if isinstance(line, store.Invocation):
            retried[line.case] += line.block in invocations[line.case]
            invocations[line.case][line.block] = line
        elif isinstance(line, store.Failure):
            failures[line.case].append(line)
    return {
        key: Series(
            case=parse_case(key),
            invocations=dict(sorted(invocations[key].items())),
            failures=failures[key],
            retried=retried[key],
        )
        for key in run.header.plan.cases
    }


def whole_blocks(run: store.Run) -> set[int]:
    """The blocks that ran from end to end without an interruption: only they are paired."""
    whole: set[int] = set()
    broken: set[int] = set()
    begun: int | None = None
    for line in run.lines:
        if isinstance(line, store.Invocation | store.Failure):
            begun = line.block
        elif isinstance(line, store.Mark) and line.event == "block-complete" and line.block is not None:
            whole.add(line.block)
            begun = None
        elif isinstance(line, store.Mark) and line.event in ("interrupted", "resumed") and begun is not None:
            broken.add(begun)
    return whole - broken


def timer_steps(run: store.Run) -> dict[str, float]:
    """Runtime -> the least nanoseconds that its harness can tell: the shortest iteration of its null program in the run."""
    told = ((line.values.get("runtime"), line.values.get("elapsed_ns")) for line in run.controls if line.name == "null")
    least: dict[str, float] = {}
    for runtime, elapsed in told:
        for value in elapsed or []:
            if value > 0:
                least[str(runtime)] = min(value, least.get(str(runtime), value))
    return least


def canary(run: store.Run) -> dict[int, float]:
    """Seconds that the fixed work of the canary took, by block."""
    told = ((line.block, line.values.get("wall_ns")) for line in run.controls if line.name == "canary")
    return {block: NS * wall for block, wall in told if block is not None and isinstance(wall, int) and wall > 0}


def measured(iterations: list[Each], kind: Kind) -> list[Each]:
    """The iterations that count: all processes of a startup invocation, otherwise those after the cold first one."""
    return iterations if kind == "startup" else iterations[1:]


def typical(part: Series, kind: Kind) -> dict[int, float]:
    """Seconds an operation by block: the median of the measured iterations, where there are any."""
    return _medians({block: measured(paces, kind) for block, paces in part.paces.items()})


def fastest(part: Series, kind: Kind) -> dict[int, float]:
    """Seconds an operation in the fastest measured iteration, by block."""
    return part.by_block(lambda one: min([NS * i.elapsed_ns / i.ops for i in measured(one.iterations, kind)], default=None))


def cpu(part: Series, kind: Kind) -> dict[int, float]:
    """CPU seconds an operation (user and system, all threads) by block: the median of the measured iterations."""
    found = {block: measured(one.iterations, kind) for block, one in part.invocations.items()}
    return _medians({block: [i.cpu_ns / i.ops for i in iterations] for block, iterations in found.items()})


def cold(invocation: store.Invocation) -> float | None:
    """Seconds an operation in the first iteration of the process."""
    return next((NS * i.elapsed_ns / i.ops for i in invocation.iterations), None)


def held(invocation: store.Invocation, point: str) -> float | None:
    """Private bytes at a hold point: dirty pages and what was swapped out."""
    memory = invocation.holds.get(point)
    return float(memory.private_dirty + memory.swap) if memory else None


def _medians(nanoseconds: dict[int, list[float]]) -> dict[int, float]:
    return {block: NS * median(values) for block, values in nanoseconds.items() if values}
