"""The values of a spec: workload, metric, point, case, load, citation, finding.

Both halves know them. The measuring half plans from them what the profile `findings` measures, the
reporting half judges them.

Nothing here collects state: measurements refer to cases by key.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

import msgspec

from corobench.suite import expression


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of what is read from files written by people: an unknown key is an error."""


class SampleSeries(Value, frozen=True, kw_only=True):
    """Samples that a program writes (ns). `count` is a check; `raw`: kept as they are, where they
    are no distribution.
    """

    title: str
    count: str | None = None
    keep: Literal["distribution", "raw"] = "distribution"


class Require(Value, frozen=True, kw_only=True):
    """What must hold for an invocation to give a number at all; `text` says it in words.

    `timing`: it rests on measured time, which a busy box can spoil; verify tries again before it
    rejects a program for it.
    """

    name: str
    holds: str
    text: str
    timing: bool = False


class Caution(Value, frozen=True, kw_only=True):
    """What makes a number doubtful where it holds for over a fifth of its invocations: a flag, in
    words.

    `metrics`: only these figures (metrics, differences, ratios) are doubtful for it; all of them
    where none is named. `bound`: such a figure is only a lower bound of what was asked.
    """

    name: str
    level: Literal["red", "amber"]
    when: str
    text: str
    metrics: list[str] = []
    bound: bool = False


class Load(Value, frozen=True, kw_only=True):
    """Requests that the load generator sends to a served program, with the answer that each must
    have.

    `when` says at which points; it and all from `clients` on are expressions of the parameters;
    `path`, `body` and `expect` may hold `$parameter`. A stream sends so many `requests`, and goes
    on until `least_ms` are over; without them it lasts as long as the others do. With `rate` (a
    second) it is an open loop. `warm`: so many requests beforehand, closed, for `warm_ms` at least;
    in `rate`, how many of them a second were answered.
    """

    name: str
    expect: str
    json: bool = False
    status: int = 200
    method: Literal["GET", "POST"] = "GET"
    path: str = "/"
    body: str = ""
    when: str = "1"
    clients: str = "1"
    keepalive: str = "1"
    requests: str | None = None
    least_ms: str = "0"
    rate: str | None = None
    warm: str = "0"
    warm_ms: str = "0"


class Number(Value, frozen=True, kw_only=True):
    """A number of a run: a workload's metric for a runtime, at a point or (None) over the whole
    ladder.

    A point may be named by some of its parameters, `k=100` for `k=100,m=200`: a run in which the
    others had other values told the same.

    `figure`: in place of the metric's value the figure of this name beside it, of a runtime that
    has it: `collected` is what a task holds after a forced collection, and without a collector
    there is only the value.
    """

    workload: str
    runtime: str
    metric: str
    point: str | None = None
    track: Declared = "one-cpu"
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

    `published`: whether the sources make the claim; where it is this project's own they are its
    background.
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


class Citation(Value, frozen=True, kw_only=True):
    """What the document that a scenario reproduces says, to stand beside a metric of a runtime that
    was measured here.

    `mark` names the document in short, `source` is the document; `at` are the parameters that
    single out the point, the others being free. `largest`: a parameter whose largest measured value
    may stand in, named as that, where the point was not measured. `against`: the claim is about how
    many times the metric of this other runtime it is.
    """

    mark: str
    claim: str
    runtime: str
    metric: str
    at: dict[str, int | str] = {}
    largest: str | None = None
    against: str | None = None
    track: Declared = "one-cpu"
    source: Source | None = None


class Rule(Value, frozen=True, kw_only=True):
    """A rule of thumb: an expression of the parameters, of `cores`, and of the metrics at the least
    of what is chosen.
    """

    title: str
    value: str


class Advice(Value, frozen=True, kw_only=True):
    """How much of the parameter `over` is worth it, by a metric at the largest `demand` that was
    asked of enough of its values, and what rules say of that.

    Without a demand it is itself what is asked.
    """

    over: str
    demand: str | None = None
    metric: str
    rule: list[Rule]


