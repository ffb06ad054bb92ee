"""Reads the TOML files of a checkout into a Suite, each error with its file and key."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import tomli
from msgspec import inspect

from corobench.errors import UserError, plain, unseen
from corobench.suite import expression, validate, variables
from corobench.suite.runtime import Find, Helper, Manifest, Runtime, Suite, Toolchain
from corobench.suite.workload import (
    EXPRESSED,
    FINDINGS,
    TRACE_RULES,
    Finding,
    Number,
    Point,
    Workload,
)


def spread_grid(settings: list[Any]) -> list[Any]:
    """Points or verify settings as read, each list among their parameters multiplied out; the last
    list varies fastest.
    """
    return [
        single for number, setting in enumerate(settings, 1) for single in _singles(setting, number)
    ]


def _singles(setting: Any, number: int) -> list[Any]:
    params = setting.get("params") if isinstance(setting, dict) else None
    if not isinstance(params, dict):
        return [setting]  # the reader of types says what is wrong with it
    for name, value in params.items():
        if value == []:
            raise UserError(
                f"{number}: params.{name}: an empty list stands for no value; give one or more, "
                "or a single one"
            )
    values = [value if isinstance(value, list) else [value] for value in params.values()]
    return [
        {**setting, "params": dict(zip(params, chosen, strict=True))} for chosen in product(*values)
    ]


T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)


def load_suite(root: Path) -> Suite:
    """The suite under a repository root. Raises UserError that names the file and what is wrong in
    it.
    """
    workloads = {
        p.stem: load_workload(p) for p in sorted((root / "runner/workloads").glob("*.toml"))
    }
    helpers = {p.stem: _helper(p) for p in sorted((root / "runner/tools").glob("*.toml"))}
    toolchains: dict[str, Toolchain] = {}
    runtimes: dict[str, Runtime] = {}
    for file in sorted(root.glob("*/toolchain.toml")):
        language = file.parent.name
        read = decode_file(file, Toolchain)
        validate.check_toolchain(file, read)
        toolchains[language] = msgspec.structs.replace(read, language=language, folder=file.parent)
        for runtime in _runtimes(file.parent, toolchains[language], workloads):
            if other := runtimes.get(runtime.name):
                raise UserError(
                    f"{runtime.folder}/runtime.toml: variant {runtime.name!r} is already in "
                    f"{other.folder}/runtime.toml"
                )
            runtimes[runtime.name] = runtime
    if not workloads:
        raise UserError(
            f"{root}: no specs under runner/workloads; is this the root of a corobench checkout?"
        )
    suite = Suite(
        root=root,
        toolchains=toolchains,
        runtimes=runtimes,
        workloads=workloads,
        helpers=helpers,
        findings=load_findings(root),
    )
    _check_tools(suite)
    _check_findings(suite)
    return suite


def _helper(file: Path) -> Helper:
    read = decode_file(file, Helper)
    validate.check_helper(file, read)
    return read


def load_findings(root: Path) -> list[Finding]:
    """The findings of a checkout, by name."""
    return [_finding(file) for file in sorted((root / "runner/findings").glob("*.toml"))]


def _finding(file: Path) -> Finding:
    read = decode_file(file, Finding)
    if not any(check.is_claim for check in read.check):
        raise UserError(
            f"{file}: check: none has `least` or `most`, so that nothing would be claimed"
        )
    return msgspec.structs.replace(read, name=file.stem)


def _check_findings(suite: Suite) -> None:
    """The numbers that findings name can be measured: runtime, workload, metric, point and track
    exist.
    """
    for finding in suite.findings:
        for number in finding.numbers:
            if problem := _unmeasurable(suite, number):
                raise UserError(
                    f"{suite.root}/runner/findings/{finding.name}.toml: check: {problem}"
                )


def _unmeasurable(suite: Suite, number: Number) -> str | None:
    runtime, workload = suite.runtimes.get(number.runtime), suite.workloads.get(number.workload)
    if runtime is None:
        return f"unknown runtime {number.runtime!r}"
    if workload is None:
        return f"unknown workload {number.workload!r}"
    if number.metric not in {metric.name for metric in workload.metric}:
        return f"{number.metric!r} is no metric of {number.workload}"
    if number.track not in runtime.variant.tracks or number.track not in workload.tracks:
        return f"{number.runtime} has no {number.workload} on the track {number.track}"
    return _misplaced(
        number, [point.name for point in workload.points(FINDINGS) if number.is_at(point.name)]
    )


def _misplaced(number: Number, points: list[str]) -> str | None:
    """What is wrong with the point of a number that is at these."""
    if number.point is None or len(points) == 1:
        return None
    if points:
        return (
            f"the profile {FINDINGS} has several points {number.point!r} of {number.workload}, "
            f"{' and '.join(points)}"
        )
    return f"the profile {FINDINGS} has no point {number.point!r} of {number.workload}"


def _check_tools(suite: Suite) -> None:
    """The helpers that runtimes name exist."""
    for runtime in suite.runtimes.values():
        for name in runtime.tools:
            if name not in suite.helpers:
                raise UserError(
                    f"{runtime.folder}/runtime.toml: tools: runner/tools/{name}.toml does not exist"
                )


def decode_file(file: Path, kind: type[T]) -> T:
    """A TOML file as a value of a type; UserError with file and key for anything else."""
    return _convert(file, _read(file), kind)


def _read(file: Path) -> dict[str, Any]:
    read = _toml(file)
    for key, text in _texts("", read):
        # Cargo separates flags by U+001F, in an environment that only it sees.
        if (found := unseen(text)) and not key.startswith(("build.env.", "environment.env.")):
            name = unicodedata.name(found, "a control character")
            raise UserError(
                f"{file}: {plain(key)}: U+{ord(found):04X} ({name}) can't be seen; leave it out"
            )
    return read


def _texts(key: str, value: Any) -> Iterator[tuple[str, str]]:
    """The keys and texts of a file, each with the key that it stands under."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, held in value.items():
            inner = f"{key}.{name}" if key else name
            yield inner, name
            yield from _texts(inner, held)
    elif isinstance(value, list):
        for held in value:
            yield from _texts(key, held)


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomli.loads(file.read_text(encoding="utf-8"))
    except tomli.TOMLDecodeError as error:
        raise UserError(f"{file}: not valid TOML: {error}") from error
    except UnicodeDecodeError as error:
        raise UserError(
            f"{file}: not UTF-8, as TOML must be: {error.reason} at byte {error.start}"
        ) from error
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}") from error


