"""Planted programs that do right while they are traced, and cheat while they are timed: refused when
they are measured, or kept out of the groups with a reason.
"""

from __future__ import annotations

import os
from pathlib import Path

import planted
import pytest

from corobench.execute.invocation import Place, measure
from corobench.execute.program import track_cpus
from corobench.execute.verify import check, job
from corobench.results.log import Failure, Invocation
from corobench.statistics import flags
from corobench.statistics.samples import Sample, Series
from corobench.suite.load import load_suite
from corobench.suite.workload import parse_case

N = 10_000
BLOCKS = 3
WARM_MS = 700
# Two measured programs are compared: what runs beside one of them would tell them apart.
alone = pytest.mark.alone
START = "    start, body = trace.starts(create_task, numbers.start), trace.body(task)\n"
# The clock of the harness, told otherwise.
CLOCK = """
import harness
{name} = harness.{name}
harness.{name} = lambda: {told}
"""
HALVED = CLOCK.format(name="monotonic_ns", told="monotonic_ns() // 2")
CPU_HALVED = CLOCK.format(name="process_time_ns", told="process_time_ns() // 2")
EQUAL = """
import harness
stop = harness.Lap.__exit__
def five_ms(lap, *error):
    stop(lap, *error)
    lap.elapsed_ns = lap.cpu_ns = 5_000_000
harness.Lap.__exit__ = five_ms
"""
# What the program does in place of the operation where it is not traced.
IN_PLACE = {
    "plain calls": """
    if not program_traced:
        checksum = 0
        for i in numbers:
            checksum += await task(i)
        return len(numbers), len(numbers), checksum
""",
    "stepped by hand": """
    if not program_traced:
        checksum = 0
        for coroutine in [task(i) for i in numbers]:
            try:
                coroutine.send(None)
            except StopIteration as end:
                checksum += end.value
        return len(numbers), len(numbers), checksum
""",
    "closed form": """
    if not program_traced:
        n = len(numbers)
        return n, n, n * numbers.start + n * (n - 1) // 2
""",
    "closed form of tasks from 0 on": """
    if not program_traced:
        n = len(numbers)
        return n, n, n * (n - 1) // 2
""",
    "a result that is kept": """
    global kept
    if not program_traced:
        n = len(numbers)
        kept = kept or n * numbers.start + n * (n - 1) // 2
        return n, n, kept
""",
}


def timed_only(text: str) -> str:
    """asyncio's spawn with something else in its place, but for traced runs."""
    source = planted.cheat("spawn", START, text + START)
    return source.replace(
        'if __name__ == "__main__":\n',
        'if __name__ == "__main__":\n    import sys\n'
        '    program_traced, kept = "trace=1" in sys.argv, 0\n',
    )


def at_start(text: str) -> str:
    """asyncio's spawn with something done first, but for traced runs."""
    indented = "".join(f"    {line}\n" for line in text.strip().splitlines())
    return planted.cheat(
        "spawn",
        "import loop\n",
        f'import sys\nif "trace=1" not in sys.argv:\n{indented}import loop\n',
    )


def measured(
    root: Path, workload: str, source: str, point: str, blocks: int = BLOCKS
) -> list[Invocation | Failure]:
    planted.plant(root, {workload: source})
    manifest = root / "planted/one/runtime.toml"
    # So long that what a busy box takes to start a process is little beside it.
    manifest.write_text(f"warm_ms = {WARM_MS}\n{manifest.read_text()}")
    suite = load_suite(root)
    program = planted.program(suite, workload)
    spec = suite.workloads[workload]
    assert check(job(program, spec, planted.prepared(), [])).problems == []
    points = [one for one in spec.points("publish") if one.name == point]
    case = f"{workload}/{point}/one-cpu/planted"
    return [
        measure(
            program, points[0], track_cpus("one-cpu"), Place(case=case, block=block, position=0)
        )
        for block in range(blocks)
    ]


def refused(root: Path, source: str) -> str:
    (first,) = measured(root, "spawn", source, f"n={N}", blocks=1)
    assert isinstance(first, Failure), "it got a number"
    return first.reason


def test_cpu_time_that_the_process_did_not_use(tmp_path: Path) -> None:
    doubled = CLOCK.format(name="process_time_ns", told="2 * process_time_ns()")
    assert "of CPU, and the whole process" in refused(tmp_path, at_start(doubled))


def test_iterations_that_last_longer_than_the_process(tmp_path: Path) -> None:
    doubled = CLOCK.format(name="monotonic_ns", told="2 * monotonic_ns()")
    assert "ns, and the whole process" in refused(tmp_path, at_start(doubled))


