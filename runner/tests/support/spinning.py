"""A temporary suite of runtimes whose one workload is a counted amount of arithmetic, for tests
that measure for real.

The work is a number of xorshift rounds, not a time: a build that does 15 % more of it is 15 %
slower on any box.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import patience
import planted
from checkouts import corobench

from corobench.results import log
from corobench.statistics.flags import LEAST_N

ROUNDS = 200

SPEC = """
title = "Spin"
family = "spin"
question = "How long does a fixed amount of arithmetic take?"
operation = "one turn of xorshift rounds"
contract = "n turns; finished counts them."
kind = "timed"
tracks = ["one-cpu"]
[parameters]
n = "turns"
[evidence]
ops = "== n"
finished = "== n"
[[metric]]
name = "time"
title = "time per turn"
unit = "s"
better = "lower"
[[point]]
params = { n = 50 }
profiles = ["smoke", "quick", "default", "publish"]
iterations = 5
[[verify]]
params = { n = 2 }
"""

PROGRAM = """
import platform
from harness import Program

ROUNDS = @ROUNDS@


def turn(x: int) -> int:
    for _ in range(ROUNDS):
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
    return x


program = Program("spin", "n")
program.hello(platform.python_version(), {})
x = 2463534242
for lap in program.laps():
    finished = 0
    with lap:
        for _ in range(program["n"]):
            x = turn(x)
            finished += x != 0
    lap.record(ops=finished, finished=finished)
program.end()
"""


def plant(root: Path, *others: str) -> Path:
    """The reference runtime `planted`, and others, each in a folder of its own."""
    (root / "runner" / "workloads").mkdir(parents=True)
    (root / "runner" / "workloads" / "spin.toml").write_text(SPEC)
    planted.plant(root, {})
    build(root, "one", ROUNDS)
    for name in others:
        build(root, name, ROUNDS)
        manifest = (
            (root / "planted" / "one" / "runtime.toml")
            .read_text()
            .replace('"planted"', f'"{name}"')
        )
        (root / "planted" / name / "runtime.toml").write_text(
            manifest.replace('reference = ["one-cpu"]\n', "")
        )
    return root


def build(root: Path, folder: str, rounds: int) -> None:
    """Another build of a runtime's program, which does so many rounds a turn."""
    (root / "planted" / folder).mkdir(parents=True, exist_ok=True)
    (root / "planted" / folder / "spin.py").write_text(PROGRAM.replace("@ROUNDS@", str(rounds)))


def measure(root: Path, budget_s: int, *beside: Path) -> list[Path]:
    """A run by the default profile, until it is precise enough or the budget ends; in turns with
    another.

    A box that can't do the blocks that a claim needs in that time gets four times as much.
    """
    arguments = [
        "--profile",
        "default",
        "--budget",
        f"{budget_s}s",
        "--seed",
        "7",
        "--out",
        str(root / "runs"),
    ]
    words = [*arguments, *(word for other in beside for word in ("--beside", str(other)))]
    result = corobench(root, "run", *words, timeout_s=patience.SECONDS + budget_s)
    assert result.returncode == 0, result.stderr
    runs = [Path(line) for line in result.stdout.splitlines()]
    complete = [sum(mark.event == "block-complete" for mark in log.read(run).marks) for run in runs]
    return runs if min(complete) >= LEAST_N else measure(root, 4 * budget_s, *beside)


def summary(root: Path, run: Path) -> dict[str, Any]:
    """The summary of a run, as exported."""
    result = corobench(root, "export", str(run), "--format", "json")
    assert result.returncode == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def flags(summary: dict[str, Any]) -> dict[str, str]:
    """The flags of a run's numbers, red and amber, by name."""
    return {flag["name"]: flag["text"] for cell in summary["cells"] for flag in cell["flags"]}
