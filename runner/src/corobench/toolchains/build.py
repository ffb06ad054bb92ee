"""What a language wants recorded of itself, asked once for each recipe: some of these commands take
a second.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from corobench.commands import run_tool
from corobench.suite.runtime import Build, Environment, Runtime, fill
from corobench.toolchains import steps
from corobench.toolchains.steps import (
    Step,
    command_env,
    hash_files,
    hash_of,
    is_finished,
    is_untouched,
    make,
    matching,
    remove_others,
)
from corobench.toolchains.tools import Prepared, Tool, folders, places

LIMIT_S = 20.0


class _Kept(msgspec.Struct, frozen=True):
    key: str
    facts: dict[str, str]


def facts(runtime: Runtime, prepared: Prepared, tool: Tool, recipe: str) -> dict[str, str]:
    """The first line that each command of [facts] prints, and where the tool came from."""
    commands = _commands(runtime, prepared)
    words = [word for name, command in commands.items() for word in (name, *command)]
    key = hash_of(
        recipe,
        tool.version,
        *words,
    )
    root = runtime.toolchain.folder.parent
    file = root / ".build" / runtime.toolchain.language / runtime.build_name / "facts.json"
    kept = _read(file)
    if kept is None or kept.key != key:
        kept = _Kept(
            key,
            {name: _ask(command, runtime, prepared, tool) for name, command in commands.items()},
        )
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(msgspec.json.encode(kept))
    unpacked = {"packages": ", ".join(tool.packages)} if tool.packages else {}
    return {"toolchain": tool.origin, **unpacked, **kept.facts}


def _commands(runtime: Runtime, prepared: Prepared) -> dict[str, list[str]]:
    where = f"{runtime.toolchain.folder}/toolchain.toml: facts"
    values = places(runtime, prepared, 1)
    return {
        name: [fill(word, values, f"{where}.{name}") for word in words]
        for name, words in runtime.toolchain.facts.items()
    }


def _ask(command: list[str], runtime: Runtime, prepared: Prepared, tool: Tool) -> str:
    completed = run_tool(
        command,
        runtime.folder,
        command_env(prepared.tool, tool.env | prepared.env),
        timeout_s=LIMIT_S,
    )
    return completed.output.partition("\n")[0] if completed.ok else f"unknown: {completed.reason}"


def _read(file: Path) -> _Kept | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Kept)
    except (OSError, msgspec.DecodeError):
        return None  # asked again


Say = Callable[[str], None]


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """A runtime folder's environment and build, and the hashes of their inputs."""

    tool: Path
    environment: Path | None
    build: Path | None
    lock: str
    recipe: str


def make_runtime(runtime: Runtime, tool: Tool, say: Say) -> Made:
    """Environment first, then build, with the environment's tool. Ready ones are kept. StepFailed,
    UserError or OSError.
    """
    environment = runtime.manifest.environment or runtime.toolchain.environment
    build = runtime.manifest.build or runtime.toolchain.build
    used, env_folder, build_folder = tool.path, None, None
    lock = recipe = ""
    if environment is not None:
        job = _Job(
            runtime,
            "env",
            environment,
            used,
            tool.env,
            None,
            str(tool.path.resolve()),
            tool.version,
        )
        env_folder, lock, recipe = _ready(job, say)
        if environment.tool is not None:
            used = Path(fill(environment.tool, job.values(env_folder), f"{job.where}.tool"))
    if build is not None:
        job = _Job(
            runtime,
            "build",
            build,
            used,
            tool.env,
            env_folder,
            recipe or str(used.resolve()),
            tool.version,
        )
        build_folder, _, built = _ready(job, say)
        recipe = hash_of(recipe, built)
    return Made(tool=used, environment=env_folder, build=build_folder, lock=lock, recipe=recipe)


class _Job(msgspec.Struct, frozen=True):
    """One folder to be made for a runtime: `kind` is env or build; `origin` is what it rests on,
    `version` the tool's.
    """

    runtime: Runtime
    kind: str
    asked: Build | Environment
    tool: Path
    tool_env: dict[str, str]
    environment: Path | None
    origin: str
    version: str

    @property
    def packages(self) -> list[str]:
        return self.asked.packages if isinstance(self.asked, Environment) else []

    @property
    def where(self) -> str:
        own = (
            self.runtime.manifest.build
            if self.kind == "build"
            else self.runtime.manifest.environment
        )
        section = "build" if self.kind == "build" else "environment"
        file = (
            f"{self.runtime.folder}/runtime.toml"
            if own
            else f"{self.runtime.toolchain.folder}/toolchain.toml"
        )
        return f"{file}: {section}"

    def values(self, folder: Path | None = None) -> dict[str, str]:
        found = {
            **folders(self.runtime.toolchain.folder),
            "tool": str(self.tool),
            "runtime": str(self.runtime.folder),
        }
        if self.environment is not None:
            found["env"] = str(self.environment)
        if folder is not None:
            found[self.kind] = str(folder)
        return found


def _ready(job: _Job, say: Say) -> tuple[Path, str, str]:
    """The finished folder, the hash of its inputs, and the hash of its inputs and commands (neither
    holds machine paths).
    """
    root = job.runtime.toolchain.folder.parent
    where = f"{job.where}.inputs"
    inputs = [
        file
        for pattern in job.asked.inputs
        for file in matching(fill(pattern, job.values(), where), where)
    ]
    contents = hash_files(inputs, root)
    words = [word for command in job.asked.commands for word in [*command, "\n"]]
    settings = [
        *job.asked.env,
        *job.asked.env.values(),
        *(f"{k}={v}" for k, v in sorted(job.runtime.toolchain.env.items())),
    ]
    archive = [steps.archive(), *job.packages] if job.packages else []
    recipe = hash_of(contents, *archive, *words, *settings, job.asked.cwd, job.version)
    place = root / ".build" / job.runtime.toolchain.language / job.runtime.build_name
    # Environments hold links to the tool and builds to the sources, so both are made anew where
    # those moved.
    folder = place / f"{job.kind}-{hash_of(recipe, job.origin, str(root))[:12]}"
    # Each file of a build is hashed; an environment has too many, and is made anew if it changed.
    if not (is_untouched(folder) if job.kind == "env" else is_finished(folder)):
        _make(job, folder, say)
        remove_others(folder, job.kind)
    return folder, contents, recipe


def _make(job: _Job, folder: Path, say: Say) -> None:
    values = job.values(folder)
    extra = {name: fill(value, values, f"{job.where}.env") for name, value in job.asked.env.items()}
    root = job.runtime.toolchain.folder.parent
    commands = steps.commands(root, job.packages, folder) if job.packages else []
    commands += [
        [fill(word, values, f"{job.where}.commands") for word in command]
        for command in job.asked.commands
    ]
    what = "environment" if job.kind == "env" else "programs"
    say(f"{job.runtime.toolchain.language}: making the {what} of {job.runtime.build_name}")
    make(
        Step(
            folder=folder,
            commands=commands,
            cwd=Path(fill(job.asked.cwd, values, f"{job.where}.cwd")),
            env=command_env(job.tool, job.tool_env | extra),
            log=folder.with_name(f"{job.kind}.log"),
        ),
        say,
    )
