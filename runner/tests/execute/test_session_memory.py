"""CPU time and memory of a session: all its processes, what they share counted once, a launcher
left out.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from corobench.execute import memory


def test_a_tree_is_a_session() -> None:
    source = (
        "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', 'input()'], "
        "stdin=subprocess.PIPE);"
        "print(flush=True); input(); p.communicate(b'\\n'); print(flush=True); input()"
    )
    words = [sys.executable, "-I", "-S", "-c", source]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        assert len(memory.session_members(process.pid)) == 2
        both = memory.session_memory(process.pid)
        process.stdin.write(b"\n")
        process.stdin.flush()
        process.stdout.readline()
        before = memory.session_cpu(process.pid)
        assert len(memory.session_members(process.pid)) == 1
        assert memory.session_memory(process.pid).private_dirty < both.private_dirty
        assert both.threads == 2
        assert memory.session_cpu(process.pid).since(before).total_ns >= 0
        assert before.total_ns > 0
        process.kill()
    assert memory.session_members(process.pid) == []
    with pytest.raises(OSError, match="no process of session"):
        memory.session_memory(process.pid)


def test_what_a_worker_shares_with_its_master_counts_once() -> None:
    """64 MiB that a child inherits by fork are private to neither; the same in two processes of
    their own count twice.
    """
    block = "b = bytearray(b'x') * (64 << 20)"
    wait = "print(flush=True); input()"
    held = []
    for source in (f"{block}; child = os.fork(); {wait}", f"child = os.fork(); {block}; {wait}"):
        words = [sys.executable, "-I", "-S", "-c", f"import os; {source}"]
        with subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        ) as process:
            assert process.stdout is not None
            assert [process.stdout.readline() for _ in range(2)] == [b"\n", b"\n"]
            held.append(memory.session_memory(process.pid).private_dirty >> 20)
            os.killpg(process.pid, signal.SIGKILL)
    assert 64 <= held[0] < 128 <= held[1] < 192


@pytest.mark.parametrize("before", [True, False])
def test_what_a_server_shares_with_its_launcher_is_its_own(before: bool) -> None:
    """64 MiB that it has inherited count in full; those that the launcher has to itself not
    at all.
    """
    block = "b = bytearray(b'x') * (64 << 20)"
    fork = "child = os.fork()"
    source = f"{block}; {fork}" if before else f"{fork}; {block} if child else 0"
    words = [sys.executable, "-I", "-S", "-c", f"import os; {source}; print(flush=True); input()"]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == [b"\n", b"\n"]
        found = memory.session_memory(process.pid, launcher=process.pid)
        for held in (found.private_dirty, found.pss, found.rss):
            assert (64 << 20 <= held < 128 << 20) == before
        assert found.threads == 1
        os.killpg(process.pid, signal.SIGKILL)
