"""What is checked of toolchains, tools and runtimes beyond the types of their keys, before anything is found, made or started.

Every function raises UserError that names the file, the key, the value and what would be right. What is said of environments
and builds is checked when they are made (toolchains.build): a mistake there is that runtime's alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path

from corobench.errors import UserError, unknown
from corobench.model import Manifest, Parameter, Runtime, Variant, Workload
from corobench.placeholders import check
from corobench.refusal import largest
from corobench.toolchains.versions import version_key
from corobench.toolspec import Find, Helper, Need, Provision, Toolchain

CPUS = "{cpus}"
FOLDERS = ("root", "language", "uv", "multiarch")
_TOOL = (*FOLDERS, "tool")
_MADE = (*_TOOL, "runtime")
_STARTED = (*_MADE, "cpus")


def helper(file: Path, made: Helper) -> None:
    """A tool that is no language."""
    _version(f"{file}: minimum", made.minimum)
    _find(f"{file}: find", made.find)
    for way in made.provision:
        _provision(f"{file}: provision", way)


def toolchain(file: Path, made: Toolchain) -> None:
    """A language's tool, and the defaults of its runtimes."""
    helper(file, made)
    for name, command in made.facts.items():
        _all(f"{file}: facts.{name}", command, (*_STARTED, "env", "build"))
    for name, texts in (("memory", made.exhausted.memory), ("limit", made.exhausted.limit)):
        if any(not text.strip() for text in texts):
            raise UserError(f"{file}: exhausted.{name}: an empty text, which every line holds; write what the runtime says")
    for name, listed in (("test", made.test), ("lint", made.lint)):
        for asked in listed:
            _commands(f"{file}: {name}", [*asked.fetch, *asked.commands], _TOOL)
            _needs(f"{file}: {name}.needs", asked.needs, _TOOL)


def manifest(file: Path, made: Manifest, language: Toolchain, workloads: dict[str, Workload]) -> None:
    """A runtime, in the light of its language's defaults and of the specs that there are."""
    environment, build = made.environment or language.environment, made.build or language.build
    if made.version:
        check(made.version.file, (*FOLDERS, "runtime"), f"{file}: version.file")
        _pattern(f"{file}: version.pattern", made.version.pattern)
    if pin := made.toolchain:
        _version(f"{file}: toolchain.version", pin.version)
        if pin.find:
            _find(f"{file}: toolchain.find", pin.find)
        for way in pin.provision:
            _provision(f"{file}: toolchain.provision", way)
    _needs(f"{file}: needs", made.needs, _MADE)
    _started(file, made, env=environment is not None, build=build is not None)
    _known(f"{file}: gaps", made.gaps, workloads)
    _known(f"{file}: departs", made.departs, workloads)
    _known(f"{file}: floor", made.floor, workloads)
    _values(file, made.values, made.beyond, workloads)
    if not made.variant:
        raise UserError(f"{file}: variant: a runtime needs one [[variant]] at least")
    for variant in made.variant:
        _variant(file, variant, workloads)
        _parts(f"{file}: variant {variant.name}: parts", variant.parts, made)


def _parts(where: str, parts: dict[str, str], made: Manifest) -> None:
    """What a variant puts together."""
    if parts and made.version is None:
        raise UserError(f"{where}: their versions are looked up in the file that version names, and there is no version")
    for name, pattern in parts.items():
        _pattern(f"{where}.{name}", pattern)


def _started(file: Path, made: Manifest, *, env: bool, build: bool) -> None:
    """What programs are started with."""
    check(made.program.source, ("runtime", "language", "workload"), f"{file}: program.source")
    folders = [*(["env"] if env else []), *(["build"] if build else [])]
    known = [*_STARTED, *folders, *made.tools, "workload", "source"]
    _all(f"{file}: program.command", made.program.command, known)
    if made.crosscheck:
        _all(f"{file}: crosscheck.command", made.crosscheck.command, known)
    for variant in made.variant:
        _all(f"{file}: variant {variant.name}: arguments", variant.arguments, known)
        for name, value in variant.env.items():
            check(value, known, f"{file}: variant {variant.name}: env.{name}")


