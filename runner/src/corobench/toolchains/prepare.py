"""Gets runtimes ready to be started: tools, environments and builds, languages in parallel, none
stopping the others. And records what they were made of: versions, facts, hashes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from corobench.commands import in_parallel, run_tool
from corobench.errors import UserError, unknown
from corobench.locks import locked
from corobench.suite.runtime import Build, Environment, Runtime, Suite, VersionSource, fill
from corobench.toolchains import steps
from corobench.toolchains.provision import Say, find, helper, unmet
from corobench.toolchains.steps import (
    Step,
    StepFailed,
    Unavailable,
    command_env,
    hash_files,
    hash_of,
    is_finished,
    is_untouched,
    make,
    matching,
    remove_others,
    sources,
)
from corobench.toolchains.tools import (
    Missing,
    MissingTool,
    Prepared,
    Tool,
    advice,
    folders,
    of_runtime,
    places,
)


def prepare(suite: Suite, runtimes: Iterable[str], say: Say) -> dict[str, Prepared | Missing]:
    """Every runtime asked for, ready or with the reason why not. UserError for a name that doesn't
    exist.
    """
    chosen = [_known(suite, name) for name in runtimes]
    by_language: dict[str, list[Runtime]] = {}
    for runtime in chosen:
        by_language.setdefault(runtime.toolchain.language, []).append(runtime)

    def one(language: str) -> Callable[[], list[Prepared | Missing]]:
        return lambda: _language(suite, by_language[language], say)

    done = in_parallel({language: one(language) for language in by_language})
    found = {item.runtime: item for items in done.values() for item in items}
    return {runtime.name: found[runtime.name] for runtime in chosen}


def _known(suite: Suite, name: str) -> Runtime:
    if name not in suite.runtimes:
        raise unknown("runtime", name, suite.runtimes)
    return suite.runtimes[name]


def _language(suite: Suite, runtimes: list[Runtime], say: Say) -> list[Prepared | Missing]:
    """Tools first, then what is made with them: a language doesn't wait for the tools of others."""
    asked = {runtime.name: of_runtime(suite, runtime) for runtime in runtimes}
    tools = find(suite, {one.name: one for one in asked.values()}.values(), say)
    helpers = {name: helper(suite, name, say) for runtime in runtimes for name in runtime.tools}
    language = runtimes[0].toolchain.language
    with locked(
        suite.root / f".build/{language}/lock",
        lambda who: say(f"{language}: waiting for the build of {who}"),
    ):
        for tool in tools.values():
            if isinstance(tool, Tool):
                say(f"{tool.name}: {runtimes[0].toolchain.title} {tool.version} ({tool.origin})")
        folders_made: dict[tuple[Path, str], Made | Missing] = {}
        return [
            _runtime(runtime, tools[asked[runtime.name].name], helpers, folders_made, say)
            for runtime in runtimes
        ]


def _runtime(
    runtime: Runtime,
    tool: Tool | MissingTool,
    helpers: dict[str, Tool | MissingTool],
    made: dict[tuple[Path, str], Made | Missing],
    say: Say,
) -> Prepared | Missing:
    """Variants of one manifest, or of one version in it, share what was made for the first."""
    needed = [tool, *(helpers[name] for name in runtime.tools)]
    for found in needed:
        if isinstance(found, MissingTool):
            return Missing(runtime=runtime.name, reason=found.reason, help=found.help)
    tools = [found for found in needed if isinstance(found, Tool)]
    values = {
        **folders(runtime.toolchain.folder),
        "tool": str(tools[0].path),
        "runtime": str(runtime.folder),
    }
    try:
        if need := unmet(
            runtime.manifest.needs, tools[0], values, f"{runtime.folder}/runtime.toml: needs"
        ):
            return Missing(
                runtime=runtime.name, reason=need.reason, help=advice(need.install, need.help)
            )
        same = (runtime.folder, runtime.version)
        if same not in made:
            made[same] = _made(runtime, tools[0], say)
        result = made[same]
        if isinstance(result, Missing):
            return msgspec.structs.replace(result, runtime=runtime.name)
        return _prepared(runtime, tools, result)
    except (StepFailed, UserError, OSError) as error:
        return _broken(runtime, error)


def _made(runtime: Runtime, tool: Tool, say: Say) -> Made | Missing:
    try:
        return make_runtime(runtime, tool, say)
    except (StepFailed, UserError, OSError) as error:
        missing = _broken(runtime, error)
        if missing.broken:
            say(f"{runtime.toolchain.language}: {runtime.folder.name} failed: {missing.reason}")
        return missing


def _broken(runtime: Runtime, error: Exception) -> Missing:
    """The reason is published, so it doesn't say where the checkout lies."""
    if isinstance(error, Unavailable):
        return Missing(runtime=runtime.name, reason=str(error), help=error.help)
    reason = str(error).replace(f"{runtime.toolchain.folder.parent}/", "")
    return Missing(
        runtime=runtime.name, reason=reason, help="`corobench build` tries again", broken=True
    )


def _prepared(runtime: Runtime, tools: list[Tool], made: Made) -> Prepared:
    """`tools`: the language's, then the helpers."""
    tool = tools[0]
    prepared = Prepared(
        runtime=runtime.name,
        tool=made.tool,
        environment=made.environment,
        build=made.build,
        version=_version(runtime, tool),
        language_version=tool.version,
        env={name: value for one in tools for name, value in one.run_env.items()},
        helpers={one.name: one.path for one in tools[1:]},
        facts={},
        hashes={},
    )
    return msgspec.structs.replace(
        prepared,
        facts=facts(runtime, prepared, tool, made.recipe) | parts(runtime),
        hashes=_hashes(runtime, prepared, made),
    )


