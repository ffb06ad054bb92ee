"""What a spec requires of an invocation: planted programs that claim the right thing and don't do
it give no number.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import planted
import pytest

from corobench.contract import checks
from corobench.execute.invocation import Place, measure
from corobench.execute.program import Program, track_cpus
from corobench.results.log import Failure, Invocation
from corobench.suite.load import load_suite
from corobench.suite.workload import Point, Require

MIXED = planted.REPOSITORY / "runner" / "workloads" / "mixed.toml"
SUITE = load_suite(planted.REPOSITORY)
# All CPU: 25 chains wait for each other, so that time before the start of a request is a good part
# of its response.
PARAMS: dict[str, int | str] = {
    "c": 25,
    "splits": 1,
    "cpu_us": 5_000,
    "wait_us": 55_000,
    "requests": 101,
    "wait": "timer",
}

IDLE = """
import cpu_work


def spin(self, ns):
    self.add(ns, ns)
    return ns


cpu_work.Work.spin = spin
"""

LONG = """
import cpu_work

honest = cpu_work.Work.spin


def spin(self, ns):
    taken = honest(self, ns + ns // 5)
    self.asked_ns -= ns // 5
    return taken


cpu_work.Work.spin = spin
"""

FROM_START = """
import mixed_requests

honest = mixed_requests.Request.begin


def begin(self):
    honest(self)
    self.arrival_ns = self.begin_ns


mixed_requests.Request.begin = begin
"""


def planted_mixed(root: Path, cheat: str) -> Program:
    """The spec without its companion (the waits are timers), and asyncio's own program with a cheat
    on top.
    """
    specs = root / "runner" / "workloads"
    specs.mkdir(parents=True)
    companion = 'companion = "latency"\n'
    assert companion in MIXED.read_text()
    spec, _, doubts = MIXED.read_text().replace(companion, "").partition("[[caution]]")
    kept = [part for part in f"[[caution]]{doubts}".split("\n\n") if "companion_" not in part]
    (specs / "mixed.toml").write_text(spec + "\n\n".join(kept))
    source = (
        planted.cheat("mixed", "import asyncio_support\n", f"import asyncio_support\n{cheat}\n")
        if cheat
        else planted.honest("mixed")
    )
    return planted.program(planted.plant(root, {"mixed": source}), "mixed")


def measured(program: Program) -> Invocation | Failure:
    point = Point(params=dict(PARAMS), profiles=["quick"])
    return measure(
        program,
        point,
        track_cpus("one-cpu"),
        Place(case="mixed/point/one-cpu/planted", block=0, position=0),
    )


def test_an_honest_program_gives_a_number(tmp_path: Path) -> None:
    """A box that turns busy meanwhile can spoil Little's law: the chains are slower at the end than
    in the beginning.
    """
    program = planted_mixed(tmp_path, "")
    lines = (measured(program) for _ in range(20))
    assert any(isinstance(line, Invocation) for line in lines)


@pytest.mark.parametrize(
    ("cheat", "rejected"),
    [
        (IDLE, "the process must have used the CPU time that its requests asked for (worked: "),
        (LONG, "the CPU time worked must be within 5 % of what was asked for (work: "),
        (
            FROM_START,
            "Little's law: throughput times mean response must be the concurrency within 5 %",
        ),
    ],
    ids=["work claimed and not done", "a fifth more work", "response from the start of a request"],
)
def test_what_is_only_claimed_gives_none(tmp_path: Path, cheat: str, rejected: str) -> None:
    line = measured(planted_mixed(tmp_path, cheat))
    assert isinstance(line, Failure)
    assert line.reason.startswith(rejected), line.reason


def test_a_requirement_that_divides_by_zero_is_unmet() -> None:
    asked = Require(name="rate", holds="ops / elapsed > 1", text="it must be fast")
    spec = msgspec.structs.replace(SUITE.workloads["baseline"], require=[asked])
    told = "it must be fast (rate: ops / elapsed > 1 divides by zero for ops = 5, elapsed = 0)"
    assert checks.required(spec, {"ops": 5, "elapsed": 0}, {}) == told
    assert checks.required(spec, {"ops": 5, "elapsed": 1}, {}) is None
