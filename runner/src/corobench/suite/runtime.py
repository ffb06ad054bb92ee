"""The values of a manifest: toolchain, tool, runtime, variant; placeholders and version numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from corobench.errors import UserError
from corobench.suite.workload import (
    NO_PROGRAM,
    WARM_MS,
    Declared,
    Finding,
    Order,
    Parameter,
    Point,
    Profile,
    Setting,
    Tag,
    Unit,
    Value,
    Workload,
)

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_-]*)\}")
_WORDS = {
    "tool": "the language's tool",
    "root": "checkout",
    "language": "the language's folder",
    "runtime": "the runtime's folder",
    "env": "its environment",
    "build": "its build folder",
    "source": "the program's source",
    "cpus": "number of CPUs of the track",
    "multiarch": "architecture",
}


def fill(text: str, values: Mapping[str, str], where: str) -> str:
    """The text with its placeholders replaced; UserError, naming the place, for one that has no
    value there.
    """
    check(text, values, where)
    return _PLACEHOLDER.sub(lambda match: values[match[1]], text)


def in_words(text: str) -> str:
    """The text for readers: `<its build folder>/<workload>`. One that has no other words, as a
    tool, is told by its name.
    """
    return _PLACEHOLDER.sub(lambda match: f"<{_WORDS.get(match[1], match[1])}>", text)


def check(text: str, known: Collection[str], where: str) -> None:
    """UserError, naming the place and what would be right, for a placeholder that has no value
    there.
    """
    for match in _PLACEHOLDER.finditer(text):
        if match[1] not in known:
            raise UserError(
                f"{where}: {match[0]} has no value here; known: {', '.join(sorted(known))}"
            )


Key = tuple[tuple[int, ...], bool, str]

_SHAPE = re.compile(r"\D*(?P<numbers>\d+(\.\d+)*)(?P<rest>.*)", re.DOTALL)
_EARLY = re.compile(r"[-._]?(a|b|c|rc|alpha|beta|dev|pre|nightly)", re.IGNORECASE)


def version_key(text: str) -> Key:
    """What versions are ordered by: the numbers without trailing zeros, then whether it is final.
    ValueError without a number.
    """
    match = _SHAPE.match(text)
    if match is None:
        raise ValueError(f"{text!r} is no version")
    numbers = [int(part) for part in match["numbers"].split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    early = _EARLY.match(match["rest"]) is not None
    return tuple(numbers), not early, match["rest"] if early else ""


class Refusal(NamedTuple):
    """Why a runtime doesn't take a setting; `of_size`: the number is not among those that it takes,
    else the word.
    """

    reason: str
    of_size: bool


def refused(name: str, value: int | str, values: list[int | str], beyond: str) -> Refusal:
    """For a value that is none of those that are listed. `beyond`: what the manifest says of sizes
    that are larger than these.
    """
    most = largest(values)
    if not isinstance(value, int) or most is None:
        return Refusal(f"it has no {name} {value!r}", of_size=False)
    if value > most:
        return Refusal(f"{beyond} (measured up to {most:,})", of_size=True)
    return Refusal(f"it is not measured at {name} = {value:,}", of_size=True)


def largest(values: list[int | str]) -> int | None:
    """The largest size among listed values; None of words."""
    return max((one for one in values if isinstance(one, int)), default=None)


Manager = Literal["apt", "dnf", "pacman", "apk", "brew"]


class Build(Value, frozen=True, kw_only=True):
    """Commands that turn inputs into programs, done once for each hash of the inputs."""

    commands: list[list[str]]
    inputs: list[str] = []
    cwd: str = "{runtime}"
    env: dict[str, str] = {}


class Environment(Value, frozen=True, kw_only=True):
    """What programs need: Debian packages unpacked into `{env}`, then commands; done once for each
    hash of the inputs.
    """

    commands: list[list[str]] = []
    packages: list[str] = []
    inputs: list[str] = []
    tool: str | None = None
    cwd: str = "{runtime}"
    env: dict[str, str] = {}


class Find(Value, frozen=True, kw_only=True):
    """How to find a tool on this box. `exit_status` is that of a probe that was answered: wrk tells
    its version with a 1.
    """

    candidates: list[str]
    probe: list[str]
    pattern: str
    exit_status: int = 0


class Provision(Value, frozen=True, kw_only=True):
    """One way to fill `{folder}` without root: Debian packages, then hash-locked wheels, then
    commands.

    `tool`: a glob in it. `language`: its tool is `{tool}` in the commands. `tool_env` goes to the
    tool alone, `run_env` to what it builds and runs too; a path in them may be a glob.
    """

    tool: str
    packages: list[str] = []
    lock: str | None = None
    commands: list[list[str]] = []
    inputs: list[str] = []
    language: str | None = None
    env: dict[str, str] = {}
    tool_env: dict[str, str] = {}
    run_env: dict[str, str] = {}


class Need(Value, frozen=True, kw_only=True):
    """What is needed beyond the language's tool. Where `probe` doesn't end with 0, there is a gap
    and no failure.
    """

    probe: list[str]
    reason: str
    help: str
    install: dict[Manager, str] = {}


class Commands(Value, frozen=True, kw_only=True):
    """What `make test` or `make lint` runs for a language, in its folder.

    `fetch`: what the commands would else fetch by themselves, with a tool that does not try again;
    it is tried three times. `tools`: tools of `runner/tools` that they need, each told as
    COROBENCH_TOOL_<NAME> where it can be had. `needs`: what they are skipped without.
    """

    commands: list[list[str]]
    fetch: list[list[str]] = []
    tools: list[str] = []
    needs: list[Need] = []


class Pin(Value, frozen=True, kw_only=True):
    """`[toolchain]` of a runtime: the version (3.10 means any 3.10.x) of the language's tool that
    it runs on, and no other.

    `build` names another build of that version than the usual one (free-threaded, say), for which
    `find` looks. Without `version` it is that build in any version that the language allows.
    """

    help: str
    version: str = ""
    install: dict[Manager, str] = {}
    build: str = ""
    find: Find | None = None
    provision: list[Provision] = []


class Helper(Value, frozen=True, kw_only=True):
    """`runner/tools/<name>.toml`: a tool that the runner or a program starts, and that is no
    language.

    `install`: package manager -> packages; `help` is for a machine that has none of these.
    `provision`: ways to put one in place, in the order in which they are tried.
    """

    title: str
    minimum: str
    help: str
    find: Find
    install: dict[Manager, str] = {}
    provision: list[Provision] = []


class OutOfResource(Value, frozen=True, kw_only=True):
    """What programs of a language say on stderr, beyond the words of errno, when they have run out
    of memory, or of what there is a fixed number of: threads, say.
    """

    memory: list[str] = []
    limit: list[str] = []


class Counting(Value, frozen=True, kw_only=True):
    """How events of a language's programs are counted. `env`: what they are started with beyond
    their own; `{process}` in it is 1, 2 or 3. `heap`: what makes each of their objects come from
    malloc; None where they have a heap of their own.
    """

    env: dict[str, str] = {}
    heap: dict[str, str] | None = None


class Toolchain(Helper, frozen=True, kw_only=True):
    """`<language>/toolchain.toml`.

    `env`: what all commands of the language are started with. `settings`: what every program of
    the language must say in its hello, beside its variant's. `verify_options`: what a program's
    tool is given where the program is only verified. `returns_memory_ms`: how long after a
    collection its collector may still be giving memory back; 0 where it has done so when the
    collection returns.
    """

    environment: Environment | None = None
    build: Build | None = None
    facts: dict[str, list[str]] = {}
    env: dict[str, str] = {}
    settings: dict[str, Setting] = {}
    out_of_resource_messages: OutOfResource = OutOfResource()
    count: Counting = Counting()
    verify_options: list[str] = []
    returns_memory_ms: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    test: list[Commands] = []
    lint: list[Commands] = []
    language: str = ""
    folder: Path = Path()


class VersionSource(Value, frozen=True, kw_only=True):
    """Where a runtime's version is read from: a lock file and a pattern with the group
    `version`.
    """

    file: str
    pattern: str


class Program(Value, frozen=True, kw_only=True):
    """Where a workload's program lies (the first of several places that has it) and how it is
    started. `inputs`: globs of files in other runtimes' folders that it opens.
    """

    source: str | list[str]
    command: list[str]
    inputs: list[str] = []

    @property
    def sources(self) -> list[str]:
        """The places, in the order in which they are looked at."""
        return [self.source] if isinstance(self.source, str) else self.source


class Crosscheck(Value, frozen=True, kw_only=True):
    """The same operations under the language's own benchmark harness.

    `explained`: workload -> why the two differ by over 10 %, where they do and it is known.
    """

    command: list[str]
    explained: dict[str, str] = {}


class Variant(Value, frozen=True, kw_only=True):
    """One way to run a runtime's programs, or `program`s of its own; a runtime of its own in every
    table.
    """

    name: str
    title: str
    tracks: list[Declared]
    program: Program | None = None
    crosscheck: Crosscheck | None = None
    reference: list[Declared] = []
    env: dict[str, str] = {}
    arguments: list[str] = []
    settings: dict[str, Setting] = {}
    order: Order = "any"
    threads: int | str = 1
    collector: bool = False
    workloads: list[str] | None = None
    profiles: list[Profile] = []
    values: dict[str, dict[str, list[Parameter]]] = {}
    limit_reason: str | dict[str, str] = {}
    parts: dict[str, str] = {}
    tools: list[str] = []
    notes: list[str] = []

    @property
    def scales(self) -> bool:
        """Whether it has a thread for each CPU that it is given."""
        return isinstance(self.threads, str) and "all-cpus" in self.tracks


class VersionVariant(Value, frozen=True, kw_only=True):
    """The variant of a version: what is not said is as in the manifest's first."""

    name: str
    title: str
    workloads: list[str]
    profiles: list[Profile]
    tracks: list[Declared] | None = None
    env: dict[str, str] | None = None
    settings: dict[str, Setting] | None = None