def _convert(file: Path, raw: dict[str, Any], kind: type[T]) -> T:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise UserError(f"{file}: {error}") from error


def _spread(file: Path) -> dict[str, Any]:
    raw = _read(file)
    for key in ("point", "verify"):
        if isinstance(raw.get(key), list):
            try:
                raw[key] = spread_grid(raw[key])
            except UserError as error:
                raise UserError(f"{file}: {key} {error}") from error
    return raw


def _spec(file: Path) -> Workload:
    return msgspec.structs.replace(_convert(file, _spread(file), Workload), name=file.stem)


def load_workload(file: Path) -> Workload:
    """The spec of a workload, its grids spread out; UserError with file and key for what is wrong
    in it.
    """
    workload = _spec(file)
    validate.check_spec(file, workload)
    _check_loads(file, workload)
    _check_expressions(file, workload)
    _check_quoted(file, workload)
    _check_advice(file, workload)
    _check_ratios(file, workload)
    for rule in [
        *workload.trace,
        *(rule for point in workload.verify for rule in point.trace or []),
    ]:
        if rule not in TRACE_RULES:
            raise UserError(
                f"{file}: trace: unknown rule {rule!r}; known: {', '.join(sorted(TRACE_RULES))}"
            )
    drawn = ["nonce"] if workload.nonce else []
    for place, checks in (
        ("evidence", workload.evidence),
        ("units", workload.units),
        ("series", {name: asked.count for name, asked in workload.series.items() if asked.count}),
        *((f"point {spot.name}: evidence", spot.evidence) for spot in workload.spots),
        *((f"verify {point.name}: units", point.units) for point in workload.verify),
    ):
        for key, check in checks.items():
            try:
                known = [*workload.parameters, *(drawn if place.endswith("evidence") else [])]
                expression.check_syntax(check, known)
            except ValueError as error:
                raise UserError(f"{file}: {place}.{key}: {error}") from error
    asked = (expression.names_of_check(check) for check in workload.evidence.values())
    if drawn and not any("nonce" in names for names in asked):
        raise UserError(f"{file}: nonce: no check under [evidence] asks for it")
    return workload


def _check_expressions(file: Path, workload: Workload) -> None:
    names = variables.known(workload)
    series = [name for name, asked in workload.series.items() if asked.keep == "distribution"]
    for key, text in variables.expressions(workload):
        _check_names(f"{file}: {key}", text, names, series)
    values = [
        *(metric.value for metric in workload.metric),
        *(difference.value for difference in workload.difference),
    ]
    if workload.kind in EXPRESSED and not all(values):
        raise UserError(
            f"{file}: a workload of kind {workload.kind!r} needs a value for each metric "
            "and difference"
        )


