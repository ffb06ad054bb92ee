"""What a run will measure and how long that should take, said before it starts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corobench.case import parse_case
from corobench.cli.progress import human, too_short
from corobench.cli.runs import this_box
from corobench.duration import Basis, Durations, durations
from corobench.execute.forecast import Forecast
from corobench.model import Suite
from corobench.plan import PROFILE, Plan
from corobench.value import Value

_NAMED = 8  # names of a list that are said
_SOURCES = {
    "this box": "earlier runs on this box",
    "another box": "runs on another box, since none here has them",
    "like cases": "other cases of their workloads",
    "specs": "the nominal durations of their specs",
}


class Estimate(Value, frozen=True, kw_only=True):
    """`cases` are those of a block, A/A controls included; `blocks` the fewest and the most, unless the budget ends before.

    `block_s` and `least_s`: seconds of a block, and until the fewest blocks are done. `basis`: what these two rest on.
    """

    profile: str
    runtimes: list[str]
    workloads: list[str]
    tracks: list[str]
    cases: int
    blocks: list[int]
    block_s: float
    least_s: float
    budget_s: float
    basis: list[Basis]

    def lines(self) -> Iterator[str]:
        """The same for a person."""
        fewest, most = self.blocks
        tracks = " and ".join(self.tracks)
        blocks = _counted(most, "block") if fewest == most else f"{fewest} to {most} blocks, until the numbers are precise enough"
        yield f"will measure: {_counted(self.cases, 'case')} a block on {tracks}, {blocks} (profile {self.profile})"
        yield f"  {_counted(len(self.runtimes), 'runtime')}: {_listed(self.runtimes)}"
        yield f"  {_counted(len(self.workloads), 'workload')}: {_listed(self.workloads)}"
        least = "" if fewest == most else "at least "
        yield f"will take: {least}about {human(self.least_s)}; it stops before the time budget of {human(self.budget_s)} is used"
        yield f"  by {'; '.join(_rests_on(self.basis))}"
        if self.least_s > self.budget_s:
            yield f"  {too_short(int(self.budget_s / self.block_s), fewest, self.least_s)}"


def known_durations(suite: Suite, made: Plan) -> Durations:
    """What the runs under the suite's results tell, those of this box first."""
    return durations(suite, made, suite.root / "results", this_box())


def estimate(plans: Sequence[Plan], known: Sequence[Durations], budget_s: float) -> Estimate:
    """Of a run, or of several that take turns and share a budget."""
    profile = PROFILE[plans[0].profile]
    forecasts = [Forecast(plan, profile, durations) for plan, durations in zip(plans, known, strict=True)]
    cases = [parse_case(key) for plan in plans for key in plan.cases]
    return Estimate(
        profile=profile.name,
        runtimes=list(dict.fromkeys(case.runtime for case in cases)),
        workloads=list(dict.fromkeys(case.workload for case in cases)),
        tracks=list(dict.fromkeys(case.track for case in cases)),
        cases=len(cases),
        blocks=[profile.looks[0], profile.looks[-1]],
        block_s=round(sum(forecast.block_s() for forecast in forecasts), 3),
        least_s=round(sum(forecast.whole_s() for forecast in forecasts), 3),
        budget_s=budget_s,
        basis=[basis for durations in known for basis in durations.basis],
    )


def _rests_on(basis: Sequence[Basis]) -> Iterator[str]:
    for source, words in _SOURCES.items():
        of_it = sorted((one for one in basis if one.source == source), key=lambda one: -one.cases)
        if of_it:
            runs = list(dict.fromkeys(one.run for one in of_it if one.run))
            more = f" and {_counted(len(runs) - 1, 'more', 'more')}" if len(runs) > 1 else ""
            yield f"{words}{f' ({runs[0]}{more})' if runs else ''}: {_counted(sum(one.cases for one in of_it), 'case')}"


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - _NAMED
    return ", ".join(names) if rest <= 1 else f"{', '.join(names[:_NAMED])} and {rest} more"


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