Declared = Literal["one-cpu", "all-cpus"]  # the tracks that specs and manifests name
Track = str  # one of these, or what lies between them: `4-cpus`
Better = Literal["lower", "higher"]
Unit = Literal["timer", "future", "stackless task", "stackful task", "thread", "process"]
BY_KERNEL: frozenset[str] = frozenset({"thread", "process"})  # units that no runtime schedules
Order = Literal["round-robin", "any"]
# What readers look for that no other key says.
Tag = Literal["actors", "io_uring"]
# The number of the first task, or the first value: what a token holds, a count starts from.
Nonce = Literal["first-task", "first-value"]
Kind = Literal["timed", "startup", "memory", "measured", "served"]
Group = Literal["core", "primitive", "scenario"]  # in the order of a page
Profile = Literal[
    "smoke",
    "quick",
    "default",
    "publish",
    "scenarios",
    "breadth",
    "findings",
    "million",
    "scale",
    "scaling",
    "primitives",
]
Parameter = int | str
Setting = bool | int | float | str | list[str]

EXPRESSED: tuple[Kind, ...] = ("measured", "served")  # their metrics are expressions of the spec
# An invocation covers at least this much work after its cold first iteration. 20 ms are enough for
# most; what compiles while it runs says in its manifest how much more it needs, since the median of
# the warm iterations must lie in what has settled.
WARM_MS = 100
NO_PROGRAM = "no program yet"
TRACKS: tuple[Declared, ...] = ("one-cpu", "all-cpus")
PROFILES: tuple[Profile, ...] = get_args(Profile)
GROUPS: tuple[Group, ...] = get_args(Group)
TRACE_RULES = (
    *("complete", "own-unit", "all-spawned-first", "chain", "resumed", "yield-order"),
    *("alternate", "all-parked", "tree", "all-run-first", "bounded"),
    *("permits", "scope", "gives-way", "outlives"),
)  # by name; contract/traces.py has their functions
FINDINGS: Profile = "findings"  # measures what the findings name, and nothing else
SCALING: Profile = "scaling"  # measures runtimes of several threads on more and more CPUs

_SOME_CPUS = re.compile("([2-9]|[1-9][0-9]{1,4})-cpus")


def some_cpus(track: Track) -> int | None:
    """4 of `4-cpus`; None for the two tracks that every box has."""
    found = _SOME_CPUS.fullmatch(track)
    return int(found[1]) if found else None


def scaling_tracks(cpus: int) -> list[Track]:
    """The tracks on which a box of so many CPUs shows how runtimes scale: one CPU, the powers of
    two below all, and all.
    """
    powers = (2**power for power in range(1, cpus.bit_length()))
    between = [f"{count}-cpus" for count in powers if count < cpus]
    return ["one-cpu", *between, *(["all-cpus"] if cpus > 1 else [])]


class Metric(Value, frozen=True, kw_only=True):
    """A figure that a workload yields, in its base unit ("1" for a plain number); scaling happens
    only when shown.

    `value` is an expression over one invocation: of a measured or served workload, or what a timed
    one has besides its time. The other kinds know their own. `claims`: whether runtimes are told
    apart by it. One that only helps to judge the others (what the clients of a closed loop saw, the
    load generator's own CPU) has neither group nor verdict.
    """

    name: str
    title: str
    unit: Literal["s", "B", "1/s", "1"]
    better: Better
    value: str | None = None
    claims: bool = True


class Difference(Value, frozen=True, kw_only=True):
    """A figure from two points of a workload in one block: (time at `of` - time at `less`) / `per`.

    `of` and `less` are values of the parameter `over`; the points agree in all others, but for
    those that are `free`. `per` is an expression of the parameters at `of`. `value` stands for the
    time in a workload whose metrics are expressions, and is one of an invocation. `claims`: as in
    Metric.
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
    """A figure from two points of a workload in one block: `value` (an expression) at each point
    over that at its base.

    The base is the point where the parameter `over` is `base` and all others agree, but for those
    that are `free`. `claims`: as in Metric.
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
    """One setting of a workload's parameters; `evidence` is what is asked for there beyond the
    spec's own.
    """

    params: dict[str, Parameter]
    evidence: dict[str, str] = {}

    @property
    def name(self) -> str:
        return point_name(self.params)


