"""How long a run will take: from earlier runs or specs before it begins, then from what it
measures.

Two blocks of a log are read, as a stream: they tell a duration well enough, and what is about to
measure stays small.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import msgspec

from corobench.errors import UserError
from corobench.plan import CROSS_ROUNDS, Plan, Profile
from corobench.results import log
from corobench.suite.runtime import Suite
from corobench.suite.workload import EXPRESSED, Value, parse_case

Source = Literal["this box", "another box", "like cases", "specs"]
_START_S = 0.3  # what a spec doesn't say: the start of a program, its untimed set-up, its end
_BLOCKS = 2
_MOST = 6  # logs that are read


class Basis(Value, frozen=True, kw_only=True):
    """What the durations of `cases` cases of a plan rest on.

    `run` (box/run) for those of an earlier run; like cases are those of other runtimes or points of
    their workload.
    """

    source: Source
    cases: int
    run: str = ""


class Durations(Value, frozen=True, kw_only=True):
    """Seconds that each case of a plan takes, with what passes between programs, and each control
    ("null go", "canary").
    """

    case_s: dict[str, float]
    control_s: dict[str, float]
    basis: list[Basis]


class _Witness(msgspec.Struct):
    wall_ns: int


class _Line(msgspec.Struct):
    """What of a line of a log tells durations; the rest is skipped without being decoded."""

    type: str
    case: str = ""
    name: str = ""
    event: str = ""
    block: int | None = None
    wall_ns: int = 0
    witness: _Witness | None = None
    values: dict[str, Any] = {}


class _Planned(msgspec.Struct):
    cases: list[str]


class _Header(msgspec.Struct):
    plan: _Planned


class _Seen:
    """What the first blocks of an earlier run took: invocations by case, controls by name, and all
    that passed between them.
    """

    def __init__(self) -> None:
        self.cases: dict[str, list[float]] = {}
        self.controls: dict[str, list[float]] = {}
        self._failed_s = 0.0
        self._between_s = 0.0

    def take(self, line: _Line) -> None:
        if line.witness is not None:
            self.cases.setdefault(line.case, []).append(line.witness.wall_ns / 1e9)
        elif line.type == "failure":
            self._failed_s += line.wall_ns / 1e9
        elif line.type == "control" and line.wall_ns:
            name = control_key(line.name, str(line.values.get("runtime", "")))
            self.controls.setdefault(name, []).append(line.wall_ns / 1e9)
        elif line.event == "block-complete":
            known = self._failed_s + sum(map(sum, (*self.cases.values(), *self.controls.values())))
            self._between_s = max(0.0, float(line.values.get("used_s", known)) - known)

    def case_s(self, key: str) -> float:
        return _mean(self.cases[key]) + self._between_s / sum(map(len, self.cases.values()))


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def control_key(name: str, runtime: str) -> str:
    """The name under which the duration of a control stands."""
    return f"{name} {runtime}".strip()


def durations(suite: Suite, plan: Plan, results: Path, box: str) -> Durations:
    """Each case by the newest run of this box that has it, else of another one, else by its like,
    else by its spec.
    """
    found: dict[str, float] = {}
    controls: dict[str, float] = {}
    basis: list[Basis] = []
    for folder in islice(_having({*plan.cases}, found, results, box), _MOST):
        seen = _seen(folder)
        told = {
            key: seen.case_s(key) for key in plan.cases if key not in found and key in seen.cases
        }
        if told:
            source: Source = "this box" if folder.parent.name == box else "another box"
            basis.append(
                Basis(source=source, cases=len(told), run=f"{folder.parent.name}/{folder.name}")
            )
        found |= told
        controls = {name: _mean(values) for name, values in seen.controls.items()} | controls
    # A virtual machine is warmed for long, and what has less of a warm-up says nothing of that.
    bare = {key: max(0.0, s - _warm_s(suite, key)) for key, s in found.items()}
    like = {
        key: s + _warm_s(suite, key)
        for key in plan.cases
        if key not in found and (s := _of_its_like(key, bare)) is not None
    }
    specs = {
        key: _nominal(suite, plan, key)
        for key in plan.cases
        if key not in found and key not in like
    }
    for kind, cases in (("like cases", like), ("specs", specs)):
        if cases:
            basis.append(Basis(source=kind, cases=len(cases)))  # type: ignore[arg-type]
    return Durations(case_s=found | like | specs, control_s=controls, basis=basis)


def _having(cases: Set[str], found: Mapping[str, float], results: Path, box: str) -> Iterator[Path]:
    """The runs that planned a case which isn't among the `found` by then: newest first, this box's
    before all others.
    """
    runs = sorted(
        (file.parent for file in results.glob("[!.]*/[!.]*/run.json")),
        key=lambda run: run.name,
        reverse=True,
    )
    for folder in sorted(runs, key=lambda run: run.parent.name != box):
        missing = cases - found.keys()
        if not missing:
            return
        if not missing.isdisjoint(planned_cases(folder)):
            yield folder


def planned_cases(folder: Path) -> list[str]:
    """Of a run that can't be read none: `report` says what is wrong with it, and an estimate does
    without.
    """
    file = folder / "run.json"
    try:
        log.check_plain(file)
        return msgspec.json.decode(file.read_bytes(), type=_Header).plan.cases
    except (OSError, UserError, msgspec.DecodeError, RecursionError):
        return []


def _seen(folder: Path) -> _Seen:
    """What the first blocks of a run tell, as far as its log can be read."""
    seen = _Seen()
    # `report` says what is wrong with it
    with contextlib.suppress(OSError, UserError, msgspec.DecodeError, RecursionError):
        for line in map(msgspec.json.Decoder(_Line).decode, log.log_lines(folder)):
            seen.take(line)
            if line.event == "block-complete" and (line.block or 0) + 1 >= _BLOCKS:
                break
    return seen


def _of_its_like(key: str, known: Mapping[str, float]) -> float | None:
    """The middle one of the other runtimes at its point, else of its workload at all."""
    workload, point, *_ = key.split("/")
    for like in (f"{workload}/{point}/", f"{workload}/"):
        if alike := [seconds for other, seconds in known.items() if other.startswith(like)]:
            return sorted(alike)[len(alike) // 2]
    return None


def _warm_s(suite: Suite, key: str) -> float:
    """What the runtime of a timed case is warmed for."""
    case = parse_case(key)
    if suite.workloads[case.workload].kind in EXPRESSED:
        return 0.0
    return suite.runtimes[case.runtime].manifest.warm_ms / 1000


def _nominal(suite: Suite, plan: Plan, key: str) -> float:
    """What manifest and spec ask for: the warm-up of a timed program, and the milliseconds among
    the parameters.
    """
    case = parse_case(key)
    params = plan.points[f"{case.workload}/{case.point}"].params
    asked_ms = sum(
        value for name, value in params.items() if name.endswith("_ms") and isinstance(value, int)
    )
    return _START_S + asked_ms / 1000 + _warm_s(suite, key)


class Forecast:
    """`blocks`: those that the run is expected to measure, at first until the first look at
    precision.

    What the run has measured itself counts as it was, what it has not yet, as estimated before, in
    the same proportion.
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
        """After so many blocks the numbers were not precise enough: the run goes on to the look at
        which they should be.
        """
        needed = max(values.get("predicted_blocks", {}).values(), default=0)
        looks = self._profile.looks
        self.blocks = next((look for look in looks if look > blocks and look >= needed), looks[-1])

    def block_s(self) -> float:
        """Seconds that a whole block takes, without cross-checks."""
        controls = ["canary", *(control_key(log.NULL_CONTROL, name) for name in self._runtimes)]
        between = sum(self._controls.get(name, 0.0) for name in controls)
        return between + self._sum(key for key in self._plan.cases if key not in self._given_up)

    def crossed_s(self) -> float:
        """Seconds that the cross-checks take which every run with claims has room for, in all."""
        named = [control_key(log.CROSSCHECK, name) for name in self._runtimes]
        return (
            CROSS_ROUNDS * sum(self._controls.get(name, 0.0) for name in named)
            if self._profile.claims
            else 0.0
        )

    def whole_s(self) -> float:
        """Seconds until the first look at precision: the least that the run takes, unless its
        budget ends before.
        """
        return self._profile.looks[0] * self.block_s() + self.crossed_s()

    def left(self, block: int, rest: Iterable[str], budget_s: float) -> tuple[int, float]:
        """In a block of which these cases are left: how many blocks the run should have in all, and
        the seconds until its end.

        `budget_s`: what is left of the budget. The block is measured in any case, further ones only
        where there is room.
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
