"""The words of toolchains as immutable values: how a tool is found or provisioned, how programs are made and started."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from corobench.value import Value

Manager = Literal["apt", "dnf", "pacman", "apk", "brew"]


class Build(Value, frozen=True, kw_only=True):
    """Commands that turn inputs into programs, done once for each hash of the inputs."""

    commands: list[list[str]]
    inputs: list[str] = []
    cwd: str = "{runtime}"
    env: dict[str, str] = {}


class Environment(Value, frozen=True, kw_only=True):
    """What programs need: Debian packages unpacked into `{env}`, then commands; done once for each hash of the inputs."""

    commands: list[list[str]] = []
    packages: list[str] = []
    inputs: list[str] = []
    tool: str | None = None
    cwd: str = "{runtime}"
    env: dict[str, str] = {}


class Find(Value, frozen=True, kw_only=True):
    """How to find a tool on this box. `exit_status` is that of a probe that was answered: wrk tells its version with a 1."""

    candidates: list[str]
    probe: list[str]
    pattern: str
    exit_status: int = 0


class Provision(Value, frozen=True, kw_only=True):
    """One way to fill `{folder}` without root: Debian packages, then hash-locked wheels, then commands.

    `tool`: a glob in it. `language`: its tool is `{tool}` in the commands. `tool_env` goes to the tool alone, `run_env` to what
    it builds and runs too; a path in them may be a glob.
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
    """What is needed beyond the language's tool. Where `probe` doesn't end with 0, there is a gap and no failure."""

    probe: list[str]
    reason: str
    help: str
    install: dict[Manager, str] = {}


class Commands(Value, frozen=True, kw_only=True):
    """What `make test` or `make lint` runs for a language, in its folder.

    `fetch`: what the commands would else fetch by themselves, with a tool that does not try again; it is tried three times.
    `tools`: tools of `runner/tools` that they need, each told as COROBENCH_TOOL_<NAME> where it can be had.
    `needs`: what they are skipped without.
    """

    commands: list[list[str]]
    fetch: list[list[str]] = []
    tools: list[str] = []
    needs: list[Need] = []


class Pin(Value, frozen=True, kw_only=True):
    """`[toolchain]` of a runtime: the version (3.10 means any 3.10.x) of the language's tool that it runs on, and no other.

    `build` names another build of that version than the usual one (free-threaded, say), for which `find` looks.
    """

    version: str
    help: str
    build: str = ""
    find: Find | None = None
    provision: list[Provision] = []


class Helper(Value, frozen=True, kw_only=True):
    """`runner/tools/<name>.toml`: a tool that the runner or a program starts, and that is no language.

    `install`: package manager -> packages; `help` is for a machine that has none of these.
    `provision`: ways to put one in place, in the order in which they are tried.
    """

    title: str
    minimum: str
    help: str
    find: Find
    install: dict[Manager, str] = {}
    provision: list[Provision] = []


class Exhausted(Value, frozen=True, kw_only=True):
    """What programs of a language say on stderr, beyond the words of errno, when they have run out of memory, or of what there
    is a fixed number of: threads, say.
    """

    memory: list[str] = []
    limit: list[str] = []


class Toolchain(Helper, frozen=True, kw_only=True):
    """`<language>/toolchain.toml`."""

    environment: Environment | None = None
    build: Build | None = None
    facts: dict[str, list[str]] = {}
    exhausted: Exhausted = Exhausted()
    test: list[Commands] = []
    lint: list[Commands] = []
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
    """The same operations under the language's own benchmark harness.

    `explained`: workload -> why the two differ by over 10 %, where they do and it is known.
    """

    command: list[str]
    explained: dict[str, str] = {}
