"""What is claimed of the runtimes, as ratios of numbers that one run measures: the files under `runner/findings`.

Both halves know them. The measuring half plans from them what the profile `findings` measures, the reporting half judges them.
"""

from __future__ import annotations

from typing import Literal

from corobench.value import Value


class Number(Value, frozen=True, kw_only=True):
    """A number of a run: a workload's metric for a runtime, at a point or (None) over the whole ladder.

    A point may be named by some of its parameters, `k=100` for `k=100,m=200`: a run in which the others had other values told
    the same.

    `figure`: in place of the metric's value the figure of this name beside it, of a runtime that has it: `collected` is what a
    task holds after a forced collection, and without a collector there is only the value.
    """

    workload: str
    runtime: str
    metric: str
    point: str | None = None
    track: Literal["one-cpu", "all-cpus"] = "one-cpu"
    figure: Literal["collected"] | None = None

    def is_at(self, point: str) -> bool:
        """Whether a point has what this one names; over the ladder every one does."""
        return self.point is None or {*self.point.split(",")} <= {*point.split(",")}


class Check(Value, frozen=True, kw_only=True):
    """One part of a claim: the ratio this / other lies between `least` and `most` (None: no limit).

    Without either nothing is claimed of the ratio: it is shown beside those that decide.
    """

    text: str
    this: Number
    other: Number
    least: float | None = None
    most: float | None = None

    @property
    def is_claim(self) -> bool:
        return self.least is not None or self.most is not None

    @property
    def numbers(self) -> tuple[Number, Number]:
        return self.this, self.other


class Source(Value, frozen=True, kw_only=True):
    """Where a claim was published, or what it is about."""

    title: str
    url: str


class Finding(Value, frozen=True, kw_only=True):
    """`runner/findings/<name>.toml`: a claim, what is behind it, and the ratios that decide it.

    `published`: whether the sources make the claim; where it is this project's own they are its background.
    """

    title: str
    claim: str
    explanation: str
    source: list[Source]
    check: list[Check]
    published: bool = True
    name: str = ""

    @property
    def numbers(self) -> list[Number]:
        """What must be measured for it, each once, in the order in which the parts name it."""
        return list(dict.fromkeys(number for check in self.check for number in check.numbers))

    @property
    def runtimes(self) -> list[str]:
        return list(dict.fromkeys(number.runtime for number in self.numbers))