class Version(Value, frozen=True, kw_only=True):
    """The same programs with another version of the interpreter or the library, or built in
    another way: what differs.
    """

    title: str
    variant: VersionVariant
    notes: list[str] = []
    site: str | None = None
    toolchain: Pin | None = None
    program: Program | None = None
    environment: Environment | None = None
    build: Build | None = None
    version_from: VersionSource | None = None
    values: dict[str, dict[str, list[Parameter]]] | None = None
    limit_reason: str | dict[str, str] | None = None


def _said(value: Version | VersionVariant) -> dict[str, Any]:
    """The keys that it gives, and what they are."""
    fields = {key: getattr(value, key) for key in value.__struct_fields__}
    return {key: field for key, field in fields.items() if field is not None}


class Manifest(Value, frozen=True, kw_only=True):
    """`<language>/<runtime>/runtime.toml`."""

    title: str
    unit: Unit
    site: str
    program: Program
    variant: list[Variant]
    version: list[Version] = []
    version_from: VersionSource | None = None
    notes: list[str] = []
    gaps: dict[str, str] = {}
    deviates: dict[str, str] = {}
    lower_bound: dict[str, str] = {}
    tags: list[Tag] = []
    profiles: list[Profile] = []
    warm_ms: int = WARM_MS
    values: dict[str, dict[str, list[Parameter]]] = {}
    limit_reason: str | dict[str, str] = {}
    environment: Environment | None = None
    build: Build | None = None
    crosscheck: Crosscheck | None = None
    toolchain: Pin | None = None
    tools: list[str] = []
    needs: list[Need] = []

    def of(self, version: Version) -> Manifest:
        """The manifest of another version of this runtime. Its variant names its workloads, so that
        gaps, sizes and what else is said of single workloads are not inherited.
        """
        own = _said(version)
        del own["variant"]
        variant = msgspec.structs.replace(
            self.variant[0],
            **{
                "program": None,
                "crosscheck": None,
                "reference": [],
                "values": {},
                "limit_reason": {},
                "tools": [],
                "notes": [],
                **_said(version.variant),
            },
        )
        return Manifest(
            unit=self.unit,
            tags=self.tags,
            tools=self.tools,
            needs=self.needs,
            warm_ms=self.warm_ms,
            **{
                "site": self.site,
                "program": self.program,
                "environment": self.environment,
                "build": self.build,
                "version_from": self.version_from,
                **own,
            },
            variant=[variant],
        )


