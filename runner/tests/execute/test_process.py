"""Faults of programs: hanging, flooding, crashing, greedy and leaving ones become failures, never
numbers, and end.
"""

from __future__ import annotations

import os
import resource
import secrets
import subprocess
import sys
import time
from pathlib import Path

import patience
import pytest
from planted import REPOSITORY, marked

from corobench.execute import memory, monitor, process
from corobench.execute.monitor import Limits
from corobench.execute.process import Launch, NotStarted, Outcome, run
from corobench.execute.program import TOKEN
from corobench.execute.watchdog import Watchdog, sweep
from corobench.machine.proc import parsed
from corobench.suite.load import decode_file
from corobench.suite.runtime import Toolchain

# of this process alone: a sweep would end the programs of another suite on this box
MARK = secrets.token_hex(8)


def ran(
    source: str,
    limits: Limits | None = None,
    mark: str = MARK,
    *,
    language: str = "python",
    whole_session: bool = False,
) -> tuple[Outcome, list[bytes]]:
    """A program in Python, whose words are taken as those of a language."""
    lines: list[bytes] = []
    launch = Launch(
        argv=[sys.executable, "-I", "-S", "-c", source],
        env={"PATH": "/usr/bin:/bin", "COROBENCH_RUN": mark},
        cwd=Path("/"),
        cpus=frozenset(sorted(os.sched_getaffinity(0))[-1:]),
        limits=limits or Limits(timeout_s=patience.SECONDS),
        whole_session=whole_session,
        out_of_resource_messages=decode_file(
            REPOSITORY / language / "toolchain.toml", Toolchain
        ).out_of_resource_messages,
    )
    return run(launch, lambda line, _pid: lines.append(line)), lines


def reason(outcome: Outcome) -> tuple[str, str]:
    wrong = process.failure_of(outcome)
    return (wrong.kind, wrong.reason) if wrong else ("", "")


def test_lines_and_tail_and_witness() -> None:
    outcome, lines = ran(
        "import sys; print('one'); print('two', end=''); print('words', file=sys.stderr)"
    )
    assert (outcome.ok, lines, outcome.stderr) == (True, [b"one", b"two"], "words\n")
    assert outcome.witness.user_ns + outcome.witness.system_ns > 0
    assert outcome.witness.busy_ns is not None


def test_hanging() -> None:
    outcome, _ = ran("import time; time.sleep(600)", Limits(timeout_s=0.3))
    assert reason(outcome) == ("did-not-finish", "did not finish within 0.3 s")


def test_hanging_after_closing_its_streams() -> None:
    outcome, _ = ran(
        "import os, time; os.close(1); os.close(2); time.sleep(600)", Limits(timeout_s=0.3)
    )
    assert reason(outcome)[0] == "did-not-finish"


@pytest.mark.parametrize("stream", [1, 2])
def test_flooding(stream: int) -> None:
    outcome, _ = ran(
        f"import os\nwhile True: os.write({stream}, b'x' * 65536)",
        Limits(timeout_s=patience.SECONDS, output=4 << 20),
    )
    assert reason(outcome) == ("too-much-output", "wrote more than 4 MiB")


def test_a_line_without_an_end_is_too_much_output_and_comes_in_pieces() -> None:
    """Joined whenever a piece of it comes, 64 MiB would be copied a thousand times."""
    outcome, _ = ran("import os\nwhile True: os.write(1, b'x' * 65536)")
    assert reason(outcome) == ("too-much-output", "wrote more than 64 MiB")
    longest = 1 << 20
    _, lines = ran(f"print('x' * {longest}, 'y' * {longest}, sep='\\n', flush=True)")
    assert [len(line) for line in lines] == [longest, longest]


CAPPED = (
    "import resource, time\nwhile resource.getrlimit(resource.RLIMIT_DATA)[0] < 0: "
    "time.sleep(0.01)\n"
)


