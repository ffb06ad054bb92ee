"""Do our programs do more than they need? Run: python bench/independent.py [workload ...].

Counts the instructions an operation of spawn, switch and hand-off in our programs, as `corobench
count` does, and in programs that were written without our harness (bench/independent): same
runtime, same sizes, same number of rounds, and for Rust the same build (fat LTO). Each figure is
the difference of two lengths in three processes; counts don't depend on the load of the box.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
from count_programs import POINTS, ROOT

from corobench.execute import begin, counting, process
from corobench.execute.counting import Counter
from corobench.execute.process import Trouble
from corobench.execute.program import Program, track_cpus
from corobench.results.log import COUNTED_PROCESSES
from corobench.statistics import counts
from corobench.suite.load import load_suite
from corobench.suite.runtime import fill
from corobench.toolchains.prepare import prepare
from corobench.toolchains.provision import helper
from corobench.toolchains.tools import Missing, MissingTool, Prepared

SOURCES = Path(__file__).parent / "independent"
# Rounds of the two lengths: the shorter one is behind the warm-up of what compiles while it runs.
ROUNDS = {"spawn": (64, 128), "switch": (8, 16), "hand-off": (64, 128)}
ROUNDS_COMPILED = {"spawn": (2048, 4096), "switch": (128, 256), "hand-off": (1024, 2048)}
OPERATIONS = {"spawn": 1_000, "switch": 20_000, "hand-off": 1_000}  # of a round
TIMEOUT_S = 600.0
LTO = {"CARGO_PROFILE_RELEASE_LTO": "fat", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "1"}


class Language(NamedTuple):
    """What the independent program is built and started with: `{tool}`, `{out}` and `{sources}` are
    filled in, the workload and the rounds follow.
    """

    build: list[str]
    command: list[str]
    after: Sequence[str] = ()
    env: Mapping[str, str] = {}
    rounds: Mapping[str, tuple[int, int]] = ROUNDS


def rust(flavor: str) -> Language:
    manifest = ["--manifest-path", "{sources}/rust/Cargo.toml"]
    return Language(
        build=["{tool}", "build", "--release", "--locked", *manifest, "--target-dir", "{out}"],
        command=["{out}/release/independent"],
        after=(flavor,),
        env=LTO,
    )


LANGUAGES = {
    "asyncio": Language([], ["{tool}", "-s", "-P", "{sources}/main.py"]),
    "go-p1": Language(
        ["{tool}", "build", "-C", "{sources}/go", "-o", "{out}/independent", "."],
        ["{out}/independent"],
    ),
    "node": Language([], ["{tool}", "{sources}/main.mjs"], rounds=ROUNDS_COMPILED),
    "tokio-current-thread-lto": rust("current-thread"),
    "tokio-multi-thread-lto": rust("multi-thread"),
}


class Counted(NamedTuple):
    """A runtime whose programs can be counted: ours, and the independent one once it is built."""

    name: str
    ready: Prepared
    out: Path

    @property
    def language(self) -> Language:
        return LANGUAGES[self.name]

    def filled(self, words: list[str]) -> list[str]:
        places = {"tool": str(self.ready.tool), "out": str(self.out), "sources": str(SOURCES)}
        return [fill(word, places, f"{__file__}: {self.name}") for word in words]

    def build(self) -> None:
        if command := self.filled(self.language.build):
            env = {**os.environ, **self.ready.env, **self.language.env}
            subprocess.run(command, env=env, check=True, stdout=sys.stderr)


def ours(program: Program, workload: str, rounds: int) -> list[str]:
    """The command of our program."""
    point = next(one for one in program.workload.point if one.name == POINTS[workload])
    arguments, _ = program.ask(point.params, 1, rounds)
    return program.command(1, arguments)


def theirs(counted: Counted, workload: str, rounds: int) -> list[str]:
    """The command of the independent program."""
    language = counted.language
    return [*counted.filled(language.command), workload, str(rounds), *language.after]


def slope(
    command: Callable[[int], list[str]],
    rounds: tuple[int, int],
    operations: int,
    program: Program,
    way: Counter,
) -> float:
    """Instructions an operation: the median over the processes of the difference of two lengths.
    `operations`: of a round.
    """
    each = []
    for number in range(1, COUNTED_PROCESSES + 1):
        few, many = (instructions(command(length), program, way, number) for length in rounds)
        each.append((many - few) / (rounds[1] - rounds[0]) / operations)
    return counts.median(each)


def instructions(argv: list[str], program: Program, way: Counter, number: int) -> int:
    """What a process executes from its start to its end, in the environment of our program."""
    plain = program.launch(track_cpus("one-cpu"), [], TIMEOUT_S)
    with tempfile.TemporaryDirectory(prefix="corobench-") as folder:
        launch = msgspec.structs.replace(plain, argv=argv)
        launch = counting.under(launch, way, program, Path(folder), number)
        # whether ours answers rightly is for verify
        outcome = process.run_well(launch, lambda _line, _pid: None)
        return way.read(Path(folder), outcome)["instructions"]


def main() -> int:
    asked = sys.argv[1:] or list(POINTS)
    if unknown := set(asked) - POINTS.keys():
        sys.exit(f"unknown workload {min(unknown)!r}; known: {', '.join(POINTS)}")
    suite = load_suite(ROOT)
    valgrind = helper(suite, "valgrind", _say)
    if isinstance(valgrind, MissingTool):
        sys.exit(f"{valgrind.reason}; {valgrind.help}")
    way = counting.instructions(valgrind)
    if not isinstance(way, Counter):
        sys.exit(way.reason)
    print(f"{'runtime':26} {'workload':9} {'ours':>9} {'independent':>12} {'ratio':>6}")
    for name, ready in prepare(suite, list(LANGUAGES), _say).items():
        if isinstance(ready, Missing):
            _say(f"{name}: {ready.reason}")
            continue
        with tempfile.TemporaryDirectory(prefix="corobench-") as out:
            counted = Counted(name, ready, Path(out))
            counted.build()
            for workload in asked:
                spec = suite.workloads[workload]
                program = Program(suite.runtimes[name], spec, ready, begin.token(), {})
                rounds = counted.language.rounds[workload]
                own, other = (
                    slope(command, rounds, OPERATIONS[workload], program, way)
                    for command in (
                        partial(ours, program, workload),
                        partial(theirs, counted, workload),
                    )
                )
                shown = f"{own:9,.1f} {other:12,.1f} {own / other:6.3f}"
                print(f"{name:26} {workload:9} {shown}", flush=True)
    return 0


def _say(text: str) -> None:
    print(text, file=sys.stderr)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Trouble as wrong:
        sys.exit(wrong.reason)