def _version(runtime: Runtime, tool: Tool) -> str:
    """Read from the lock file, never typed; the toolchain's where the runtime is part of the
    language.
    """
    return locked_version(runtime) or tool.version


def parts(runtime: Runtime) -> dict[str, str]:
    """The fact that names what a variant puts together: `Falcon 4.4.0, gunicorn 27.0.1`; none where
    it is one thing.
    """
    asked = runtime.manifest.version_from
    if asked is None or not runtime.variant.parts:
        return {}
    key = f"variant {runtime.name}: parts"
    found = {
        name: _in_lock(runtime, asked, text, f"{key}.{name}")
        for name, text in runtime.variant.parts.items()
    }
    return {"parts": ", ".join(f"{name} {version}" for name, version in found.items())}


def _in_lock(runtime: Runtime, asked: VersionSource, pattern: str, key: str) -> str:
    """The version that a pattern finds in the runtime's lock file. UserError where it finds
    none.
    """
    where = f"{runtime.folder}/runtime.toml"
    values = {**folders(runtime.toolchain.folder), "runtime": str(runtime.folder)}
    file = Path(fill(asked.file, values, f"{where}: version_from.file"))
    match = re.search(pattern, file.read_text())
    if match is None:
        raise UserError(f"{where}: {key}: {pattern!r} is not in {file}")
    return match["version"]


def _hashes(runtime: Runtime, prepared: Prepared, made: Made) -> dict[str, str]:
    root = runtime.toolchain.folder.parent
    written = hash_files(opened(runtime), root)
    variant = runtime.variant
    words = [
        *runtime.program.command,
        *variant.arguments,
        *(f"{k}={v}" for k, v in sorted(variant.env.items())),
    ]
    built = "" if prepared.build is None else hash_files(_built(runtime, prepared), prepared.build)
    programs = hash_of(
        made.recipe, written, built, prepared.version, prepared.language_version, *words
    )
    hashes = {"sources": written, "lock": made.lock, "built": built, "programs": programs}
    return {name: value for name, value in hashes.items() if value}


def recorded_hashes(runtime: Runtime) -> Iterator[str]:
    """What the sources of a runtime may have been recorded with, from the files of its checkout
    alone: today's hash, and that of runs from before other runtimes' folders were part of it. Each
    is made when it is asked for: most runs have the first.
    """
    root = runtime.toolchain.folder.parent
    yield hash_files(opened(runtime), root)
    before = [*sources(runtime.toolchain.folder, runtime.folder), *_programs(runtime)]
    yield hash_files(before, root)


def locked_version(runtime: Runtime) -> str | None:
    """The version that the lock file gives a runtime; None where it is the language's."""
    asked = runtime.manifest.version_from
    return (
        None if asked is None else _in_lock(runtime, asked, asked.pattern, "version_from.pattern")
    )


# A folder or file of the checkout in a word of a manifest; lists of them are joined by colons.
_NAMED = re.compile(r"\{(?:language|runtime|root)\}/[^:;,\s]+")


def opened(runtime: Runtime) -> list[Path]:
    """The files of the checkout that the runtime's programs may open, sorted: its folder, what the
    language's runtimes share, and every folder from which a program or a module may come.
    """
    language = runtime.toolchain.folder
    places = folders(language) | {"runtime": str(runtime.folder)}
    programs = _programs(runtime)
    words = [*runtime.program.command, *runtime.variant.arguments, *runtime.variant.env.values()]
    named = [fill(found, places, "") for word in words for found in _found_in(word)]
    # A search pattern as Lua's (harness/?.lua) names its folder.
    paths = [Path(name).parent if "?" in name else Path(name) for name in named]
    where = f"{runtime.folder}/runtime.toml: program.inputs"
    for pattern in runtime.program.inputs:
        paths += matching(fill(pattern, places, where), where)
    # Python and Node look for modules beside the program, whosesoever folder that is.
    beside = {file.parent for file in programs}
    others = {Path(os.path.normpath(path)) for path in [*paths, *programs, *beside]}
    there = [path for path in others if path.exists() and path != language]
    return sources(language, runtime.folder, there)


def _found_in(word: str) -> list[str]:
    """The parts of a word that name a path of the checkout and hold no other placeholder."""
    return [found for found in _NAMED.findall(word) if found.count("{") == 1]


def _programs(runtime: Runtime) -> list[Path]:
    """The programs' sources, which may be another runtime's (uvloop runs asyncio's)."""
    where = f"{runtime.folder}/runtime.toml: program.source"
    return [file for path in runtime.sources("*") for file in matching(str(path), where)]


def _built(runtime: Runtime, prepared: Prepared) -> list[Path]:
    """The files in the build folder that a program's command starts or names."""
    if prepared.build is None:
        return []
    pattern = {**places(runtime, prepared, 1), "workload": "*", "source": ""}
    named = (
        fill(word, pattern, f"{runtime.folder}/runtime.toml: program.command")
        for word in runtime.program.command
    )
    inside = (Path(word) for word in named if word.startswith(f"{prepared.build}/"))
    return [
        file
        for path in inside
        for file in prepared.build.glob(str(path.relative_to(prepared.build)))
        if file.is_file()
    ]


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
