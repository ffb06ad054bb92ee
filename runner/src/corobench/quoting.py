"""What a spec has pages say beside its numbers: what a document claims of them, and what is worth choosing."""

from __future__ import annotations

from typing import Literal

from corobench.claims import Source
from corobench.value import Value


class Quoted(Value, frozen=True, kw_only=True):
    """What the document that a scenario reproduces says, to stand beside a metric of a runtime that was measured here.

    `mark` names the document in short, `source` is the document; `at` are the parameters that single out the point, the others
    being free. `largest`: a parameter whose largest measured value may stand in, named as that, where the point was not
    measured. `against`: the claim is about how many times the metric of this other runtime it is.
    """

    mark: str
    claim: str
    runtime: str
    metric: str
    at: dict[str, int | str] = {}
    largest: str | None = None
    against: str | None = None
    track: Literal["one-cpu", "all-cpus"] = "one-cpu"
    source: Source | None = None


class Rule(Value, frozen=True, kw_only=True):
    """A rule of thumb: an expression of the parameters, of `cores`, and of the metrics at the least of what is chosen."""

    title: str
    value: str


class Advice(Value, frozen=True, kw_only=True):
    """How much of the parameter `over` is worth it, by a metric at the largest `demand` that was asked of enough of its values,
    and what rules say of that.

    Without a demand it is itself what is asked.
    """

    over: str
    demand: str | None = None
    metric: str
    rule: list[Rule]
