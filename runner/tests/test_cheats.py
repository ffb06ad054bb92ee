"""Planted cheats are rejected by verify, with a message that names the case and what was wrong."""

from __future__ import annotations

from pathlib import Path

import planted
import pytest

from corobench.execute import verify
from corobench.execute.trouble import Trouble
from corobench.execute.verify import check, job

CLAIM = "ops=finished, created=created, finished=finished, checksum=checksum"
CLAIM_ALL = "ops=n, created=n, finished=n, checksum=n * (n - 1) // 2"

PLAIN_CALLS = """
    async def already(value: int) -> int:
        return value

    tasks = []
    for i in range(n):
        trace.note("spawn", i)
        value = await body(i)
        trace.note("spawned", i)
        tasks.append(already(value))
"""

FAILING_TASK = """
    if i == 1:
        raise ValueError("task failed")
    return i
"""

ONE_BY_ONE = """
    done, created = {}, 0
    for i in range(n):
        done[i] = await start(body(i))
        created += 1
        trace.note("collect", i)
"""

HASTY = """
import loop
import stackless_parking
from harness import Program


class Hasty:
    \"\"\"asyncio, but for a sleep that gives no task its turn.\"\"\"

    Event, create_task = loop.Event, loop.create_task

    @staticmethod
    async def sleep(seconds):
        pass


stackless_parking.loop = Hasty
"""


def problems(root: Path, workload: str, source: str, settings: str = "", order: str = "round-robin") -> str:
    suite = planted.plant(root, {workload: source}, settings, order)
    program = planted.program(suite, workload)
    return "\n".join(check(job(program, suite.workloads[workload], planted.prepared(), [])).problems)


@pytest.mark.parametrize("workload", ["baseline", "startup", "spawn", "spawn-chain", "switch", "hand-off", "memory"])
def test_honest_programs_pass(tmp_path: Path, workload: str) -> None:
    assert problems(tmp_path, workload, planted.honest(workload)) == ""


def test_skipping_half_of_the_tasks(tmp_path: Path) -> None:
    source = planted.cheat("spawn", "for i in range(n)]", "for i in range(0, n, 2)]")
    found = problems(tmp_path, "spawn", source)
    assert "planted/spawn/n=100" in found
    assert "ops is 50, the spec asks for == n (== 100)" in found


def test_skipping_half_but_claiming_all(tmp_path: Path) -> None:
    source = planted.cheat("spawn", "for i in range(n)]", "for i in range(0, n, 2)]")
    source = source.replace(CLAIM, CLAIM_ALL)
    found = problems(tmp_path, "spawn", source)
    assert "planted/spawn/n=100: trace breaks the rule 'complete': 50 of 100 tasks have no 'spawn' event" in found


def test_plain_calls_that_count_right(tmp_path: Path) -> None:
    source = planted.cheat("spawn", "    tasks = [start(body(i)) for i in range(n)]\n", PLAIN_CALLS)
    found = problems(tmp_path, "spawn", source)
    assert "planted/spawn/n=100: trace breaks the rule 'own-unit'" in found
    assert "a plain call, not a task" in found


def test_one_by_one_where_the_contract_says_all_first(tmp_path: Path) -> None:
    source = planted.cheat("spawn", "    tasks = [start(body(i)) for i in range(n)]\n    created = len(tasks)\n", ONE_BY_ONE)
    source = source.replace("in trace.collects(tasks)", "in range(n)").replace("await running", "done[running]")
    found = problems(tmp_path, "spawn", source)
    assert "planted/spawn/n=100: trace breaks the rule 'all-spawned-first'" in found
    assert "collected when only 1 of 100 tasks had been started" in found


def test_a_setting_that_did_not_take(tmp_path: Path) -> None:
    found = problems(tmp_path, "spawn", planted.honest("spawn"), settings="debug = true")
    assert "planted/spawn/n=2: the setting 'debug' did not take: hello says False, the manifest True" in found


def test_asked_for_one_thread_used_two(tmp_path: Path) -> None:
    source = planted.cheat("spawn", "import loop\n", "import aio\nimport loop\n\naio.settings = lambda loop: {'threads': 2}\n")
    found = problems(tmp_path, "spawn", source, settings="threads = 1")
    assert "the setting 'threads' did not take: hello says 2, the manifest 1" in found


def test_anything_else_on_stdout(tmp_path: Path) -> None:
    source = planted.cheat("spawn", '    n = program["n"]\n', '    n = program["n"]\n    print("warming up")\n')
    found = problems(tmp_path, "spawn", source)
    assert "planted/spawn/n=2: not a line of the protocol on stdout: 'warming up'" in found


def test_exit_status_0_after_a_failed_task(tmp_path: Path) -> None:
    """It swallows the error and claims everything: the trace lacks the end of the task."""
    source = planted.cheat("spawn", "    return i\n", FAILING_TASK).replace(CLAIM, CLAIM_ALL)
    source = source.replace("checksum += await running", "await loop.gather(running, return_exceptions=True)")
    found = problems(tmp_path, "spawn", source)
    assert "planted/spawn/n=2: trace breaks the rule 'complete': 1 of 2 tasks have no 'done' event (first: 1)" in found


def test_a_failed_task_ends_in_exit_status_1(tmp_path: Path) -> None:
    source = planted.cheat("spawn", "    return i\n", FAILING_TASK)
    assert "planted/spawn/n=2: exit status 1: ValueError: task failed" in problems(tmp_path, "spawn", source)


def test_an_order_that_the_manifest_does_not_keep(tmp_path: Path) -> None:
    source = planted.cheat("switch", "await loop.sleep(0)", "await loop.sleep(0.0001 * (resumes % 2))")
    found = problems(tmp_path, "switch", source)
    assert "planted/switch/k=100,m=20: trace breaks the rule 'yield-order': not round robin" in found


def test_held_before_all_have_parked(tmp_path: Path) -> None:
    source = planted.cheat("memory", "from harness import Program\n", HASTY)
    found = problems(tmp_path, "memory", source)
    assert "planted/memory/n=100: 0 units at hold 'live', the spec asks for == n (== 100)" in found


def test_fewer_iterations_than_asked_for(tmp_path: Path) -> None:
    ending = 'Program.end = lambda self, events: print(\'{"type":"end"}\')\n    run(Program('
    source = planted.cheat("spawn", "run(Program(", ending)
    assert "planted/spawn/n=2: 0 iterations, at least 1 were asked for" in problems(tmp_path, "spawn", source)


@pytest.mark.parametrize(
    ("kinds", "tried", "rejected"),
    [
        (["timing", "did-not-finish"], 3, False),
        (["timing"] * 3, 3, True),
        (["wrong"], 1, True),
        (["timing", "wrong"], 2, True),
        (["failed"], 1, True),
    ],
)
def test_only_what_a_busy_box_can_spoil_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kinds: list[str], tried: int, rejected: bool
) -> None:
    left, calls = iter(kinds), []

    def once(*_: object) -> None:
        calls.append(1)
        if kind := next(left, None):
            raise Trouble(kind, f"it was {kind}")

    monkeypatch.setattr(verify, "_once", once)
    found = problems(tmp_path, "baseline", planted.honest("baseline"))
    points = len(planted.plant(tmp_path, {}).workloads["baseline"].verify)
    assert (len(calls), found) == (tried + points - 1, f"planted/baseline/n=100: it was {kinds[-1]}" if rejected else "")
