"""What the calls that trace cost while nothing is traced: instructions an operation (callgrind) of
a program, and of a copy of it from which these calls were taken out.

python bench/tracing_cost.py [language ...]   Languages: python, go, rust, node; by default all.

Each figure is the slope between two numbers of iterations, the start and the warm-up aside. Address
space randomisation is off. Three processes a length; printed are the median and, in brackets, the
lowest and highest. Needs valgrind and the languages' tools on PATH.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PROCESSES = 3
Command = list[str]


class Workload(NamedTuple):
    """Parameters, and the operations of an iteration."""

    params: list[str]
    operations: int


WORKLOADS = {
    "spawn": Workload(["n=1000"], 1_000),
    "switch": Workload(["k=100", "m=10"], 1_000),
    "hand-off": Workload(["m=500"], 1_000),
}


class Language(NamedTuple):
    """`cuts`: file below the language's folder -> patterns of what traces and what is left of it.
    `make(folder, workload)` builds a copy of the language's folder and returns the command.
    `lengths`: two numbers of iterations, the lower one behind the warm-up. `traces`: what must be
    found in no file after the cuts.
    """

    cuts: dict[str, list[tuple[str, str]]]
    make: Callable[[Path, str], Command]
    lengths: tuple[int, int]
    traces: str
    env: dict[str, str]


def _line(call: str) -> tuple[str, str]:
    """A statement on a line of its own, gone without a trace."""
    return rf"(?m)^\s*{call}\n", ""


_PYTHON = [
    (r"trace\.(?:starts|body|collects)\((\w+(?:\.\w+)?)(?:, numbers\.start)?\)", r"\1"),
    (r"trace\.(?:ends|receives)\(\d, (\w+(?:\.\w+)?)\)", r"\1"),
    (r"turns\(i, m\)", "range(m)"),
]
# Preemption by signals is off: valgrind 3.19 loses its way in them.
_GO = [
    _line(r".*\b[Tt]race\.Record\(.*\)"),
    (r"if watch != nil \{[^}]*\}", ""),
    (r"for i, (r|resumes) := range", r"for _, \1 := range"),
]
_RUST = [
    _line(r"probe\.event\(.*\);"),
    (r"probe\.start\(i, \|\| (tokio::spawn\(task\(.*?\)\)|tokio::spawn\(task\))\)", r"\1"),
]
_NODE = [_line(r"(?:trace|witness)\?\..*;.*")]


def _python(folder: Path, workload: str) -> Command:
    return [sys.executable, "-s", "-P", str(folder / f"asyncio/{workload}.py")]


def _go(folder: Path, workload: str) -> Command:
    program = folder / "built" / workload
    _run(["go", "build", "-o", str(program), f"./{workload}"], folder / "goroutine")
    return [str(program)]


def _rust(folder: Path, workload: str) -> Command:
    words = ["build", "--quiet", "--release", "--locked", "--bin", workload]
    target = folder.parent.parent / "target"  # one for both, so that dependencies are built once
    _run(["cargo", *words], folder / "tokio", {"CARGO_TARGET_DIR": str(target)})
    program = folder / workload
    shutil.copy(target / "release" / workload, program)
    return [str(program), "flavor=current-thread"]


def _node(folder: Path, workload: str) -> Command:
    # One thread, so that V8 compiles and collects at the same points of every run.
    return ["node", "--single-threaded", str(folder / f"async/{workload}.mjs")]


LANGUAGES = {
    "python": Language(
        {f"asyncio/{name}.py": _PYTHON for name in WORKLOADS},
        _python,
        (5, 15),
        r"trace\.(?!turns)\w|\bturns\(i",
        {
            "PYTHONPATH": "{folder}/harness:{folder}/asyncio/adapter",
            "COROBENCH_LOOP": "asyncio",
            "PYTHONHASHSEED": "0",
        },
    ),
    "go": Language(
        {
            "goroutine/spawn/spawn.go": _GO,
            "goroutine/switch/switch.go": _GO,
            "goroutine/token/token.go": _GO,
        },
        _go,
        (20, 60),
        r"Record\(|watch\.resumed",
        {"GOMAXPROCS": "1", "GODEBUG": "asyncpreemptoff=1"},
    ),
    "rust": Language(
        {f"tokio/{name}.rs": _RUST for name in ("spawn", "switch", "token")},
        _rust,
        (20, 60),
        r"probe\.(?:event|start)",
        # Else glibc gives memory back at moments that hang on where the heap happens to end.
        {"MALLOC_TRIM_THRESHOLD_": "4000000000"},
    ),
    "node": Language(
        {f"async/{name}.mjs": _NODE for name in ("spawn", "switch", "token")},
        _node,
        (200, 400),
        r"(?:trace|witness)\?\.",
        {},
    ),
}


def copies(name: str, language: Language, folder: Path) -> tuple[Path, Path]:
    """The language's folder twice: as it is, and without what traces."""
    kept, cut = folder / "kept" / name, folder / "cut" / name
    for copy in (kept, cut):
        shutil.copytree(ROOT / name, copy, ignore=shutil.ignore_patterns("target", "node_modules"))
    for file, patterns in language.cuts.items():
        text = (cut / file).read_text()
        for pattern, left in patterns:
            text = re.sub(pattern, left, text)
        if re.search(language.traces, text) or text == (cut / file).read_text():
            sys.exit(f"{name}/{file}: its tracing has changed; change the cuts of this benchmark")
        (cut / file).write_text(text)
    return kept, cut


