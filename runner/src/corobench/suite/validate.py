"""Checks specs and manifests beyond the types of their keys, each error with its file and key.

Each function raises UserError, which names the file, the key, the value and what would be right.
The arithmetic of specs is checked where it is read (suite.load), environments and builds when they
are made (toolchains.prepare): a mistake there is that runtime's alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from corobench.errors import UserError, unknown
from corobench.suite import expression
from corobench.suite.runtime import (
    Find,
    Helper,
    Manifest,
    Need,
    Program,
    Provision,
    Runtime,
    Toolchain,
    Variant,
    check,
    largest,
    version_key,
)
from corobench.suite.workload import EXPRESSED, Difference, Metric, Parameter, Ratio, Workload

CPUS = "{cpus}"
# Names of runtimes stand in file names, addresses, tables and on terminals.
NAME = re.compile(r"[a-z0-9][a-z0-9._+-]{0,59}")
NAME_RULE = "has small letters, digits, and . _ + - after the first, 60 at most"
FOLDERS = ("root", "language", "uv", "multiarch")
_TOOL = (*FOLDERS, "tool")
_MADE = (*_TOOL, "runtime")
_STARTED = (*_MADE, "cpus")


def check_helper(file: Path, made: Helper) -> None:
    """A tool that is no language."""
    _version(f"{file}: minimum", made.minimum)
    _find(f"{file}: find", made.find)
    for way in made.provision:
        _provision(f"{file}: provision", way)


def check_toolchain(file: Path, made: Toolchain) -> None:
    """A language's tool, and the defaults of its runtimes."""
    check_helper(file, made)
    for name, command in made.facts.items():
        _all(f"{file}: facts.{name}", command, (*_STARTED, "env", "build"))
    for name, texts in (
        ("memory", made.out_of_resource_messages.memory),
        ("limit", made.out_of_resource_messages.limit),
    ):
        if any(not text.strip() for text in texts):
            raise UserError(
                f"{file}: out_of_resource_messages.{name}: an empty text, which every line holds; "
                "write what the runtime says"
            )
    for name, listed in (("test", made.test), ("lint", made.lint)):
        for asked in listed:
            _commands(f"{file}: {name}", [*asked.fetch, *asked.commands], _TOOL)
            _needs(f"{file}: {name}.needs", asked.needs, _TOOL)


def check_manifest(
    file: Path, made: Manifest, language: Toolchain, workloads: dict[str, Workload]
) -> None:
    """A runtime, in the light of its language's defaults and of the specs that there are."""
    environment, build = made.environment or language.environment, made.build or language.build
    if source := made.version_from:
        check(source.file, (*FOLDERS, "runtime"), f"{file}: version_from.file")
        _pattern(f"{file}: version_from.pattern", source.pattern)
    if pin := made.toolchain:
        if pin.version or not pin.build:
            _version(f"{file}: toolchain.version", pin.version)
        if pin.find:
            _find(f"{file}: toolchain.find", pin.find)
        for way in pin.provision:
            _provision(f"{file}: toolchain.provision", way)
    _needs(f"{file}: needs", made.needs, _MADE)
    known = _started(file, made, env=environment is not None, build=build is not None)
    _all(f"{language.folder}/toolchain.toml: verify_options", language.verify_options, known)
    _known(f"{file}: gaps", made.gaps, workloads)
    _known(f"{file}: deviates", made.deviates, workloads)
    _known(f"{file}: lower_bound", made.lower_bound, workloads)
    _values(file, made.values, made.limit_reason, workloads)
    if not made.variant:
        raise UserError(f"{file}: variant: a runtime needs one [[variant]] at least")
    for variant in made.variant:
        _variant(file, variant, workloads)
        _parts(f"{file}: variant {variant.name}: parts", variant.parts, made)


def _parts(where: str, parts: dict[str, str], made: Manifest) -> None:
    """What a variant puts together."""
    if parts and made.version_from is None:
        raise UserError(
            f"{where}: their versions are looked up in the file that version_from "
            "names, and there is no version_from"
        )
    for name, pattern in parts.items():
        _pattern(f"{where}.{name}", pattern)


def _started(file: Path, made: Manifest, *, env: bool, build: bool) -> list[str]:
    """What programs are started with; the placeholders that all of them know."""
    folders = [*(["env"] if env else []), *(["build"] if build else [])]
    shared = [*_STARTED, *folders, *made.tools, "workload", "source"]
    _program(f"{file}: program", made.program, shared)
    if made.crosscheck:
        _all(f"{file}: crosscheck.command", made.crosscheck.command, shared)
    for variant in made.variant:
        known = [*shared, *variant.tools]
        if variant.program:
            _program(f"{file}: variant {variant.name}: program", variant.program, known)
        if variant.crosscheck:
            where = f"{file}: variant {variant.name}: crosscheck.command"
            _all(where, variant.crosscheck.command, known)
        _all(f"{file}: variant {variant.name}: arguments", variant.arguments, known)
        for name, value in variant.env.items():
            check(value, known, f"{file}: variant {variant.name}: env.{name}")
    return shared


