"""--priority: what it asks of the kernel, what it says where that is refused, and what a run
remembers of it.
"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from corobench.execute import process
from corobench.machine.facts import changes


@pytest.fixture(autouse=True)
def _off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_enabled", False)


@pytest.fixture
def program() -> Iterator[int]:
    """A process that waits, in a session of its own, as a program of a run is."""
    words = [sys.executable, "-I", "-S", "-c", "input()"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, start_new_session=True) as process:
        yield process.pid
        process.kill()


def test_nothing_is_raised_that_was_not_asked_for(
    program: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "setpriority", lambda *_: pytest.fail("it was not asked for"))
    process.prioritise(program)


def test_where_it_is_allowed(program: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int, int]] = []
    monkeypatch.setattr(os, "setpriority", lambda *words: asked.append(words))
    monkeypatch.setattr(Path, "write_text", lambda _path, text: len(text))
    said: list[str] = []
    assert process.enable_priority(said.append) == {"nice": process.NICE, "refused": []}
    asked.clear()
    process.prioritise(program)
    assert (asked, said) == ([(os.PRIO_PROCESS, program, process.NICE)], [])


def test_what_is_not_said_to_be_refused_was_done(program: int) -> None:
    """By this kernel, for root as for a user: what each of the two may not do is said, and the rest
    has its effect.
    """
    refused = process.enable_priority(lambda _: None)["refused"]
    process.prioritise(program)
    is_nice = os.getpriority(os.PRIO_PROCESS, program) == process.NICE
    assert is_nice is not any(reason.startswith("nice ") for reason in refused)
    group = Path(f"/proc/{program}/autogroup")
    is_preferred = group.exists() and group.read_text().split()[-1:] == [str(process.NICE)]
    assert is_preferred is not any("autogroup" in reason for reason in refused)


def test_where_it_is_refused_the_run_says_so_and_goes_on(
    program: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "setpriority", refuse)
    monkeypatch.setattr(Path, "write_text", refuse)
    said: list[str] = []
    told = process.enable_priority(said.append)
    assert said == [f"--priority: {reason}" for reason in told["refused"]]
    assert (
        "nice -10 was refused (Permission denied); it needs root or CAP_SYS_NICE" in told["refused"]
    )
    process.prioritise(program)


def test_runs_with_and_without_it_differ() -> None:
    with_it = {"name": "box", "priority": {"nice": -10, "refused": []}}
    assert changes({"name": "box"}, with_it) == {
        "priority.nice": (None, -10),
        "priority.refused": (None, []),
    }
    assert changes(with_it, with_it | {"load": {"average": [1.0]}}) == {}