def _variant(file: Path, variant: Variant, workloads: dict[str, Workload]) -> None:
    where = f"{file}: variant {variant.name}"
    if "/" in variant.name or "~" in variant.name:
        raise UserError(f"{file}: variant.name: {variant.name!r} must not hold '/' or '~'")
    if not variant.tracks:
        raise UserError(f"{where}: tracks: name one track at least")
    if odd := set(variant.reference) - set(variant.tracks):
        raise UserError(f"{where}: reference: it is not measured on the track {min(odd)}; choose of {', '.join(variant.tracks)}")
    if variant.threads != CPUS and not (isinstance(variant.threads, int) and variant.threads > 0):
        raise UserError(f"{where}: threads: {variant.threads!r} is neither a number of 1 or more nor {CPUS!r}")
    for name, setting in variant.settings.items():
        if isinstance(setting, str) and "{" in setting and setting != CPUS:
            raise UserError(f"{where}: settings.{name}: {setting!r}: the only placeholder here is {CPUS!r}, alone")
    _known(f"{where}: workloads", variant.workloads or [], workloads)
    _values(file, variant.values, variant.beyond, workloads)


def sizes(file: Path, runtime: Runtime, workloads: dict[str, Workload]) -> None:
    """That a runtime says why its sizes end where they do, if those of the spec go on."""
    for name, workload in workloads.items():
        listed = runtime.listed(name)
        if not listed or runtime.beyond(name) or name in runtime.manifest.gaps or not runtime.concerns(workload):
            continue
        for key, values in listed.items():
            most = largest(values)
            asked = largest([point.params[key] for point in workload.point if runtime.is_meant(point)])
            if most is not None and asked is not None and asked > most:
                raise UserError(
                    f"{file}: beyond: {runtime.name} ends at {key} = {most:,} in {name}, and the spec goes on to {asked:,}: "
                    f'say why, of all workloads (beyond = "...") or of this one (beyond.{name} = "...")'
                )


def _values(
    file: Path, values: dict[str, dict[str, list[Parameter]]], beyond: str | dict[str, str], workloads: dict[str, Workload]
) -> None:
    _known(f"{file}: values", values, workloads)
    _known(f"{file}: beyond", beyond if isinstance(beyond, dict) else [], workloads)
    for workload, parameters in values.items():
        for name, listed in parameters.items():
            where = f"{file}: values.{workload}"
            if name not in workloads[workload].parameters:
                raise UserError(f"{where}: {name!r} is no parameter of the workload")
            kinds = {type(spot.params.get(name)) for spot in workloads[workload].spots}
            if odd := [value for value in listed if type(value) not in kinds]:
                like = sorted({str(spot.params.get(name)) for spot in workloads[workload].spots})
                raise UserError(f"{where}.{name}: {odd[0]!r} is no value that the spec gives it; it gives {', '.join(like)}")


def _known(where: str, named: Iterable[str], workloads: dict[str, Workload]) -> None:
    for name in named:
        if name not in workloads:
            raise UserError(f"{where}: {unknown('workload', name, workloads)}")


def _provision(where: str, made: Provision) -> None:
    known = (*FOLDERS, "folder", *(["tool"] if made.language else []))
    if not (made.packages or made.lock or made.commands):
        raise UserError(f"{where}: needs packages, lock or commands")
    _commands(where, made.commands, known)
    _all(f"{where}.inputs", made.inputs, FOLDERS)
    _all(f"{where}.env", made.env.values(), known)
    for name, values in (("tool_env", made.tool_env), ("run_env", made.run_env)):
        _all(f"{where}.{name}", values.values(), (*FOLDERS, "folder"))


def _needs(where: str, needs: Iterable[Need], known: Collection[str]) -> None:
    for need in needs:
        if not need.probe:
            raise UserError(f"{where}.probe: a command without a word")
        _all(f"{where}.probe", need.probe, known)


def _find(where: str, made: Find) -> None:
    _pattern(f"{where}.pattern", made.pattern)
    _all(f"{where}.probe", made.probe, (*FOLDERS, "candidate"))


def _pattern(where: str, pattern: str) -> None:
    try:
        groups = re.compile(pattern).groupindex
    except re.error as error:
        raise UserError(f"{where}: {pattern!r} is no regular expression: {error}") from error
    if "version" not in groups:
        raise UserError(f"{where}: {pattern!r} has no group (?P<version>...), from which the version is read")


def _version(where: str, text: str) -> None:
    try:
        version_key(text)
    except ValueError as error:
        raise UserError(f"{where}: {text!r} is no version; write numbers, such as 1.25") from error


def _commands(where: str, commands: Iterable[list[str]], known: Collection[str]) -> None:
    for words in commands:
        if not words:
            raise UserError(f"{where}.commands: a command without a word")
        _all(f"{where}.commands", words, known)


def _all(where: str, texts: Iterable[str], known: Collection[str]) -> None:
    for text in texts:
        check(text, known, where)
