"""The words of the project as immutable values: runtime, workload, point, case, invocation (glossary: DESIGN).

Nothing here collects state: measurements refer to cases by key.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

Track = Literal["one-cpu", "all-cpus"]
Better = Literal["lower", "higher"]
Unit = Literal["timer", "future", "stackless task", "stackful task", "thread"]
Order = Literal["round-robin", "any"]
Kind = Literal["timed", "startup", "memory"]
Parameter = int | str
Setting = bool | int | float | str | list[str]

TRACKS: tuple[Track, ...] = ("one-cpu", "all-cpus")
PROFILES = ("smoke", "quick", "default", "publish")


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of what is read from files written by people: an unknown key is an error."""


class Metric(Value, frozen=True, kw_only=True):
    """A figure that a workload yields. `unit` is the base unit (s or B); scaling happens only when shown."""

    name: str
    title: str
    unit: Literal["s", "B"]
    better: Better


class Point(Value, frozen=True, kw_only=True):
    """One setting of a workload's parameters, with the least number of timed iterations an invocation."""

    params: dict[str, Parameter]
    profiles: list[Literal["smoke", "quick", "default", "publish"]]
    iterations: int

    @property
    def name(self) -> str:
        return point_name(self.params)


def point_name(params: dict[str, Parameter]) -> str:
    """`k=100,m=20`: the parameters in the order of the spec."""
    return ",".join(f"{key}={value}" for key, value in params.items())


class VerifyPoint(Value, frozen=True, kw_only=True):
    """A small setting at which a program is traced."""

    params: dict[str, Parameter]


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
    trace: list[str] = []
    optional: dict[str, str] = {}
    units: dict[str, str] = {}
    holds: list[str] = []
    collected: list[str] = []
    ladder: str | None = None
    curve: str | None = None
    tasks: str = "n"
    resumes: str = "1"
    true_switches: bool = False
    timeout_s: float = 60.0
    name: str = ""

    def points(self, profile: str) -> list[Point]:
        """The points that a profile measures, in the order of the spec."""
        return [p for p in self.point if profile in p.profiles]


class Build(Value, frozen=True, kw_only=True):
    """Commands that turn inputs into programs, done once for each hash of the inputs."""

    commands: list[list[str]]
    inputs: list[str] = []
    cwd: str = "{runtime}"
    env: dict[str, str] = {}


class Environment(Value, frozen=True, kw_only=True):
    """Commands that install what programs need, done once for each hash of the inputs."""

    commands: list[list[str]]
    inputs: list[str] = []
    tool: str | None = None
    cwd: str = "{runtime}"
    env: dict[str, str] = {}


class Find(Value, frozen=True, kw_only=True):
    """How to find a language's tool on this box."""

    candidates: list[str]
    probe: list[str]
    pattern: str


class Provision(Value, frozen=True, kw_only=True):
    """How to get the tool without root: hash-locked wheels, or commands that fill `{folder}`; `tool` is a glob in there."""

    tool: str
    lock: str | None = None
    commands: list[list[str]] = []
    env: dict[str, str] = {}


class Commands(Value, frozen=True, kw_only=True):
    """What `make test` or `make lint` runs for a language, in its folder."""

    commands: list[list[str]]


class Toolchain(Value, frozen=True, kw_only=True):
    """`<language>/toolchain.toml`."""

    title: str
    minimum: str
    help: str
    find: Find
    provision: Provision | None = None
    environment: Environment | None = None
    build: Build | None = None
    facts: dict[str, list[str]] = {}
    test: Commands | None = None
    lint: Commands | None = None
    language: str = ""
    folder: Path = Path()


class VersionSource(Value, frozen=True, kw_only=True):
    """Where a runtime's version is read from: a lock file and a pattern with the group `version`."""

    file: str
    pattern: str


class Program(Value, frozen=True, kw_only=True):
    """Where a workload's program lies and how it is started."""

    source: str
    command: list[str]


class Crosscheck(Value, frozen=True, kw_only=True):
    """The same operations under the language's own benchmark harness."""

    command: list[str]


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
    environment: Environment | None = None
    build: Build | None = None
    crosscheck: Crosscheck | None = None


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

    def source(self, workload: str) -> Path:
        """The program's source; the workload exists for this runtime where this file exists."""
        places = {"runtime": self.folder, "language": self.toolchain.folder, "workload": workload}
        return Path(self.manifest.program.source.format(**places))

    def gap(self, workload: Workload) -> str | None:
        """Why this runtime has no number for a workload, or None where it has a program."""
        if self.variant.workloads is not None and workload.name not in self.variant.workloads:
            return "this variant exists for other workloads only"
        if workload.name in self.manifest.gaps:
            return self.manifest.gaps[workload.name]
        if not self.source(workload.name).is_file():
            return "no program yet"
        return None


class Suite(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be measured: what the folders hold."""

    root: Path
    toolchains: dict[str, Toolchain]
    runtimes: dict[str, Runtime]
    workloads: dict[str, Workload]


class Case(msgspec.Struct, frozen=True, order=True):
    """runtime x workload x point (x track). `twin` marks the second name of the reference runtime: the A/A control."""

    workload: str
    point: str
    track: Track
    runtime: str
    twin: bool = False

    @property
    def key(self) -> str:
        return "/".join((self.workload, self.point, self.track, self.runtime + (TWIN if self.twin else "")))

    @property
    def cell(self) -> str:
        """Without the runtime: what is compared across runtimes."""
        return "/".join((self.workload, self.point, self.track))


TWIN = "~twin"


def parse_case(key: str) -> Case:
    """The case of a key; ValueError where the key has another shape."""
    workload, point, track, runtime = key.split("/")
    if track not in TRACKS:
        raise ValueError(f"unknown track {track!r} in case {key!r}")
    return Case(workload, point, track, runtime.removesuffix(TWIN), runtime.endswith(TWIN))