def test_memory_cap_hits_the_program() -> None:
    """The cap is set on the running process: it waits for it."""
    outcome, _ = ran(
        f"{CAPPED}block = bytearray(1 << 30)",
        Limits(timeout_s=patience.SECONDS, address_space=256 << 20),
    )
    assert reason(outcome) == (
        "memory-cap",
        "did not finish: out of memory, of which it could map 0.25 GiB (MemoryError)",
    )


def test_a_program_that_holds_more_than_its_cap_is_ended() -> None:
    source = (
        "import time\nblocks = []\nwhile len(blocks) < 40: blocks.append(b'x' * (8 << "
        "20))\ntime.sleep(600)"
    )
    outcome, _ = ran(source, Limits(timeout_s=patience.SECONDS, memory=128 << 20))
    assert reason(outcome) == (
        "memory-cap",
        "did not finish: it held more than its cap of 0.125 GiB",
    )


def test_address_space_that_is_not_touched_counts_for_nothing() -> None:
    """As with the stacks of a million tasks: a hundred times what it may hold."""
    source = (
        "import mmap, time\nstacks = [mmap.mmap(-1, 1 << 30) for _ in range(12)]\ntime.sleep(0.3)"
    )
    outcome, _ = ran(
        source, Limits(timeout_s=patience.SECONDS, memory=128 << 20, address_space=64 << 30)
    )
    assert outcome.ok, outcome.stderr


def test_few_looks_are_taken_at_what_a_program_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """None before it could have filled its room: most programs are never looked at."""
    now, held, looks = [0.0], [10 << 20], [0]

    def look(_pid: int) -> int:
        looks[0] += 1
        return held[0]

    monkeypatch.setattr(memory, "tree_bytes", look)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    left = monitor.Room(1, 0, 8 * monitor.FILL_RATE)
    now[0] = 7.9
    assert (left.is_used_up(), looks[0]) == (False, 0)
    now[0] = 8.0
    assert (left.is_used_up(), looks[0], round(left.next_look)) == (False, 1, 16)
    now[0], held[0] = left.next_look, 8 * monitor.FILL_RATE - 1
    assert not left.is_used_up()
    assert left.next_look == pytest.approx(now[0] + 0.05)
    now[0], held[0] = left.next_look, 8 * monitor.FILL_RATE + 1
    assert left.is_used_up()
    assert monitor.Room(1, 0, 0).next_look == monitor.NEVER


def test_the_kernel_that_ends_a_program_for_memory_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kills = iter([3, 4, 4, 4])
    monkeypatch.setattr(process, "oom_kills", lambda _host: next(kills))
    killed = "import os\nos.kill(os.getpid(), 9)"
    assert reason(ran(killed)[0]) == (
        "memory-cap",
        "did not finish: the kernel ended it, as memory ran out",
    )
    assert reason(ran(killed)[0]) == ("failed", "signal 9: nothing on stderr")


def test_a_limit_above_that_of_the_user_is_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only root may raise a hard limit: a user's own must not keep a program from being
    measured.
    """
    source = f"{CAPPED}print(resource.getrlimit(resource.RLIMIT_DATA))"
    real = resource.prlimit

    def lower(pid: int, limit: int, *given: tuple[int, int]) -> tuple[int, int]:
        if limit == resource.RLIMIT_DATA and not given:
            return (1 << 30, 1 << 30)
        return real(pid, limit, *given)

    monkeypatch.setattr(resource, "prlimit", lower)
    _, lines = ran(source, Limits(timeout_s=patience.SECONDS, address_space=64 << 30))
    assert lines == [b"(1073741824, 1073741824)"]


def test_a_program_whose_limits_are_refused_does_not_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    pids: list[int] = []

    def refuse(pid: int, *_: object) -> None:
        pids.append(pid)
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(resource, "prlimit", refuse)
    with pytest.raises(PermissionError):
        ran("import time; time.sleep(600)", Limits(address_space=1 << 30))
    assert not Path(f"/proc/{pids[0]}").exists()


def test_a_number_that_may_be_anothers_by_now_gets_no_signal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once the leader has been collected, its number is its group's only as long as something of
    that lives.
    """
    signals: list[int] = []
    real = os.killpg

    def killpg(group: int, number: int) -> None:
        signals.append(number)
        real(group, number)

    monkeypatch.setattr(os, "killpg", killpg)
    assert ran("pass")[0].ok
    assert set(signals) == {0}, "asked whether it lives, never killed"