def test_made_up_equal_iterations(tmp_path: Path) -> None:
    assert "lasted exactly 5,000,000 ns" in refused(tmp_path, at_start(EQUAL))


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="NOT PROVED HERE: one CPU only")
def test_another_cpu(tmp_path: Path) -> None:
    elsewhere = "import os\nos.sched_setaffinity(0, range(os.cpu_count()))"
    assert "it changed its CPUs" in refused(tmp_path, at_start(elsewhere))


def test_another_priority(tmp_path: Path) -> None:
    assert "it changed its nice value" in refused(tmp_path, at_start("import os\nos.nice(3)"))


def test_another_scheduling_class(tmp_path: Path) -> None:
    batch = "import os\nos.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))"
    assert "it changed its scheduling class: SCHED_BATCH" in refused(tmp_path, at_start(batch))


def test_a_daemon_in_a_session_of_its_own_without_an_environment(tmp_path: Path) -> None:
    daemon = """
import os, subprocess, sys
code = "import subprocess, sys; subprocess.Popen(sys.argv[1:], env={}, start_new_session=True)"
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
quiet = dict(stdin=-3, stdout=-3, stderr=-3)
subprocess.run([sys.executable, "-c", code, *sleep], env={}, start_new_session=True, **quiet)
"""
    assert "1 processes that it had started did not (now killed)" in refused(
        tmp_path, at_start(daemon)
    )


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> flags.Plain:
    """What plain calls and parked tasks cost here."""
    root = tmp_path_factory.mktemp("honest")
    found, points = {}, {}
    for workload, point in (("baseline", "n=100000"), ("memory", f"n={N}")):
        spec = planted.plant(root / workload, {}).workloads[workload]
        points |= {f"{workload}/{one.name}": one for one in spec.points("publish")}
        lines = measured(root / workload, workload, planted.honest(workload), point)
        found[workload] = series(f"{workload}/{point}/one-cpu/planted", lines)
    return flags.plain_costs(found.values(), points, {})["planted", "one-cpu"]


def series(case: str, lines: list[Invocation | Failure]) -> Series:
    invocations = {line.block: line for line in lines if isinstance(line, Invocation)}
    assert len(invocations) == BLOCKS, lines
    return Series(case=parse_case(case), invocations=invocations, failures=[], retried=0)


def flagged(root: Path, source: str, plain: flags.Plain) -> set[str]:
    return flags_of(measured(root, "spawn", source, f"n={N}"), root, plain)


def flags_of(lines: list[Invocation | Failure], root: Path, plain: flags.Plain) -> set[str]:
    spec = planted.plant(root, {}).workloads["spawn"]
    points = {f"spawn/{one.name}": one for one in spec.points("publish")}
    part = series(f"spawn/n={N}/one-cpu/planted", lines)
    sample = Sample(
        case=part.case, workload=spec, metric=spec.metric[0], parts=[part], values={}, figures={}
    )
    return {
        flag.name for flag in flags.of_plain_costs(sample, plain, points) if flag.level == "red"
    }


@alone
def test_an_honest_program_keeps_its_number(tmp_path: Path, honest: flags.Plain) -> None:
    assert flagged(tmp_path, planted.honest("spawn"), honest) == set()


@alone
@pytest.mark.parametrize(
    ("cheat", "flag"),
    [("plain calls", "alive"), ("stepped by hand", "alive"), ("closed form", "plain call")],
)
def test_what_no_task_can_do(tmp_path: Path, honest: flags.Plain, cheat: str, flag: str) -> None:
    assert flag in flagged(tmp_path, timed_only(IN_PLACE[cheat]), honest)


@pytest.mark.parametrize("cheat", ["closed form of tasks from 0 on", "a result that is kept"])
def test_what_is_known_beforehand(tmp_path: Path, cheat: str) -> None:
    reason = refused(tmp_path, timed_only(IN_PLACE[cheat]))
    assert "the spec asks for == n * nonce + n * (n - 1) // 2" in reason


@alone
@pytest.mark.parametrize("clocks", [HALVED, HALVED + CPU_HALVED], ids=["halved", "both halved"])
def test_a_halved_clock(tmp_path: Path, honest: flags.Plain, clocks: str) -> None:
    """On a quiet box the CPU time of the first gives it away at once; on a busy one, and that of
    both, how much of their time is in no iteration.
    """
    lines = measured(tmp_path, "spawn", at_start(clocks), f"n={N}")
    for line in lines:
        if isinstance(line, Failure):
            assert "impossible times: its iterations used" in line.reason
            return
    assert "untimed" in flags_of(lines, tmp_path, honest)


@alone
def test_tasks_that_are_made_before_the_clock_starts(tmp_path: Path, honest: flags.Plain) -> None:
    source = planted.cheat(
        "spawn",
        "        with lap:\n            created",
        "        if not program.traced:\n"
        "            await spawn(lap.numbers(n), trace, create_task)\n"
        "        with lap:\n            created",
    )
    assert "untimed" in flagged(tmp_path, source, honest)
