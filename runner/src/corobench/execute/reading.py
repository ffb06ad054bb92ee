"""What one process of a case yielded, before it is placed in a run."""

from __future__ import annotations

import msgspec

from corobench.distribution import Distribution
from corobench.execute.process import Outcome
from corobench.model import Parameter, Setting
from corobench.store import Iteration, Memory


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """The right answer of a process: how it ended, its iterations, its evidence, its settings, its memory, its samples."""

    outcome: Outcome
    iterations: list[Iteration]
    evidence: dict[str, Parameter]
    settings: dict[str, Setting] = {}
    version: str = ""
    language_version: str = ""
    holds: dict[str, Memory] = {}
    series: dict[str, Distribution] = {}
    raw: dict[str, list[int]] = {}
    observed: dict[str, float] = {}
    events: list[tuple[str, int, str | int]] = []
