"""Reads the folders into a Suite: specs, toolchains and runtimes, each error with its file and key."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from corobench import expression
from corobench.errors import UserError
from corobench.model import Manifest, Runtime, Suite, Toolchain, Workload
from corobench.traces import RULES

T = TypeVar("T")


def load_suite(root: Path) -> Suite:
    """The suite under a repository root. Raises UserError that names the file and what is wrong in it."""
    workloads = {p.stem: _workload(p) for p in sorted((root / "runner/workloads").glob("*.toml"))}
    toolchains: dict[str, Toolchain] = {}
    runtimes: dict[str, Runtime] = {}
    for file in sorted(root.glob("*/toolchain.toml")):
        language = file.parent.name
        read = decode_file(file, Toolchain)
        toolchains[language] = msgspec.structs.replace(read, language=language, folder=file.parent)
        for runtime in _runtimes(file.parent, toolchains[language], workloads):
            if other := runtimes.get(runtime.name):
                raise UserError(
                    f"{runtime.folder}/runtime.toml: variant {runtime.name!r} is already in {other.folder}/runtime.toml"
                )
            runtimes[runtime.name] = runtime
    if not workloads:
        raise UserError(f"{root}: no specs under runner/workloads; is this the root of a corobench checkout?")
    return Suite(root=root, toolchains=toolchains, runtimes=runtimes, workloads=workloads)


def decode_file(file: Path, kind: type[T]) -> T:
    """A TOML file as a value of a type; UserError with file and key for anything else."""
    try:
        return msgspec.convert(tomllib.loads(file.read_text()), kind)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{file}: not valid TOML: {error}") from error
    except msgspec.ValidationError as error:
        raise UserError(f"{file}: {error}") from error
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}") from error


def _workload(file: Path) -> Workload:
    workload = msgspec.structs.replace(decode_file(file, Workload), name=file.stem)
    for rule in workload.trace:
        if rule not in RULES:
            raise UserError(f"{file}: trace: unknown rule {rule!r}; known: {', '.join(sorted(RULES))}")
    for place, checks in (("evidence", workload.evidence), ("units", workload.units)):
        for key, check in checks.items():
            try:
                expression.check_syntax(check, set(workload.parameters))
            except ValueError as error:
                raise UserError(f"{file}: {place}.{key}: {error}") from error
    for params in [*(p.params for p in workload.point), *(p.params for p in workload.verify)]:
        if set(params) != set(workload.parameters):
            wanted = ", ".join(workload.parameters)
            raise UserError(f"{file}: a point has params {params}; the spec's parameters are {wanted}")
    return workload


def _runtimes(folder: Path, toolchain: Toolchain, workloads: dict[str, Workload]) -> Iterator[Runtime]:
    for file in sorted(folder.glob("*/runtime.toml")):
        manifest = decode_file(file, Manifest)
        for name in manifest.gaps:
            if name not in workloads:
                raise UserError(f"{file}: gaps: unknown workload {name!r}")
        for variant in manifest.variant:
            if "/" in variant.name or "~" in variant.name:
                raise UserError(f"{file}: variant.name: {variant.name!r} must not hold '/' or '~'")
            for name in variant.workloads or []:
                if name not in workloads:
                    raise UserError(f"{file}: variant.workloads: unknown workload {name!r}")
            yield Runtime(variant=variant, manifest=manifest, toolchain=toolchain, folder=file.parent)