class Point(Spot, frozen=True, kw_only=True):
    """A setting that is measured, with the least number of timed iterations an invocation.

    `timeout_s`: what one invocation may take, where that is more than the workload's own limit.
    `tracks`: only these. `derived`: parameters that depend on others or on the box, as expressions
    of these and of `cores`, the CPUs of a server that has all but one. `only_units`: only runtimes
    of these units, which can't be measured at the settings of the others. `runtimes`: only these,
    where all of them would take too long. `counted`: its events (instructions, system calls) are
    counted as well.
    """

    profiles: list[Profile]
    iterations: int = 1
    timeout_s: float | None = None
    tracks: list[Declared] | None = None
    only_units: list[Unit] | None = None
    runtimes: list[str] | None = None
    derived: dict[str, str] = {}
    counted: bool = False

    def on(self, cores: int) -> Point:
        """The point as it is measured on a box."""
        own = {
            name: expression.evaluate(text, {**self.params, "cores": cores})
            for name, text in self.derived.items()
        }
        return msgspec.structs.replace(self, params={**self.params, **own}, derived={})


def point_name(params: dict[str, Parameter]) -> str:
    """`k=100,m=20`: the parameters in the order of the spec."""
    return ",".join(f"{key}={value}" for key, value in params.items())


class VerifyPoint(Spot, frozen=True, kw_only=True):
    """A small setting at which a program is traced. `trace`, `units`: rules and counts there, where
    they are not the spec's.
    """

    trace: list[str] | None = None
    units: dict[str, str] = {}


class Workload(Value, frozen=True, kw_only=True):
    """One question with one contract: the spec file. Paths and names are added when it is
    loaded.
    """

    title: str
    family: str
    question: str
    operation: str
    contract: str
    kind: Kind
    tracks: list[Declared]
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
    caution: list[Caution] = []
    companion: Literal["latency"] | None = None
    citation: list[Citation] = []
    load: list[Load] = []
    generator_only: list[str] = []
    request_timeout_s: float = 20.0
    # the units that the question is about: others owe no program and no reason
    only_units: list[Unit] | None = None
    trace: list[str] = []
    units: dict[str, str] = {}
    holds: list[str] = []
    collected: list[str] = []
    ladder: str | None = None
    curve: str | None = None
    advice: Advice | None = None
    tasks: str = "n"
    resumes: str = "1"
    permits: str = "1"
    # what is made before the clock of each iteration starts, in words: not timed, but counted;
    # None of a run whose specs did not tell yet
    prepared: str | None = ""
    true_switches: bool = False
    # what the number that the runner draws for each process stands for in results, if anything
    nonce: Nonce | None = None
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
        """The evidence that is asked for at a setting: the spec's, and what a point of these
        parameters adds.
        """
        return self.evidence | next(
            (spot.evidence for spot in self.spots if spot.params == params), {}
        )

    def loads(self, params: dict[str, Parameter]) -> list[Load]:
        """The streams of requests that a served program gets at a setting."""
        return [load for load in self.load if expression.evaluate(load.when, params)]

    def rules(self, params: dict[str, Parameter]) -> list[str]:
        """The rules that a trace at a setting must satisfy."""
        return next(
            (p.trace for p in self.verify if p.params == params and p.trace is not None), self.trace
        )


class Case(msgspec.Struct, frozen=True, order=True):
    """runtime x workload x point (x track). `twin` marks the second name of the reference runtime:
    the A/A control.
    """

    workload: str
    point: str
    track: Track
    runtime: str
    twin: bool = False

    @property
    def key(self) -> str:
        return "/".join(
            (self.workload, self.point, self.track, self.runtime + (TWIN if self.twin else ""))
        )

    @property
    def cell(self) -> str:
        """Without the runtime: what is compared across runtimes."""
        return "/".join((self.workload, self.point, self.track))


TWIN = "~twin"


def parse_case(key: str) -> Case:
    """The case of a key; ValueError where the key has another shape."""
    workload, point, track, runtime = key.split("/")
    if track not in TRACKS and some_cpus(track) is None:
        raise ValueError(f"unknown track {track!r} in case {key!r}")
    return Case(workload, point, track, runtime.removesuffix(TWIN), runtime.endswith(TWIN))
