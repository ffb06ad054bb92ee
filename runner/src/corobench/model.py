"""The words of the project as immutable values: runtime, workload, point, case, invocation (glossary: runner/SPECS.md).

Nothing here collects state: measurements refer to cases by key.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from corobench import expression, older
from corobench.claims import Finding
from corobench.conditions import Doubt, Require, SampleSeries
from corobench.loadspec import Load
from corobench.placeholders import fill
from corobench.quoting import Advice, Quoted
from corobench.refusal import Refusal, refused
from corobench.toolspec import Build, Crosscheck, Environment, Helper, Need, Pin, Program, Toolchain, VersionSource
from corobench.value import Value

Track = Literal["one-cpu", "all-cpus"]
Better = Literal["lower", "higher"]
Unit = Literal["timer", "future", "stackless task", "stackful task", "thread", "process"]
Order = Literal["round-robin", "any"]
Kind = Literal["timed", "startup", "memory", "measured", "served"]
Group = Literal["core", "scenario"]
Profile = Literal["smoke", "quick", "default", "publish", "scenarios", "breadth", "findings", "scale"]
Parameter = int | str
Setting = bool | int | float | str | list[str]

EXPRESSED: tuple[Kind, ...] = ("measured", "served")  # their metrics are expressions of the spec
# An invocation covers at least this much work after its cold first iteration. 20 ms are enough for most; V8 settles only
# after 30 to 60 ms of these workloads, and the median of the warm iterations must lie in what has settled.
WARM_MS = 100
NO_PROGRAM = "no program yet"
TRACKS: tuple[Track, ...] = ("one-cpu", "all-cpus")
PROFILES: tuple[Profile, ...] = get_args(Profile)
FINDINGS: Profile = "findings"  # measures what the findings name, and nothing else


class Metric(Value, frozen=True, kw_only=True):
    """A figure that a workload yields, in its base unit ("1" for a plain number); scaling happens only when shown.

    `value` is an expression over one invocation: of a measured or served workload, or what a timed one has besides its time.
    The other kinds know their own. `claims`: whether runtimes are told apart by it. One that only helps to judge the others
    (what the clients of a closed loop saw, the load generator's own CPU) has neither group nor verdict.
    """

    name: str
    title: str
    unit: Literal["s", "B", "1/s", "1"]
    better: Better
    value: str | None = None
    claims: bool = True


class Difference(Value, frozen=True, kw_only=True):
    """A figure from two points of a workload in one block: (time at `of` - time at `less`) / `per`.

    `of` and `less` are values of the parameter `over`; the points agree in all others, but for those that are `free`. `per` is
    an expression of the parameters at `of`.
    `value` stands for the time in a workload whose metrics are expressions, and is one of an invocation. `claims`: as in Metric.
    """

    name: str
    title: str
    over: str
    of: Parameter
    less: Parameter
    per: str = "1"
    value: str | None = None
    unit: Literal["s", "B"] = "s"
    better: Better = "lower"
    free: list[str] = []
    claims: bool = True


class Ratio(Value, frozen=True, kw_only=True):
    """A figure from two points of a workload in one block: `value` (an expression) at each point over that at its base.

    The base is the point where the parameter `over` is `base` and all others agree, but for those that are `free`.
    `claims`: as in Metric.
    """

    name: str
    title: str
    over: str
    base: Parameter
    value: str
    better: Better
    free: list[str] = []
    claims: bool = True


class Spot(Value, frozen=True, kw_only=True):
    """One setting of a workload's parameters; `evidence` is what is asked for there beyond the spec's own."""

    params: dict[str, Parameter]
    evidence: dict[str, str] = {}

    @property
    def name(self) -> str:
        return point_name(self.params)


class Point(Spot, frozen=True, kw_only=True):
    """A setting that is measured, with the least number of timed iterations an invocation.

    `timeout_s`: what one invocation may take, where that is more than the workload's own limit. `tracks`: only these.
    `sized`: parameters that depend on others or on the box, as expressions of these and of `cores`, the CPUs of a server that
    has all but one.
    `among`: only runtimes of these units, which can't be measured at the settings of the others. `runtimes`: only these, where
    all of them would take too long.
    """

    profiles: list[Profile]
    iterations: int = 1
    timeout_s: float | None = None
    tracks: list[Track] | None = None
    among: list[Unit] | None = None
    runtimes: list[str] | None = None
    sized: dict[str, str] = {}

    def on(self, cores: int) -> Point:
        """The point as it is measured on a box."""
        own = {name: expression.evaluate(text, {**self.params, "cores": cores}) for name, text in self.sized.items()}
        return msgspec.structs.replace(self, params={**self.params, **own}, sized={})


def point_name(params: dict[str, Parameter]) -> str:
    """`k=100,m=20`: the parameters in the order of the spec."""
    return ",".join(f"{key}={value}" for key, value in params.items())


class VerifyPoint(Spot, frozen=True, kw_only=True):
    """A small setting at which a program is traced. `trace`, `units`: rules and counts there, where they are not the spec's."""

    trace: list[str] | None = None
    units: dict[str, str] = {}


class Workload(Value, frozen=True, kw_only=True):
    """One question with one contract: the spec file. Paths and names are added when it is loaded."""

    title: str
    family: str
    question: str
    operation: str
    contract: str
    kind: Kind
    tracks: list[Track]
    parameters: dict[str, str]
    evidence: dict[str, str]
    metric: list[Metric]
    point: list[Point]
    verify: list[VerifyPoint]
    group: Group = "core"
    difference: list[Difference] = []
    ratio: list[Ratio] = []
    series: dict[str, SampleSeries] = {}
    require: list[Require] = []
    doubt: list[Doubt] = []
    companion: Literal["latency"] | None = None
    quoted: list[Quoted] = []
    load: list[Load] = []
    unseen: list[str] = []
    cap_s: float = 20.0
    among: list[Unit] | None = None  # the units that the question is about: others owe no program and no reason
    trace: list[str] = []
    units: dict[str, str] = {}
    holds: list[str] = []
    collected: list[str] = []
    ladder: str | None = None
    curve: str | None = None
    advice: Advice | None = None
    tasks: str = "n"
    resumes: str = "1"
    true_switches: bool = False
    timeout_s: float = 60.0
    name: str = ""

    @property
    def tools(self) -> list[str]:
        """The tools of runner/tools that it is measured with."""
        loaded = self.kind == "served" or self.companion is not None
        return [*(["hyperfine"] if self.kind == "startup" else []), *(["load"] if loaded else [])]

    @property
    def titles(self) -> dict[str, str]:
        """The titles of all its figures by name: metrics, then what is made of two points."""
        figures: list[Metric | Difference | Ratio] = [*self.metric, *self.difference, *self.ratio]
        return {figure.name: figure.title for figure in figures}

    @property
    def spots(self) -> list[Spot]:
        return [*self.point, *self.verify]

    def points(self, profile: str) -> list[Point]:
        """The points that a profile measures, in the order of the spec."""
        return [p for p in self.point if profile in p.profiles]

    def checks(self, params: dict[str, Parameter]) -> dict[str, str]:
        """The evidence that is asked for at a setting: the spec's, and what a point of these parameters adds."""
        return self.evidence | next((spot.evidence for spot in self.spots if spot.params == params), {})

    def loads(self, params: dict[str, Parameter]) -> list[Load]:
        """The streams of requests that a served program gets at a setting."""
        return [load for load in self.load if expression.evaluate(load.when, params)]

    def rules(self, params: dict[str, Parameter]) -> list[str]:
        """The rules that a trace at a setting must satisfy."""
        return next((p.trace for p in self.verify if p.params == params and p.trace is not None), self.trace)


def recorded(spec: dict[str, Any]) -> Workload:
    """A spec as a run carries it, also an older one's. msgspec.ValidationError where it is none."""
    return older.convert(spec, Workload)


class Variant(Value, frozen=True, kw_only=True):
    """One way to run a runtime's programs; a runtime of its own in every table."""

    name: str
    title: str
    tracks: list[Track]
    reference: list[Track] = []
    env: dict[str, str] = {}
    arguments: list[str] = []
    settings: dict[str, Setting] = {}
    order: Order = "any"
    threads: int | str = 1
    collector: bool = False
    workloads: list[str] | None = None
    profiles: list[Profile] = []
    values: dict[str, dict[str, list[Parameter]]] = {}
    beyond: str | dict[str, str] = {}
    parts: dict[str, str] = {}
    notes: list[str] = []


class Manifest(Value, frozen=True, kw_only=True):
    """`<language>/<runtime>/runtime.toml`."""

    title: str
    unit: Unit
    site: str
    program: Program
    variant: list[Variant]
    version: VersionSource | None = None
    notes: list[str] = []
    gaps: dict[str, str] = {}
    departs: dict[str, str] = {}
    floor: dict[str, str] = {}
    profiles: list[Profile] = []
    warm_ms: int = WARM_MS
    values: dict[str, dict[str, list[Parameter]]] = {}
    beyond: str | dict[str, str] = {}
    environment: Environment | None = None
    build: Build | None = None
    crosscheck: Crosscheck | None = None
    toolchain: Pin | None = None
    tools: list[str] = []
    needs: list[Need] = []


class Runtime(msgspec.Struct, frozen=True, kw_only=True):
    """A variant together with its manifest and toolchain: what a case names."""

    variant: Variant
    manifest: Manifest
    toolchain: Toolchain
    folder: Path

    @property
    def name(self) -> str:
        return self.variant.name

    @property
    def notes(self) -> list[str]:
        return [*self.manifest.notes, *self.variant.notes]

    @property
    def profiles(self) -> list[Profile]:
        """The profiles that measure this runtime where the user names no runtimes; empty: every one."""
        return self.variant.profiles or self.manifest.profiles

    def source(self, workload: str) -> Path:
        """The program's source; the workload exists for this runtime where this file exists."""
        places = {"runtime": str(self.folder), "language": str(self.toolchain.folder), "workload": workload}
        return Path(fill(self.manifest.program.source, places, f"{self.folder}/runtime.toml: program.source"))

    def concerns(self, workload: Workload) -> bool:
        """Whether a page is expected to say something of the two.

        A variant may exist for certain workloads only, and a scenario names no runtimes: it concerns those that take part.
        """
        if self.variant.workloads is not None:
            return workload.name in self.variant.workloads
        if workload.name in self.manifest.gaps or self.source(workload.name).is_file():
            return True
        return workload.group == "core" and self.manifest.unit in (workload.among or [self.manifest.unit])

    def gap(self, workload: Workload) -> str | None:
        """Why this runtime has no number for a workload that concerns it, or None where it has a program."""
        if workload.name in self.manifest.gaps:
            return self.manifest.gaps[workload.name]
        if not self.source(workload.name).is_file():
            return NO_PROGRAM
        return None

    def offers(self, workload: str, params: dict[str, Parameter]) -> bool:
        """Whether a setting exists for this runtime."""
        return self.refusal(workload, params) is None

    def refusal(self, workload: str, params: dict[str, Parameter]) -> Refusal | None:
        """Why a setting does not exist for this runtime: values of a parameter (sizes, modes) may be listed, else all do."""
        for name, values in self.listed(workload).items():
            if params[name] not in values:
                return refused(name, params[name], values, self.beyond(workload))
        return None

    def listed(self, workload: str) -> dict[str, list[Parameter]]:
        """The values of parameters that exist for this runtime, where not all do."""
        return {**self.manifest.values.get(workload, {}), **self.variant.values.get(workload, {})}

    def beyond(self, workload: str) -> str:
        """Why the listed sizes end before the spec's do: the variant's words, else its manifest's, of this workload or of all."""
        for said in (self.variant.beyond, self.manifest.beyond):
            if found := said if isinstance(said, str) else said.get(workload):
                return found
        return ""

    def is_meant(self, point: Point) -> bool:
        """Whether a point is for this runtime: some are for certain units, or for some runtimes of many."""
        of_unit = point.among is None or self.manifest.unit in point.among
        return of_unit and (point.runtimes is None or self.name in point.runtimes)


class Suite(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be measured: what the folders hold."""

    root: Path
    toolchains: dict[str, Toolchain]
    runtimes: dict[str, Runtime]
    workloads: dict[str, Workload]
    helpers: dict[str, Helper] = {}
    findings: list[Finding] = []