def _program(where: str, program: Program, known: Sequence[str]) -> None:
    """Where programs lie, and their command."""
    if not program.sources:
        raise UserError(f"{where}.source: no place is named; name one at least")
    for source in program.sources:
        check(source, ("runtime", "language", "workload"), f"{where}.source")
    _all(f"{where}.command", program.command, known)


def _variant(file: Path, variant: Variant, workloads: dict[str, Workload]) -> None:
    where = f"{file}: variant {variant.name}"
    if not NAME.fullmatch(variant.name):
        raise UserError(f"{file}: variant.name: {variant.name!r} is no name: it {NAME_RULE}")
    if not variant.tracks:
        raise UserError(f"{where}: tracks: name one track at least")
    if odd := set(variant.reference) - set(variant.tracks):
        raise UserError(
            f"{where}: reference: it is not measured on the track {min(odd)}; choose of "
            f"{', '.join(variant.tracks)}"
        )
    if variant.threads != CPUS and not (isinstance(variant.threads, int) and variant.threads > 0):
        raise UserError(
            f"{where}: threads: {variant.threads!r} is neither a number of 1 or more nor {CPUS!r}"
        )
    for name, setting in variant.settings.items():
        if isinstance(setting, str) and "{" in setting and setting != CPUS:
            raise UserError(
                f"{where}: settings.{name}: {setting!r}: the only placeholder here is "
                f"{CPUS!r}, alone"
            )
    _known(f"{where}: workloads", variant.workloads or [], workloads)
    _values(file, variant.values, variant.limit_reason, workloads)


def check_sizes(file: Path, runtime: Runtime, workloads: dict[str, Workload]) -> None:
    """That a runtime says why its sizes end where they do, if those of the spec go on."""
    for name, workload in workloads.items():
        listed = runtime.listed(name)
        if (
            not listed
            or runtime.limit_reason(name)
            or name in runtime.manifest.gaps
            or not runtime.concerns(workload)
        ):
            continue
        for key, values in listed.items():
            most = largest(values)
            asked = largest(
                [point.params[key] for point in workload.point if runtime.is_meant(point)]
            )
            if most is not None and asked is not None and asked > most:
                raise UserError(
                    f"{file}: limit_reason: {runtime.name} ends at {key} = {most:,} in {name}, "
                    f"and the spec goes on to {asked:,}: "
                    'say why, of all workloads (limit_reason = "...") or of this one '
                    f'(limit_reason.{name} = "...")'
                )


def _values(
    file: Path,
    values: dict[str, dict[str, list[Parameter]]],
    beyond: str | dict[str, str],
    workloads: dict[str, Workload],
) -> None:
    _known(f"{file}: values", values, workloads)
    _known(f"{file}: limit_reason", beyond if isinstance(beyond, dict) else [], workloads)
    for workload, parameters in values.items():
        for name, listed in parameters.items():
            where = f"{file}: values.{workload}"
            if name not in workloads[workload].parameters:
                raise UserError(f"{where}: {name!r} is no parameter of the workload")
            kinds = {type(spot.params.get(name)) for spot in workloads[workload].spots}
            if odd := [value for value in listed if type(value) not in kinds]:
                like = sorted({str(spot.params.get(name)) for spot in workloads[workload].spots})
                raise UserError(
                    f"{where}.{name}: {odd[0]!r} is no value that the spec gives it; it gives "
                    f"{', '.join(like)}"
                )


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
        raise UserError(
            f"{where}: {pattern!r} has no group (?P<version>...), from which the version is read"
        )


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


def check_spec(file: Path, workload: Workload) -> None:
    """Points first: all else is about their parameters."""
    for spot in workload.spots:
        if set(spot.params) != set(workload.parameters):
            wanted = ", ".join(workload.parameters)
            raise UserError(
                f"{file}: a point has params {spot.params}; the spec's parameters are {wanted}"
            )
    for point in workload.point:
        for name in point.derived:
            _parameter(f"{file}: point {point.name}: derived", name, workload)
        if point.iterations < 1:
            raise UserError(
                f"{file}: point {point.name}: iterations: {point.iterations} is none at all; "
                "write 1 or more"
            )
    for key, along in (("ladder", workload.ladder), ("curve", workload.curve)):
        if along is not None:
            _parameter(f"{file}: {key}", along, workload)
    for key, text in (
        ("tasks", workload.tasks),
        ("resumes", workload.resumes),
        ("permits", workload.permits),
    ):
        _counted(file, key, text, workload)
    _nonce(file, workload)
    _own_metric(file, workload)
    for difference in workload.difference:
        _difference(file, difference, workload)
    _names(file, workload)
    _claims(file, workload)
    _doubts(file, workload)
    _quoted(file, workload)
    _holds(file, workload)