def test_memory_cap_is_told_by_a_program_that_then_floods_its_output() -> None:
    source = (
        "import os\nos.write(2, b'fatal error: out of memory\\n')\nwhile True: os.write(2, "
        "b'stack' * 9999)"
    )
    told = "did not finish: out of memory (fatal error: out of memory)"
    assert reason(ran(source, Limits(timeout_s=patience.SECONDS, output=4 << 20))[0]) == (
        "memory-cap",
        told,
    )


@pytest.mark.parametrize(
    ("language", "words", "kind"),
    [
        ("lua", "lua5.4: not enough memory", "memory-cap"),
        ("c", "no memory for 65536 bytes", "memory-cap"),
        ("c", "terminate called after throwing an instance of 'std::bad_alloc'", "memory-cap"),
        (
            "php",
            "Fatal error: Allowed memory size of 134217728 bytes exhausted (tried to allocate "
            "20480 bytes)",
            "memory-cap",
        ),
        (
            "node",
            "FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - "
            "JavaScript heap out of memory",
            "memory-cap",
        ),
        ("rust", "memory allocation of 335544320 bytes failed", "memory-cap"),
        ("deno", "memory allocation of 335544320 bytes failed", "memory-cap"),
        (
            "haskell",
            "spawn: internal error: Unable to commit 1048576 bytes of memory",
            "memory-cap",
        ),
        ("ruby", "[FATAL] failed to allocate memory (NoMemoryError)", "memory-cap"),
        (
            "erlang",
            'eheap_alloc: Cannot allocate 600904 bytes of memory (of type "heap").',
            "memory-cap",
        ),
        (
            "elixir",
            'eheap_alloc: Cannot allocate 600904 bytes of memory (of type "heap").',
            "memory-cap",
        ),
        ("go", "fatal error: runtime: cannot allocate memory", "memory-cap"),
        ("erlang", "{error,{system_limit,[{erlang,spawn_opt,[],[]}]}}", "limit"),
        (
            "java",
            "java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory",
            "limit",
        ),
        (
            "kotlin",
            "java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory",
            "limit",
        ),
        ("python", "RuntimeError: can't start new thread", "limit"),
        ("ruby", "can't create Thread: Resource temporarily unavailable (ThreadError)", "limit"),
        (
            "rust",
            'Os { code: 11, kind: WouldBlock, message: "Resource temporarily unavailable" }',
            "limit",
        ),
    ],
)
def test_what_a_program_ran_out_of_is_told_in_its_words(
    language: str, words: str, kind: str
) -> None:
    told = reason(ran(f"raise SystemExit({words!r})", language=language)[0])
    assert (told[0], told[1].partition(":")[0]) == (kind, "did not finish")
    assert words in told[1]


def test_the_words_of_another_language_say_nothing() -> None:
    words = "not enough memory for this: can't start new thread"
    assert reason(ran(f"raise SystemExit({words!r})", language="go")[0]) == (
        "failed",
        f"exit status 1: {words}",
    )


def test_signal_and_status_are_named() -> None:
    assert reason(ran("import os; os.kill(os.getpid(), 11)")[0]) == (
        "failed",
        "signal 11: nothing on stderr",
    )
    assert reason(ran("raise SystemExit('no luck')")[0]) == ("failed", "exit status 1: no luck")
    stack = "IllegalStateException: no luck\\n\\tat Task.run(Task.java:1)"
    assert reason(ran(f"raise SystemExit('{stack}')")[0]) == (
        "failed",
        "exit status 1: IllegalStateException: no luck",
    )


