"""Faults of programs: hanging, flooding, crashing, greedy and leaving ones become failures, never numbers, and end."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

import patience
import pytest

from corobench.execute import trouble
from corobench.execute.process import Launch, Limits, Outcome, run
from corobench.execute.processes import parsed
from corobench.execute.watchdog import Watchdog, sweep

MARK = secrets.token_hex(8)  # of this process alone: a sweep would end the programs of another suite on this box


def ran(source: str, limits: Limits | None = None, mark: str = MARK) -> tuple[Outcome, list[bytes]]:
    lines: list[bytes] = []
    launch = Launch(
        argv=[sys.executable, "-I", "-S", "-c", source],
        env={"PATH": "/usr/bin:/bin", "COROBENCH_RUN": mark},
        cwd=Path("/"),
        cpus=frozenset(sorted(os.sched_getaffinity(0))[-1:]),
        limits=limits or Limits(timeout_s=patience.SECONDS),
    )
    return run(launch, lambda line, _pid: lines.append(line)), lines


def reason(outcome: Outcome) -> tuple[str, str]:
    wrong = trouble.of(outcome)
    return (wrong.kind, wrong.reason) if wrong else ("", "")


def test_lines_and_tail_and_witness() -> None:
    outcome, lines = ran("import sys; print('one'); print('two', end=''); print('words', file=sys.stderr)")
    assert (outcome.ok, lines, outcome.stderr) == (True, [b"one", b"two"], "words\n")
    assert outcome.witness.user_ns + outcome.witness.system_ns > 0
    assert outcome.witness.busy_ns is not None


def test_hanging() -> None:
    outcome, _ = ran("import time; time.sleep(600)", Limits(timeout_s=0.3))
    assert reason(outcome) == ("did-not-finish", "did not finish within 0.3 s")


def test_hanging_after_closing_its_streams() -> None:
    outcome, _ = ran("import os, time; os.close(1); os.close(2); time.sleep(600)", Limits(timeout_s=0.3))
    assert reason(outcome)[0] == "did-not-finish"


@pytest.mark.parametrize("stream", [1, 2])
def test_flooding(stream: int) -> None:
    outcome, _ = ran(
        f"import os\nwhile True: os.write({stream}, b'x' * 65536)", Limits(timeout_s=patience.SECONDS, output=4 << 20)
    )
    assert reason(outcome) == ("too-much-output", "wrote more than 4 MiB")


def test_memory_cap_hits_the_program() -> None:
    """The cap is set on the running process: it waits for it."""
    capped = "import resource, time\nwhile resource.getrlimit(resource.RLIMIT_DATA)[0] < 0: time.sleep(0.01)\n"
    outcome, _ = ran(f"{capped}block = bytearray(1 << 30)", Limits(timeout_s=patience.SECONDS, memory=256 << 20))
    assert reason(outcome) == ("memory-cap", "did not finish: out of memory with a cap of 0.25 GiB (MemoryError)")


def test_memory_cap_is_told_by_a_program_that_then_floods_its_output() -> None:
    source = "import os\nos.write(2, b'fatal error: out of memory\\n')\nwhile True: os.write(2, b'stack' * 9999)"
    told = "did not finish: out of memory (fatal error: out of memory)"
    assert reason(ran(source, Limits(timeout_s=patience.SECONDS, output=4 << 20))[0]) == ("memory-cap", told)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("lua5.4: not enough memory", "memory-cap"),
        ("no memory for 65536 bytes", "memory-cap"),
        ("Fatal error: Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes)", "memory-cap"),
        (
            "FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory",
            "memory-cap",
        ),
        ("memory allocation of 335544320 bytes failed", "memory-cap"),
        ("spawn: internal error: Unable to commit 1048576 bytes of memory", "memory-cap"),
        ("{error,{system_limit,[{erlang,spawn_opt,[],[]}]}}", "limit"),
        ("java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory", "limit"),
        ("RuntimeError: can't start new thread", "limit"),
    ],
)
def test_what_a_program_ran_out_of_is_told_in_its_words(words: str, kind: str) -> None:
    told = reason(ran(f"raise SystemExit({words!r})")[0])
    assert (told[0], told[1].partition(":")[0]) == (kind, "did not finish")
    assert words in told[1]


def test_signal_and_status_are_named() -> None:
    assert reason(ran("import os; os.kill(os.getpid(), 11)")[0]) == ("failed", "signal 11: nothing on stderr")
    assert reason(ran("raise SystemExit('no luck')")[0]) == ("failed", "exit status 1: no luck")


def test_left_processes_are_ended_and_named() -> None:
    source = "import os, time\nchild = os.fork()\nif child: print(child, flush=True)\nelse: time.sleep(600)"
    outcome, lines = ran(source)
    assert reason(outcome)[0] == "left-processes"
    patience.until(lambda: not Path(f"/proc/{int(lines[0])}").exists())


@pytest.mark.parametrize(("state", "flags", "lives"), [("R", 0x400000, True), ("R", 0x400004, False), ("Z", 0x400000, False)])
def test_what_is_exiting_is_not_left_behind(state: str, flags: int, lives: bool) -> None:
    stat = parsed(f"12 (a) (b) {state} 1 7 9 0 -1 {flags} 0 0 0 0 2 3 5 7 20 0 1 0")
    assert (stat.lives, stat.group, stat.session) == (lives, 7, 9)
    assert (stat.own_ns, stat.children_ns) == ((20_000_000, 30_000_000), (50_000_000, 70_000_000))


def test_a_program_that_cannot_be_started() -> None:
    launch = Launch(argv=["/nonexistent"], env={}, cwd=Path("/"), cpus=frozenset(os.sched_getaffinity(0)))
    with pytest.raises(FileNotFoundError):
        run(launch, lambda _line, _pid: None)


def test_affinity_is_that_of_the_track_and_ours_is_kept() -> None:
    own = os.sched_getaffinity(0)
    _, lines = ran("import os; print(len(os.sched_getaffinity(0)))")
    assert lines == [b"1"]
    assert os.sched_getaffinity(0) == own


def test_sweep_finds_what_left_its_group() -> None:
    """The program ends only when its child has left the group: its end of a pipe is closed then."""
    mark = secrets.token_hex(8)
    source = (
        "import os, time\nours, its = os.pipe()\n"
        "if not os.fork():\n    os.setsid()\n    os.closerange(1, its + 1)\n    time.sleep(600)\n"
        "os.close(its)\nos.read(ours, 1)\n"
    )
    with Watchdog(mark):
        outcome, _ = ran(source, mark=mark)
        assert outcome.exit_status == 0
        assert sweep(mark) == 1
    assert sweep(mark) == 0
