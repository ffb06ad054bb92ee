"""How long a run has still to go: by durations that are known before it begins, and then by those that it measures itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from corobench.case import parse_case
from corobench.duration import Durations, control
from corobench.execute.controls import CROSSCHECK, NULL_CONTROL
from corobench.plan import CROSS_ROUNDS, Plan, Profile


class Forecast:
    """`blocks`: those that the run is expected to measure, at first until the first look at precision.

    What the run has measured itself counts as it was, what it has not yet, as estimated before, in the same proportion.
    """

    def __init__(self, plan: Plan, profile: Profile, known: Durations, complete: int = 0) -> None:
        self._plan = plan
        self._profile = profile
        self._known = known.case_s
        self._controls = known.control_s
        self._runtimes = list(dict.fromkeys(parse_case(key).runtime for key in plan.cases))
        self._measured: dict[str, float] = {}
        self._ratio_of = (0.0, 0.0)
        self._given_up: Collection[str] = ()
        self.blocks = next((look for look in profile.looks if look > complete), profile.looks[-1])

    def took(self, key: str, seconds: float) -> None:
        """A case took this long."""
        if key not in self._measured:
            measured, known = self._ratio_of
            self._ratio_of = (measured + seconds, known + self._known[key])
        self._measured[key] = seconds

    def gave_up(self, keys: Collection[str]) -> None:
        """These are not measured any more."""
        self._given_up = keys

    def looked(self, values: Mapping[str, Any], blocks: int) -> None:
        """After so many blocks the numbers were not precise enough: the run goes on to the look at which they should be."""
        needed = max(values.get("predicted_blocks", {}).values(), default=0)
        looks = self._profile.looks
        self.blocks = next((look for look in looks if look > blocks and look >= needed), looks[-1])

    def block_s(self) -> float:
        """Seconds that a whole block takes, without cross-checks."""
        controls = ["canary", *(control(NULL_CONTROL, name) for name in self._runtimes)]
        between = sum(self._controls.get(name, 0.0) for name in controls)
        return between + self._sum(key for key in self._plan.cases if key not in self._given_up)

    def crossed_s(self) -> float:
        """Seconds that the cross-checks take which every run with claims has room for, in all."""
        named = [control(CROSSCHECK, name) for name in self._runtimes]
        return CROSS_ROUNDS * sum(self._controls.get(name, 0.0) for name in named) if self._profile.claims else 0.0

    def whole_s(self) -> float:
        """Seconds until the first look at precision: the least that the run takes, unless its budget ends before."""
        return self._profile.looks[0] * self.block_s() + self.crossed_s()

    def left(self, block: int, rest: Iterable[str], budget_s: float) -> tuple[int, float]:
        """In a block of which these cases are left: how many blocks the run should have in all, and the seconds until its end.

        `budget_s`: what is left of the budget. The block is measured in any case, further ones only where there is room.
        """
        rest_s, block_s = self._sum(rest), self.block_s()
        further = max(0, self.blocks - block - 1)
        if block_s > 0:
            further = min(further, max(0, int((budget_s - rest_s) / block_s)))
        return block + 1 + further, rest_s + further * block_s

    def _sum(self, keys: Iterable[str]) -> float:
        measured, known = self._ratio_of
        ratio = measured / known if known else 1.0
        return sum(self._measured.get(key, ratio * self._known[key]) for key in keys)
