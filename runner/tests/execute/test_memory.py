"""Memory is read from outside at a hold point: what the runner itself holds does not show in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import patience
import planted
import pytest

from corobench.execute import memory, process
from corobench.execute.monitor import Answer
from corobench.execute.process import run
from corobench.execute.program import memory_cap
from corobench.execute.reader import Talk, converse
from corobench.machine.proc import Host, free_memory, oom_kills
from corobench.suite.load import load_suite

MIB = 1 << 20
ENDING = """
    import os, sys

    import protocol

    protocol.hold("base", 0)
    print("no memory left", file=sys.stderr, flush=True)
    os._exit(3)
"""
# A collector that begins to give pages back when its collection has returned, in a thread of its own.
LATE = """
import mmap, threading, time

import protocol

STEP = 16 << 20
heap = mmap.mmap(-1, 4 * STEP)
for place in range(0, len(heap), mmap.PAGESIZE):
    heap[place] = 1
announce = protocol.hold


def give_back():
    for start in range(0, len(heap), STEP):
        time.sleep(0.2)
        heap.madvise(mmap.MADV_DONTNEED, start, STEP)


def hold(point, units):
    if point == "live-collected":
        threading.Thread(target=give_back).start()
    announce(point, units)


protocol.hold = hold
"""


def live_bytes(root: Path) -> tuple[int, int, int]:
    suite = planted.plant(root, {"memory": planted.honest("memory")})
    program = planted.program(suite, "memory")
    cpus = frozenset(sorted(os.sched_getaffinity(0))[-1:])
    arguments = program.arguments({"n": 2000}, iterations=1, min_warm_ms=0, trace=0)
    reading = converse(program.launch(cpus, arguments), program.expectation({"n": 2000}, 1, 1))
    live = reading.holds["live"]
    return live.private_dirty + live.swap, live.rss, live.rss_high


def test_a_big_runner_reads_the_same_as_a_small_one(tmp_path: Path) -> None:
    small = live_bytes(tmp_path)
    ballast = bytearray(300 * MIB)
    for place in range(0, len(ballast), 4096):
        ballast[place] = 1
    big = live_bytes(tmp_path)
    assert len(ballast) == 300 * MIB
    # A process is not the same to a page twice (arenas, huge pages); the ballast would be all of
    # 300 MiB more.
    for name, a, b in zip(("private", "rss", "high-water mark"), small, big, strict=True):
        assert b == pytest.approx(a, abs=10 * MIB), name
        assert b < 100 * MIB, name


def test_a_program_that_ends_at_a_hold_says_how_it_ended(tmp_path: Path) -> None:
    """It announces the hold and is gone before the runner can read it; what it said of that is
    kept.
    """
    source = planted.cheat("memory", "    await measure(program, trace, task)\n", ENDING)
    program = planted.program(planted.plant(tmp_path, {"memory": source}), "memory")
    arguments = program.arguments({"n": 10}, iterations=1, min_warm_ms=0, trace=0)
    launch = program.launch(frozenset(sorted(os.sched_getaffinity(0))[-1:]), arguments)
    talk = Talk(program.expectation({"n": 10}, 1, 1))

    def listen(line: bytes, pid: int) -> Answer:
        if b'"hold"' in line:
            patience.until(lambda: ended(pid))
        return talk.listen(line, pid)

    outcome = run(launch, listen)
    wrong = process.failure_of(outcome)
    assert wrong is not None
    assert (wrong.kind, wrong.reason) == ("failed", "it ended at the hold 'base'")
    assert (outcome.exit_status, outcome.stderr) == (3, "no memory left\n")


@pytest.mark.parametrize(("returns_memory_ms", "is_read"), [(0, False), (600, True)])
def test_memory_after_a_collection_is_read_when_it_no_longer_falls(
    tmp_path: Path, returns_memory_ms: int, is_read: bool
) -> None:
    source = planted.cheat("memory", "from harness import", f"{LATE}from harness import")
    planted.plant(tmp_path, {"memory": source})
    toolchain = tmp_path / "planted" / "toolchain.toml"
    toolchain.write_text(f"returns_memory_ms = {returns_memory_ms}\n{toolchain.read_text()}")
    program = planted.program(load_suite(tmp_path), "memory")
    arguments = program.arguments({"n": 10}, iterations=1, min_warm_ms=0, trace=0)
    launch = program.launch(frozenset(sorted(os.sched_getaffinity(0))[-1:]), arguments)
    holds = converse(launch, program.expectation({"n": 10}, 1, 1)).holds
    given_back = holds["live"].private_dirty - holds["live-collected"].private_dirty
    assert (given_back > 60 * MIB) is is_read
    assert holds["live"].private_dirty - holds["released-collected"].private_dirty < 70 * MIB


def ended(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"


def test_a_process_that_is_exiting_is_gone(tmp_path: Path) -> None:
    """Its files are there, without the values."""
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "smaps_rollup").write_text("")
    (tmp_path / "7" / "status").write_text("Name:\tprogram\nThreads:\t1\n")
    for read in (
        lambda: memory.read_memory(7, 1, tmp_path),
        lambda: memory.anonymous_bytes(7, tmp_path),
        lambda: memory.shared_bytes(7, tmp_path),
        lambda: memory.resident_bytes(7, tmp_path),
    ):
        with pytest.raises(ProcessLookupError, match="it is exiting and has no"):
            read()


def test_the_memory_that_is_free_is_what_the_control_group_leaves(tmp_path: Path) -> None:
    def plant(**files: str) -> Host:
        for name, text in files.items():
            file = tmp_path / name.replace("__", "/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return Host(tmp_path)

    host = plant(proc__meminfo="MemAvailable: 8388608 kB\n", proc__self__cgroup="0::/user/run\n")
    assert (free_memory(host), memory_cap(host)) == (8 << 30, 6 << 30)
    group = "sys__fs__cgroup__user__memory"
    files = {
        f"{group}.max": "1000000000\n",
        f"{group}.current": "700000000\n",
        f"{group}.stat": "anon 1\ninactive_file 200000000\n",
    }
    assert free_memory(plant(**files)) == 500_000_000
    slowed = plant(**{f"{group}.high": "900000000\n"})
    assert (free_memory(slowed), memory_cap(slowed)) == (400_000_000, 300_000_000)
    old = "sys__fs__cgroup__memory__box__memory"
    files = {f"{old}.limit_in_bytes": "300000000\n", f"{old}.usage_in_bytes": "100000000\n"}
    assert (
        free_memory(plant(**files, proc__self__cgroup="4:memory:/box\n0::/user/run\n"))
        == 200_000_000
    )


def test_kills_for_memory_are_those_of_the_control_group_else_of_the_box(tmp_path: Path) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "vmstat").write_text("nr_free_pages 5\noom_kill 3\n")
    assert oom_kills(Host(tmp_path)) == 3
    (tmp_path / "sys/fs/cgroup").mkdir(parents=True)
    (tmp_path / "sys/fs/cgroup/memory.events").write_text("oom 2\noom_kill 1\n")
    assert oom_kills(Host(tmp_path)) == 1


def test_figures_are_those_of_the_process() -> None:
    source = (
        "import sys; block = bytearray(b'x') * (64 << 20); print('up', flush=True); "
        "sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", source], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        read = memory.read_memory(process.pid, 1)
        process.kill()
    assert 64 * MIB < read.private_dirty < 80 * MIB
    assert read.private_dirty <= read.rss <= read.rss_high
    assert read.threads == 1


def test_slope_intercept_high_water_and_kept_are_apart(tmp_path: Path) -> None:
    suite = planted.plant(tmp_path, {"memory": planted.honest("memory")})
    program = planted.program(suite, "memory")
    cpus = frozenset(sorted(os.sched_getaffinity(0))[-1:])
    arguments = program.arguments({"n": 20000}, iterations=1, min_warm_ms=0, trace=0)
    holds = converse(program.launch(cpus, arguments), program.expectation({"n": 20000}, 1, 1)).holds
    assert list(holds) == ["base", "live", "live-collected", "released", "released-collected"]
    assert holds["live"].private_dirty - holds["base"].private_dirty > 20000 * 500
    assert holds["released"].rss_high >= holds["live"].rss