def test_left_processes_are_ended_and_named() -> None:
    source = (
        "import os, time\nchild = os.fork()\nif child: print(child, flush=True)\nelse: "
        "time.sleep(600)"
    )
    outcome, lines = ran(source)
    assert reason(outcome) == (
        "left-processes",
        "it exited but left child processes running (now killed)",
    )
    patience.until(lambda: not Path(f"/proc/{int(lines[0])}").exists())


@pytest.mark.parametrize("status", [0, 3])
def test_what_left_its_group_ends_with_the_whole_session(status: int) -> None:
    """Whatever became of the program, which has not said a word of the contract here."""
    mark = secrets.token_hex(8)
    source = (
        "import os, time\nours, its = os.pipe()\n"
        "if not os.fork():\n    os.setpgid(0, 0)\n    os.closerange(1, its + 1)\n    "
        "time.sleep(600)\n"
        f"os.close(its)\nos.read(ours, 1)\nos._exit({status})\n"
    )
    outcome, _ = ran(source, mark=mark, whole_session=True)
    told = "left-processes: it ended, but 1 processes that it had started did not (now killed)"
    assert ": ".join(reason(outcome)) == (
        told if status == 0 else "failed: exit status 3: nothing on stderr"
    )
    assert (outcome.left, outcome.ok) == (1, False)
    patience.until(lambda: marked(mark) == [])


# A child in a session of its own, whose parent ends at once.
AWAY = """
import os, resource, time
def away(work):
    if not os.fork():
        os.setsid()
        if not os.fork():
            work()
        os._exit(0)
    os.wait()
"""


def test_what_has_taken_off_its_mark_is_ended_too() -> None:
    mark = secrets.token_hex(8)
    source = f"""{AWAY}
def work():
    os.closerange(0, 3)
    time.sleep(600)
resource.setrlimit(resource.RLIMIT_RSS, (1 << 30, 1 << 30))
away(work)
"""
    outcome, _ = ran(source, mark=mark)
    assert (outcome.left, outcome.ok) == (1, False)
    patience.until(lambda: marked(mark) == [])


def test_memory_of_what_has_left_the_program_counts_for_its_cap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where it left before the runner came to anything else."""
    others = {*memory.children(os.getpid())}

    def late(pid: int, _limits: Limits) -> None:
        patience.until(lambda: {*memory.children(os.getpid())} - others - {pid})

    monkeypatch.setattr(process, "_restrict", late)
    source = f"""{AWAY}
def work():
    block = b"x" * (256 << 20)
    time.sleep(600)
away(work)
time.sleep(600)
"""
    outcome, _ = ran(source, Limits(timeout_s=patience.SECONDS, memory=128 << 20))
    assert reason(outcome)[0] == "memory-cap"
    assert outcome.left == 1


@pytest.mark.parametrize(
    ("state", "flags", "lives"),
    [("R", 0x400000, True), ("R", 0x400004, False), ("Z", 0x400000, False)],
)
def test_what_is_exiting_is_not_left_behind(state: str, flags: int, lives: bool) -> None:
    stat = parsed(f"12 (a) (b) {state} 1 7 9 0 -1 {flags} 0 0 0 0 2 3 5 7 20 0 1 0 88")
    assert (stat.lives, stat.group, stat.session) == (lives, 7, 9)
    assert (stat.own_ns, stat.children_ns) == ((20_000_000, 30_000_000), (50_000_000, 70_000_000))


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    launch = Launch(
        argv=[str(tmp_path / "absent")],
        env={},
        cwd=Path("/"),
        cpus=frozenset(os.sched_getaffinity(0)),
    )
    with pytest.raises(NotStarted, match=r"No such file or directory: '.*/absent'"):
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
        command = [sys.executable, "-c", source]
        subprocess.run(command, env={TOKEN: mark}, start_new_session=True, check=True)
        assert sweep(mark) == 1
    assert sweep(mark) == 0
