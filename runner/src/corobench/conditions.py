"""What a spec asks of an invocation beyond its evidence: series of samples, what must hold, and what makes a number doubtful."""

from __future__ import annotations

from typing import Literal

from corobench.value import Value


class SampleSeries(Value, frozen=True, kw_only=True):
    """Samples that a program writes (ns). `count` is a check; `raw`: kept as they are, where they are no distribution."""

    title: str
    count: str | None = None
    keep: Literal["distribution", "raw"] = "distribution"


class Require(Value, frozen=True, kw_only=True):
    """What must hold for an invocation to give a number at all; `text` says it in words.

    `timing`: it rests on measured time, which a busy box can spoil; verify tries again before it rejects a program for it.
    """

    name: str
    holds: str
    text: str
    timing: bool = False


class Doubt(Value, frozen=True, kw_only=True):
    """What makes a number doubtful where it holds for over a fifth of its invocations: a flag, in words.

    `metrics`: only these figures (metrics, differences, ratios) are doubtful for it; all of them where none is named.
    `bound`: such a figure is only a lower bound of what was asked.
    """

    name: str
    level: Literal["red", "amber"]
    when: str
    text: str
    metrics: list[str] = []
    bound: bool = False