def _parameter(where: str, name: str, workload: Workload) -> None:
    if name not in workload.parameters:
        raise UserError(
            f"{where}: {name!r} is no parameter of the workload; they are "
            f"{', '.join(workload.parameters)}"
        )


def _nonce(file: Path, workload: Workload) -> None:
    """What is drawn must show in what a program answers, each iteration of which has its own."""
    if "nonce" in workload.parameters:
        raise UserError(f"{file}: parameters: nonce is what the runner draws; take another name")
    if workload.nonce is None:
        return
    if workload.kind in ("startup", "served"):
        raise UserError(
            f"{file}: nonce: a {workload.kind} workload has no iterations to pass it to"
        )


def _counted(file: Path, key: str, text: str, workload: Workload) -> None:
    """Only a trace, and what is counted in it, asks for these; elsewhere their default stands for
    nothing.
    """
    if not workload.trace and not workload.true_switches:
        return
    try:
        expression.check_names(text, list(workload.parameters))
    except ValueError as error:
        raise UserError(f"{file}: {key}: {error}") from error


def _own_metric(file: Path, workload: Workload) -> None:
    """Where metrics are no expressions, the first is what the kind of the workload measures."""
    for metric in workload.metric[:1]:
        if workload.kind not in EXPRESSED and metric.value is not None:
            own = f"a workload of kind {workload.kind!r} knows its first metric by itself"
            raise UserError(
                f"{file}: metric.{metric.name}.value: {own}; put what is an expression after it"
            )


def _difference(file: Path, difference: Difference, workload: Workload) -> None:
    where = f"{file}: difference.{difference.name}"
    _parameter(f"{where}.over", difference.over, workload)
    for name in difference.free:
        _parameter(f"{where}.free", name, workload)
    given = [point.params[difference.over] for point in workload.point]
    for key, value in (("of", difference.of), ("less", difference.less)):
        if value not in given:
            known = ", ".join(dict.fromkeys(map(str, given)))
            raise UserError(
                f"{where}.{key}: no point has {difference.over} = {value!r}; they have {known}"
            )
    try:
        expression.check_names(difference.per, list(workload.parameters))
    except ValueError as error:
        raise UserError(f"{where}.per: {error}") from error


def _names(file: Path, workload: Workload) -> None:
    """A figure is known by its name."""
    names = [
        name
        for figures in (workload.metric, workload.difference, workload.ratio)
        for name in _named(figures)
    ]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UserError(
            f"{file}: {twice[0]!r} is the name of two metrics, differences or ratios; give "
            "each its own"
        )


def _named(figures: Sequence[Metric | Difference | Ratio]) -> list[str]:
    return [figure.name for figure in figures]


def _claims(file: Path, workload: Workload) -> None:
    """What stands for a workload has to claim something: its first metric, and the one by which it
    gives advice.
    """
    leading = {metric.name for metric in workload.metric[:1]} | (
        {workload.advice.metric} if workload.advice else set()
    )
    for metric in workload.metric:
        if metric.name in leading and not metric.claims:
            why = (
                "the first metric stands for its workload, and that of [advice] for what is "
                "worth it: these claim something"
            )
            raise UserError(f"{file}: metric.{metric.name}.claims: {why}")


def _doubts(file: Path, workload: Workload) -> None:
    """A doubt is known by its name, and so are the figures that it is about."""
    names = [doubt.name for doubt in workload.caution]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UserError(f"{file}: {twice[0]!r} is the name of two doubts; give each its own")
    for doubt in workload.caution:
        for name in doubt.metrics:
            if name not in workload.titles:
                raise UserError(
                    f"{file}: caution.{doubt.name}.metrics: "
                    f"{unknown('metric', name, workload.titles)}"
                )


def _quoted(file: Path, workload: Workload) -> None:
    """What stands in for a point that was not measured is known by a parameter; a ratio is that of
    two runtimes.
    """
    for quoted in workload.citation:
        if quoted.largest is not None:
            _parameter(f"{file}: citation.largest", quoted.largest, workload)
        if quoted.against == quoted.runtime:
            raise UserError(
                f"{file}: citation.against: {quoted.against!r} is the runtime itself; name another"
            )


def _holds(file: Path, workload: Workload) -> None:
    """`units` says what each hold has alive, and in which order they come."""
    for key, points in (("holds", workload.holds), ("collected", workload.collected)):
        for point in points:
            if workload.kind != "served" and point not in workload.units:
                raise UserError(
                    f"{file}: {key}: {point!r} is not among units, which say how many "
                    "are alive there"
                )
    for units in (workload.units, *(point.units for point in workload.verify)):
        if odd := set(units) - {*workload.holds, *workload.collected}:
            raise UserError(
                f"{file}: units.{min(odd)}: there is no such hold; name it under holds or collected"
            )