def _check_loads(file: Path, workload: Workload) -> None:
    if (workload.kind == "served") != bool(workload.load):
        raise UserError(f"{file}: a workload of kind 'served', and no other, has [[load]]")
    if workload.load and any(
        asked.count or asked.keep == "raw" for asked in workload.series.values()
    ):
        raise UserError(
            f"{file}: the series of a served workload are response times, of which neither count "
            "nor keep is asked"
        )
    for name in workload.generator_only:
        if name not in workload.parameters:
            raise UserError(f"{file}: generator_only: {name!r} is no parameter of the workload")
    for load in workload.load:
        beforehand = {
            name: getattr(load, name)
            for name in ("when", "clients", "keepalive", "warm", "warm_ms")
        }
        texts = {
            **beforehand,
            "requests": load.requests,
            "least_ms": load.least_ms,
            "rate": load.rate,
        }
        for key, text in texts.items():
            names = [*workload.parameters, *([] if key in beforehand else ["warm"])]
            _check_names(f"{file}: load.{load.name}.{key}", text or "0", names)
    for spot in workload.spots:
        streams = workload.loads(spot.params)
        if streams and all(load.requests is None for load in streams):
            raise UserError(
                f"{file}: point {spot.name}: no [[load]] there has a number of requests"
            )
        if workload.load and not streams:
            raise UserError(f"{file}: point {spot.name}: no [[load]] is for it")


def _check_quoted(file: Path, workload: Workload) -> None:
    metrics = workload.titles
    for quoted in workload.citation:
        if quoted.metric not in metrics:
            raise UserError(
                f"{file}: citation: {quoted.metric!r} is no metric of the workload; known: "
                f"{', '.join(sorted(metrics))}"
            )
        if unknown := sorted(set(quoted.at) - set(workload.parameters)):
            raise UserError(f"{file}: citation: at: {unknown[0]!r} is no parameter of the workload")


def _check_ratios(file: Path, workload: Workload) -> None:
    if workload.ratio and workload.kind not in EXPRESSED:
        raise UserError(f"{file}: ratio: only workloads of kind {' or '.join(EXPRESSED)} have it")
    for ratio in workload.ratio:
        for key, names in (("over", [ratio.over]), ("free", ratio.free)):
            if unknown := sorted(set(names) - set(workload.parameters)):
                raise UserError(
                    f"{file}: ratio.{ratio.name}.{key}: {unknown[0]!r} is no parameter of "
                    "the workload"
                )
        if not any(point.params.get(ratio.over) == ratio.base for point in workload.point):
            raise UserError(
                f"{file}: ratio.{ratio.name}.base: no point has {ratio.over} = {ratio.base!r}"
            )


def _check_advice(file: Path, workload: Workload) -> None:
    metrics = [metric.name for metric in workload.metric]
    sized = [
        (f"point {p.name}: derived.{key}", text, ["cores", *p.params])
        for p in workload.point
        for key, text in p.derived.items()
    ]
    rules = []
    if advice := workload.advice:
        for key, name, known in (
            ("over", advice.over, list(workload.parameters)),
            ("demand", advice.demand or advice.over, list(workload.parameters)),
            ("metric", advice.metric, metrics),
        ):
            if name not in known:
                raise UserError(
                    f"{file}: advice.{key}: {name!r} is not in the workload; known: "
                    f"{', '.join(known)}"
                )
        names = ["cores", *workload.parameters, *metrics]
        rules = [(f"advice.rule {rule.title}", rule.value, names) for rule in advice.rule]
    for place, text, known in [*sized, *rules]:
        _check_names(f"{file}: {place}", text, known)


def _check_names(
    place: str, text: str, names: Collection[str], series: Collection[str] = ()
) -> None:
    try:
        expression.check_names(text, names, series)
    except ValueError as error:
        raise UserError(f"{place}: {error}") from error


def _runtimes(
    folder: Path, toolchain: Toolchain, workloads: dict[str, Workload]
) -> Iterator[Runtime]:
    for file in sorted(folder.glob("*/runtime.toml")):
        read = decode_file(file, Manifest)
        for manifest in [read, *map(read.of, read.version)]:
            validate.check_manifest(file, manifest, toolchain, workloads)
            for variant in manifest.variant:
                runtime = Runtime(
                    variant=variant,
                    manifest=manifest,
                    toolchain=toolchain,
                    folder=file.parent,
                    version="" if manifest is read else variant.name,
                )
                validate.check_sizes(file, runtime, workloads)
                yield runtime


