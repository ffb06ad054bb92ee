"""How long the cases of a plan will take, told before it begins: from earlier runs, else from the specs.

Two blocks of a log are read, as a stream: they tell a duration well enough, and what is about to measure stays small.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Set
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import msgspec

from corobench import store
from corobench.case import parse_case
from corobench.errors import UserError
from corobench.model import EXPRESSED, Suite
from corobench.plan import Plan
from corobench.value import Value

Source = Literal["this box", "another box", "like cases", "specs"]
_START_S = 0.3  # what a spec doesn't say: the start of a program, its untimed set-up, its end
_BLOCKS = 2
_MOST = 6  # logs that are read


class Basis(Value, frozen=True, kw_only=True):
    """What the durations of `cases` cases of a plan rest on.

    `run` (box/run) for those of an earlier run; like cases are those of other runtimes or points of their workload.
    """

    source: Source
    cases: int
    run: str = ""


class Durations(Value, frozen=True, kw_only=True):
    """Seconds that each case of a plan takes, with what passes between programs, and each control ("null go", "canary")."""

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
    """What the first blocks of an earlier run took: invocations by case, controls by name, and all that passed between them."""

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
            name = control(line.name, str(line.values.get("runtime", "")))
            self.controls.setdefault(name, []).append(line.wall_ns / 1e9)
        elif line.event == "block-complete":
            known = self._failed_s + sum(map(sum, (*self.cases.values(), *self.controls.values())))
            self._between_s = max(0.0, float(line.values.get("used_s", known)) - known)

    def case_s(self, key: str) -> float:
        return _mean(self.cases[key]) + self._between_s / sum(map(len, self.cases.values()))


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def control(name: str, runtime: str) -> str:
    """The name under which the duration of a control stands."""
    return f"{name} {runtime}".strip()


def durations(suite: Suite, plan: Plan, results: Path, box: str) -> Durations:
    """Each case by the newest run of this box that has it, else of another one, else by its like, else by its spec."""
    found: dict[str, float] = {}
    controls: dict[str, float] = {}
    basis: list[Basis] = []
    for folder in islice(_having({*plan.cases}, found, results, box), _MOST):
        seen = _seen(folder)
        told = {key: seen.case_s(key) for key in plan.cases if key not in found and key in seen.cases}
        if told:
            source: Source = "this box" if folder.parent.name == box else "another box"
            basis.append(Basis(source=source, cases=len(told), run=f"{folder.parent.name}/{folder.name}"))
        found |= told
        controls = {name: _mean(values) for name, values in seen.controls.items()} | controls
    like = {key: s for key in plan.cases if key not in found and (s := _of_its_like(key, found)) is not None}
    specs = {key: _nominal(suite, plan, key) for key in plan.cases if key not in found and key not in like}
    for kind, cases in (("like cases", like), ("specs", specs)):
        if cases:
            basis.append(Basis(source=kind, cases=len(cases)))  # type: ignore[arg-type]
    return Durations(case_s=found | like | specs, control_s=controls, basis=basis)


def _having(cases: Set[str], found: Mapping[str, float], results: Path, box: str) -> Iterator[Path]:
    """The runs that planned a case which isn't among the `found` by then: newest first, this box's before all others."""
    runs = sorted((file.parent for file in results.glob("[!.]*/[!.]*/run.json")), key=lambda run: run.name, reverse=True)
    for folder in sorted(runs, key=lambda run: run.parent.name != box):
        missing = cases - found.keys()
        if not missing:
            return
        if not missing.isdisjoint(planned(folder)):
            yield folder


def planned(folder: Path) -> list[str]:
    """Of a run that can't be read none: `report` says what is wrong with it, and an estimate does without."""
    try:
        return msgspec.json.decode((folder / "run.json").read_bytes(), type=_Header).plan.cases
    except (OSError, msgspec.DecodeError):
        return []


def _seen(folder: Path) -> _Seen:
    """What the first blocks of a run tell, as far as its log can be read."""
    seen = _Seen()
    with contextlib.suppress(OSError, UserError, msgspec.DecodeError):  # `report` says what is wrong with it
        for line in map(msgspec.json.Decoder(_Line).decode, store.log_lines(folder)):
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


def _nominal(suite: Suite, plan: Plan, key: str) -> float:
    """What manifest and spec ask for: the warm-up of a timed program, and the milliseconds among the parameters."""
    case = parse_case(key)
    workload, params = suite.workloads[case.workload], plan.points[f"{case.workload}/{case.point}"].params
    asked_ms = sum(value for name, value in params.items() if name.endswith("_ms") and isinstance(value, int))
    warm_ms = 0 if workload.kind in EXPRESSED else suite.runtimes[case.runtime].manifest.warm_ms
    return _START_S + (asked_ms + warm_ms) / 1000