class Runtime(msgspec.Struct, frozen=True, kw_only=True):
    """A variant together with its manifest and toolchain: what a case names.

    `version`: the name of the variant where it is a version of the manifest, which has an
    environment and a build of its own.
    """

    variant: Variant
    manifest: Manifest
    toolchain: Toolchain
    folder: Path
    version: str = ""

    @property
    def build_name(self) -> str:
        """The folder below .build/<language>/ that holds its environment and build."""
        return self.version or self.folder.name

    @property
    def name(self) -> str:
        return self.variant.name

    @property
    def notes(self) -> list[str]:
        return [*self.manifest.notes, *self.variant.notes]

    @property
    def profiles(self) -> list[Profile]:
        """The profiles that measure this runtime where the user names no runtimes; empty: every
        one.
        """
        return self.variant.profiles or self.manifest.profiles

    @property
    def program(self) -> Program:
        """Its programs: the variant's own, or its manifest's."""
        return self.variant.program or self.manifest.program

    @property
    def tools(self) -> list[str]:
        """The tools of runner/tools that it needs: the manifest's, and the variant's own."""
        return [*self.manifest.tools, *self.variant.tools]

    @property
    def crosscheck(self) -> Crosscheck | None:
        """What does the same operations; the manifest's does those of the manifest's programs."""
        if self.variant.crosscheck or self.variant.program:
            return self.variant.crosscheck
        return self.manifest.crosscheck

    def described(self) -> dict[str, Any]:
        """What the header of a run says of it that stands in its manifest, as JSON has it."""
        return {
            "title": self.variant.title,
            "language": self.toolchain.title,
            "folder": f"{self.toolchain.folder.name}/{self.folder.name}",
            "unit": self.manifest.unit,
            "tags": list(self.manifest.tags),
            "site": self.manifest.site,
            "tracks": list(self.variant.tracks),
            "threads": self.variant.threads,
            "profiles": list(self.profiles),
            "order": self.variant.order,
            "collector": self.variant.collector,
            "notes": self.notes,
            "gaps": self.manifest.gaps,
            "deviates": self.manifest.deviates,
            "lower_bound": self.manifest.lower_bound,
            "settings": dict(self.variant.settings),
            "env": dict(self.variant.env),
            "arguments": list(self.variant.arguments),
            "command": list(self.program.command),
            "tools": self.tools,
        }

    def sources(self, workload: str) -> list[Path]:
        """Where the program's source may lie; `*` in place of a workload: a pattern for each."""
        places = {
            "runtime": str(self.folder),
            "language": str(self.toolchain.folder),
            "workload": workload,
        }
        where = f"{self.folder}/runtime.toml: program.source"
        return [Path(fill(source, places, where)) for source in self.program.sources]

    def source(self, workload: str) -> Path:
        """The program's source; the workload exists for this runtime where this file exists."""
        paths = self.sources(workload)
        return next((path for path in paths if path.is_file()), paths[0])

    def concerns(self, workload: Workload) -> bool:
        """Whether a page is expected to say something of the two.

        A variant may exist for certain workloads only, and a scenario names no runtimes: it
        concerns those that take part.
        """
        if self.variant.workloads is not None:
            return workload.name in self.variant.workloads
        if workload.name in self.manifest.gaps or self.source(workload.name).is_file():
            return True
        return workload.group == "core" and self.manifest.unit in (
            workload.only_units or [self.manifest.unit]
        )

    def gap(self, workload: Workload) -> str | None:
        """Why this runtime has no number for a workload that concerns it, or None where it has a
        program.
        """
        if workload.name in self.manifest.gaps:
            return self.manifest.gaps[workload.name]
        if not self.source(workload.name).is_file():
            return NO_PROGRAM
        return None

    def offers(self, workload: str, params: dict[str, Parameter]) -> bool:
        """Whether a setting exists for this runtime."""
        return self.refusal(workload, params) is None

    def refusal(self, workload: str, params: dict[str, Parameter]) -> Refusal | None:
        """Why a setting does not exist for this runtime: values of a parameter (sizes, modes) may
        be listed, else all do.
        """
        for name, values in self.listed(workload).items():
            if params[name] not in values:
                return refused(name, params[name], values, self.limit_reason(workload))
        return None

    def listed(self, workload: str) -> dict[str, list[Parameter]]:
        """The values of parameters that exist for this runtime, where not all do."""
        return {**self.manifest.values.get(workload, {}), **self.variant.values.get(workload, {})}

    def limit_reason(self, workload: str) -> str:
        """Why the listed sizes end before the spec's do: the variant's words, else its manifest's,
        of this workload or of all.
        """
        for said in (self.variant.limit_reason, self.manifest.limit_reason):
            if found := said if isinstance(said, str) else said.get(workload):
                return found
        return ""

    def is_meant(self, point: Point) -> bool:
        """Whether a point is for this runtime: some are for certain units, or for some runtimes of
        many.
        """
        of_unit = point.only_units is None or self.manifest.unit in point.only_units
        return of_unit and (point.runtimes is None or self.name in point.runtimes)


class Suite(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be measured: what the folders hold."""

    root: Path
    toolchains: dict[str, Toolchain]
    runtimes: dict[str, Runtime]
    workloads: dict[str, Workload]
    helpers: dict[str, Helper] = {}
    findings: list[Finding] = []