# What says how a runtime is built, found or probed; of an older checkout nobody needs it.
_OF_BUILDS = ("environment", "build", "toolchain", "crosscheck", "needs")
_UNKNOWN = Toolchain(title="", minimum="0", help="", find=Find(candidates=[], probe=[], pattern=""))


def load_recorded(root: Path) -> Suite:
    """The specs, manifests and findings of an older checkout, by today's names of their keys and
    without their builds, but with what programs had to say of theirs: what a run of that checkout
    has recorded can be compared with it. UserError with file and key for what can't be read.
    """
    workloads = {
        file.stem: _recorded_spec(file) for file in sorted(root.glob("runner/workloads/*.toml"))
    }
    runtimes: dict[str, Runtime] = {}
    toolchains: dict[str, Toolchain] = {}
    for file in sorted(root.glob("*/toolchain.toml")):
        language = file.parent.name
        told = _read(file)
        toolchains[language] = msgspec.structs.replace(
            _UNKNOWN,
            title=str(told.get("title", "")),
            settings=told.get("settings", {}),
            language=language,
            folder=file.parent,
        )
        for manifest in sorted(file.parent.glob("*/runtime.toml")):
            for runtime in _recorded_runtimes(manifest, toolchains[language]):
                runtimes[runtime.name] = runtime
    return Suite(
        root=root,
        toolchains=toolchains,
        runtimes=runtimes,
        workloads=workloads,
        findings=[
            msgspec.structs.replace(_older(file, _read(file), Finding), name=file.stem)
            for file in sorted(root.glob("runner/findings/*.toml"))
        ],
    )


def _recorded_spec(file: Path) -> Workload:
    """The spec of an older checkout."""
    raw = _spread(file)
    return msgspec.structs.replace(_older(file, raw, Workload), name=file.stem)


def _recorded_runtimes(file: Path, toolchain: Toolchain) -> Iterator[Runtime]:
    raw = _read(file)
    if isinstance(raw.get("version"), dict):  # its name before manifests had several versions
        raw["version_from"] = raw.pop("version")
    for said in [raw, *raw.get("version", [])]:
        for key in _OF_BUILDS:
            said.pop(key, None)
    read = _older(file, raw, Manifest)
    for manifest in [read, *map(read.of, read.version)]:
        for variant in manifest.variant:
            yield Runtime(
                variant=variant,
                manifest=manifest,
                toolchain=toolchain,
                folder=file.parent,
                version="" if manifest is read else variant.name,
            )


def _older(file: Path, raw: Any, kind: type[S]) -> S:
    try:
        return convert_older(raw, kind)
    except msgspec.ValidationError as error:
        raise UserError(f"{file}: {error}") from error


def convert_older(data: Any, kind: type[S]) -> S:
    """`data` (plain JSON values) as a struct, without the keys that it has no field for.
    msgspec.ValidationError for the rest.
    """
    return msgspec.convert(known_fields(data, kind), kind)


# Keys of specs that had other names when older runs were recorded.
_RENAMED: dict[type, dict[str, str]] = {
    Workload: {
        "among": "only_units",
        "cap_s": "request_timeout_s",
        "doubt": "caution",
        "quoted": "citation",
        "unseen": "generator_only",
    },
    Point: {"among": "only_units", "sized": "derived"},
}


def known_fields(data: Any, kind: type[msgspec.Struct]) -> Any:
    """`data` by today's names of its keys, without those that a struct of this kind has no field
    for.
    """
    return _known_fields(data, _inspected(kind))


@cache
def _inspected(kind: type[msgspec.Struct]) -> inspect.Type:
    return inspect.type_info(kind)


def _known_fields(data: Any, kind: inspect.Type) -> Any:
    match kind:
        case inspect.StructType(cls=cls, fields=fields) if isinstance(data, dict):
            types = {field.encode_name: field.type for field in fields}
            now = _RENAMED.get(cls, {})
            named = {now.get(key, key): value for key, value in data.items()}
            return {
                key: _known_fields(value, types[key])
                for key, value in named.items()
                if key in types
            }
        case inspect.DictType(value_type=value_type) if isinstance(data, dict):
            return {key: _known_fields(value, value_type) for key, value in data.items()}
        case inspect.ListType(item_type=item_type) if isinstance(data, list):
            return [_known_fields(value, item_type) for value in data]
        case inspect.UnionType(types=types) if isinstance(data, dict | list):
            shaped = [
                one
                for one in types
                if isinstance(one, inspect.StructType | inspect.DictType | inspect.ListType)
            ]
            return _known_fields(data, shaped[0]) if len(shaped) == 1 else data
        case _:
            return data