def slope(
    command: Command, workload: Workload, lengths: tuple[int, int], env: dict[str, str]
) -> float:
    """Instructions an operation."""
    low, high = (_instructions([*command, *workload.params], length, env) for length in lengths)
    return (high - low) / (lengths[1] - lengths[0]) / workload.operations


def _instructions(command: Command, iterations: int, env: dict[str, str]) -> int:
    callgrind = ["setarch", "-R", "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    words = [f"iterations={iterations}", "min_warm_ms=0", "trace=0"]
    said = _run([*callgrind, *command, *words], ROOT, env).stderr
    match = re.search(r"Collected : (\d+)", said)
    if match is None:
        sys.exit(f"callgrind counted nothing: {said}")
    return int(match[1])


def _run(
    command: Command, cwd: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "COROBENCH_RUNTIME": "bench", **(env or {})}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    return done


def main() -> None:
    """A line of a Markdown table for each language and workload."""
    asked = sys.argv[1:] or list(LANGUAGES)
    if unknown := [name for name in asked if name not in LANGUAGES]:
        sys.exit(f"unknown language {unknown[0]}; known: {', '.join(LANGUAGES)}")
    print("| program | as it is | without the calls | ratio |\n|---|---:|---:|---:|")
    for name in asked:
        language = LANGUAGES[name]
        with TemporaryDirectory(prefix="corobench-") as folder:
            both = copies(name, language, Path(folder))
            for workload, spec in WORKLOADS.items():
                slopes: list[list[float]] = [[], []]
                commands = [language.make(copy, workload) for copy in both]
                for _ in range(PROCESSES):
                    for taken, copy, command in zip(slopes, both, commands, strict=True):
                        env = {key: text.format(folder=copy) for key, text in language.env.items()}
                        taken.append(slope(command, spec, language.lengths, env))
                kept, cut = (statistics.median(taken) for taken in slopes)
                told = " | ".join(_told(taken) for taken in slopes)
                print(f"| {name} {workload} | {told} | {kept / cut:.4f} |", flush=True)


def _told(taken: list[float]) -> str:
    return f"{statistics.median(taken):,.1f} ({min(taken):,.1f} to {max(taken):,.1f})"


if __name__ == "__main__":
    main()
