"""Gets runtimes ready to be started: tools, environments and builds, languages in parallel, none stopping the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from corobench.errors import UserError, unknown
from corobench.execute.tool import in_parallel
from corobench.model import Runtime, Suite
from corobench.toolchains.build import Made, make_runtime
from corobench.toolchains.contents import hash_files, hash_of, matching, sources
from corobench.toolchains.facts import facts
from corobench.toolchains.find import Say, setup
from corobench.toolchains.hyperfine import hyperfine
from corobench.toolchains.lock import locked
from corobench.toolchains.places import fill, folders, places
from corobench.toolchains.steps import StepFailed
from corobench.toolchains.values import Missing, MissingTool, Prepared, Tool

__all__ = ["Missing", "MissingTool", "Prepared", "Tool", "hyperfine", "places", "prepare", "setup"]


def prepare(suite: Suite, runtimes: Iterable[str], say: Say) -> dict[str, Prepared | Missing]:
    """Every runtime asked for, ready or with the reason why not. UserError for a name that doesn't exist."""
    chosen = [_known(suite, name) for name in runtimes]
    by_language: dict[str, list[Runtime]] = {}
    for runtime in chosen:
        by_language.setdefault(runtime.toolchain.language, []).append(runtime)
    tools = setup(suite.root, suite, say, only=by_language)

    def one(language: str) -> Callable[[], list[Prepared | Missing]]:
        return lambda: _language(suite.root, by_language[language], tools[language], say)

    done = in_parallel({language: one(language) for language in by_language})
    found = {item.runtime: item for items in done.values() for item in items}
    return {runtime.name: found[runtime.name] for runtime in chosen}


def _known(suite: Suite, name: str) -> Runtime:
    if name not in suite.runtimes:
        raise unknown("runtime", name, suite.runtimes)
    return suite.runtimes[name]


def _language(root: Path, runtimes: list[Runtime], tool: Tool | MissingTool, say: Say) -> list[Prepared | Missing]:
    if isinstance(tool, MissingTool):
        return [Missing(runtime=runtime.name, reason=tool.reason, help=tool.help) for runtime in runtimes]
    language = runtimes[0].toolchain.language
    with locked(root / f".build/{language}/lock", lambda who: say(f"{language}: waiting for the build of {who}")):
        say(f"{language}: {runtimes[0].toolchain.title} {tool.version} ({tool.origin})")
        folders_made: dict[Path, Made | Missing] = {}
        return [_runtime(runtime, tool, folders_made, say) for runtime in runtimes]


def _runtime(runtime: Runtime, tool: Tool, made: dict[Path, Made | Missing], say: Say) -> Prepared | Missing:
    """Variants of one folder share what was made for the first of them."""
    try:
        if runtime.folder not in made:
            made[runtime.folder] = _made(runtime, tool, say)
        result = made[runtime.folder]
        if isinstance(result, Missing):
            return msgspec.structs.replace(result, runtime=runtime.name)
        return _prepared(runtime, tool, result)
    except (StepFailed, UserError, OSError) as error:
        return _broken(runtime, error)


def _made(runtime: Runtime, tool: Tool, say: Say) -> Made | Missing:
    try:
        return make_runtime(runtime, tool, say)
    except (StepFailed, UserError, OSError) as error:
        missing = _broken(runtime, error)
        say(f"{runtime.toolchain.language}: {runtime.folder.name} failed: {missing.reason}")
        return missing


def _broken(runtime: Runtime, error: Exception) -> Missing:
    """The reason is published, so it doesn't say where the checkout lies."""
    reason = str(error).replace(f"{runtime.toolchain.folder.parent}/", "")
    return Missing(runtime=runtime.name, reason=reason, help="`corobench build` tries again", broken=True)


def _prepared(runtime: Runtime, tool: Tool, made: Made) -> Prepared:
    prepared = Prepared(
        runtime=runtime.name,
        tool=made.tool,
        environment=made.environment,
        build=made.build,
        version=_version(runtime, tool),
        language_version=tool.version,
        facts={},
        hashes={},
    )
    return msgspec.structs.replace(
        prepared, facts=facts(runtime, prepared, tool, made.recipe), hashes=_hashes(runtime, prepared, made)
    )


def _version(runtime: Runtime, tool: Tool) -> str:
    """Read from the lock file, never typed; the toolchain's where the runtime is part of the language."""
    asked = runtime.manifest.version
    if asked is None:
        return tool.version
    where = f"{runtime.folder}/runtime.toml: version"
    values = {**folders(runtime.toolchain.folder), "runtime": str(runtime.folder)}
    file = Path(fill(asked.file, values, f"{where}.file"))
    match = re.search(asked.pattern, file.read_text())
    if match is None:
        raise UserError(f"{where}.pattern: {asked.pattern!r} is not in {file}")
    return match["version"]


def _hashes(runtime: Runtime, prepared: Prepared, made: Made) -> dict[str, str]:
    root = runtime.toolchain.folder.parent
    written = hash_files([*sources(runtime.toolchain.folder, runtime.folder), *_programs(runtime)], root)
    variant = runtime.variant
    words = [*runtime.manifest.program.command, *variant.arguments, *(f"{k}={v}" for k, v in sorted(variant.env.items()))]
    built = "" if prepared.build is None else hash_files(_built(runtime, prepared), prepared.build)
    programs = hash_of(made.recipe, written, built, prepared.version, prepared.language_version, *words)
    hashes = {"sources": written, "lock": made.lock, "built": built, "programs": programs}
    return {name: value for name, value in hashes.items() if value}


def _programs(runtime: Runtime) -> list[Path]:
    """The programs' sources, which may be another runtime's (uvloop runs asyncio's)."""
    values = {"runtime": str(runtime.folder), "language": str(runtime.toolchain.folder), "workload": "*"}
    where = f"{runtime.folder}/runtime.toml: program.source"
    return matching(fill(runtime.manifest.program.source, values, where), where)


def _built(runtime: Runtime, prepared: Prepared) -> list[Path]:
    """The files in the build folder that a program's command starts or names."""
    if prepared.build is None:
        return []
    pattern = {**places(runtime, prepared, 1), "workload": "*", "source": ""}
    named = (fill(word, pattern, f"{runtime.folder}/runtime.toml: program.command") for word in runtime.manifest.program.command)
    inside = (Path(word) for word in named if word.startswith(f"{prepared.build}/"))
    return [file for path in inside for file in prepared.build.glob(str(path.relative_to(prepared.build))) if file.is_file()]
