"""Two synthetic runs of the same cases, for tests of what is said of them together."""

from __future__ import annotations

from typing import Any

from synthetic import make_run

from corobench.results import log
from corobench.statistics.types import Change, RunComparison

DAY = 86_400.0
SPAWN = ["spawn", "memory", "hand-off"]


def run(seed: int, start_s: float = 0.0, **options: Any) -> log.Run:
    return make_run(seed=seed, blocks=12, workloads=SPAWN, start_s=start_s, **options)


def change(found: RunComparison, key: str) -> Change:
    return next(one for one in found.changes if one.key == key)
