"""Helper commands: streams, failures, and that nothing they start survives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from unicodedata import category

import patience
import pytest

from corobench.commands import in_parallel, run_tool
from corobench.errors import plain

CHILD = "sleep 1000 & echo $! > {pid}.new; mv {pid}.new {pid}; {rest}"


def shell(pid: Path, rest: str) -> list[str]:
    """A shell that starts a child, leaves its number in a file, and goes on."""
    return ["sh", "-c", CHILD.format(pid=pid, rest=rest)]


def is_gone(pid_file: Path) -> bool:
    """Ended: collected, or a zombie that waits for init."""
    pid = int(pid_file.read_text())
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_both_streams_and_the_status(tmp_path: Path) -> None:
    completed = run_tool(["sh", "-c", "echo out; echo err >&2; exit 3"], tmp_path)
    assert (completed.output, completed.errors, completed.exit_status, completed.ok) == (
        "out",
        "err",
        3,
        False,
    )
    assert "exit status 3" in completed.reason


def test_a_command_that_does_not_exist(tmp_path: Path) -> None:
    completed = run_tool(["/nowhere/tool"], tmp_path)
    assert completed.exit_status == 127
    assert completed.reason == "`tool` cannot be started: No such file or directory"


def test_the_environment_is_all_that_is_given(tmp_path: Path) -> None:
    completed = run_tool(["/usr/bin/env"], tmp_path, {"ONLY": "this"})
    assert completed.output == "ONLY=this"


def test_a_log_keeps_both_streams_of_all_commands(tmp_path: Path) -> None:
    log = tmp_path / "log"
    run_tool(["echo", "first"], tmp_path, log=log)
    completed = run_tool(["sh", "-c", "echo second; echo third >&2"], tmp_path, log=log)
    assert completed.output == "second\nthird"
    assert (
        log.read_text()
        == "$ echo first\nfirst\n$ sh -c 'echo second; echo third >&2'\nsecond\nthird\n"
    )


def test_a_time_out_ends_the_children_too(tmp_path: Path) -> None:
    """On a busy box the time may be up before the child is there: then once more, with more
    of it.
    """
    pid, timeout_s = tmp_path / "pid", 0.5
    while not pid.exists():
        completed = run_tool(shell(pid, "wait"), tmp_path, timeout_s=timeout_s)
        assert completed.timed_out
        assert not completed.ok
        assert "was ended after" in completed.reason
        timeout_s *= 4
    patience.until(lambda: is_gone(pid))


def test_a_child_left_behind_is_ended_and_not_waited_for(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    completed = run_tool(shell(pid, "echo done"), tmp_path)
    assert completed.ok
    assert completed.output == "done"
    patience.until(lambda: is_gone(pid))


def test_an_error_in_one_thread_ends_the_tools_of_the_others(tmp_path: Path) -> None:
    pid = tmp_path / "pid"

    def fails() -> None:
        patience.until(pid.exists)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        in_parallel({"fails": fails, "waits": lambda: run_tool(shell(pid, "wait"), tmp_path)})
    patience.until(lambda: is_gone(pid))
    assert run_tool(["true"], tmp_path).ok, "later tools are not ended with them"


def test_a_second_interrupt_ends_what_does_not_want_to_end(tmp_path: Path) -> None:
    """A tool that ignores SIGTERM, and a user who doesn't wait for the time that it has."""
    script, pid = tmp_path / "script.py", tmp_path / "pid"
    stubborn = CHILD.format(pid=pid, rest="trap '' TERM; wait; sleep 1000")
    script.write_text(
        "import pathlib, sys\n"
        "from corobench import commands\n"
        "commands.GRACE_S = 1e6\n"
        f"commands.run_tool(['sh', '-c', {stubborn!r}], pathlib.Path(sys.argv[1]))\n"
    )
    with subprocess.Popen([sys.executable, script, tmp_path], stderr=subprocess.PIPE) as process:
        patience.until(pid.exists)
        os.kill(process.pid, signal.SIGINT)
        # it has been asked to end: the first interrupt has arrived
        patience.until(lambda: is_gone(pid))
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=patience.SECONDS)
    assert b"KeyboardInterrupt" in errors


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupt_during_the_start_ends_the_tool(name: str, tmp_path: Path) -> None:
    """It arrives when the tool runs and Popen has not returned, as on a busy box; its handler is
    in place again afterwards.
    """
    script, pid = tmp_path / "script.py", tmp_path / "pid"
    script.write_text(
        "import pathlib, signal, subprocess, sys, time\n"
        "from corobench import commands\n"
        "signal.signal(signal.SIGTERM, signal.default_int_handler)\n"
        "class Slow(subprocess.Popen):\n"
        "    def __init__(self, *words, **settings):\n"
        "        super().__init__(*words, **settings)\n"
        f"        while not pathlib.Path({str(pid)!r}).exists(): time.sleep(0.01)\n"
        f"        signal.raise_signal(signal.{name})\n"
        "subprocess.Popen = Slow\n"
        "try:\n"
        f"    commands.run_tool({shell(pid, 'wait')!r}, pathlib.Path(sys.argv[1]))\n"
        "except KeyboardInterrupt:\n"
        f"    assert signal.getsignal(signal.{name}) is signal.default_int_handler\n"
        "    print('interrupted')\n"
    )
    command = [sys.executable, script, tmp_path]
    output = subprocess.check_output(command, text=True, timeout=patience.SECONDS)
    assert output == "interrupted\n"
    patience.until(lambda: is_gone(pid))


def test_an_interrupt_ends_the_tools_of_all_threads(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, pathlib\n"
        "from corobench.commands import in_parallel, run_tool\n"
        "here = pathlib.Path(sys.argv[1])\n"
        "work = {}\n"
        "for n in 'ab':\n"
        "    words = ['sh', '-c', f'sleep 1000 & echo $! > {n}; mv {n} pid-{n}; wait']\n"
        "    work[n] = lambda words=words: run_tool(words, here)\n"
        "in_parallel(work)\n"
    )
    process = subprocess.Popen([sys.executable, script, tmp_path], stderr=subprocess.PIPE)
    pids = [tmp_path / "pid-a", tmp_path / "pid-b"]
    patience.until(lambda: all(pid.exists() for pid in pids))
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate()
    assert b"KeyboardInterrupt" in errors
    patience.until(lambda: all(is_gone(pid) for pid in pids))


def test_what_a_tool_says_can_be_shown(tmp_path: Path) -> None:
    words = ["printf", r"\033[1;31mred\033[0m \342\200\256words\007\n"]
    assert run_tool(words, tmp_path).output == "red words"
    assert run_tool(words, tmp_path, exact=True).output == "\x1b[1;31mred\x1b[0m \u202ewords\x07\n"


def test_nothing_that_can_not_be_seen_is_shown() -> None:
    categories = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    unseen = [
        letter for letter in map(chr, range(sys.maxunicode + 1)) if category(letter) in categories
    ]
    blank = "\u034f\u115f\u1160\u3164\uffa0"
    assert plain("".join([*unseen, *blank]).replace("\r", "")) == "\t\n"
    assert plain("\x1b]8;;https://example.org\x1b\\words\x1b]8;;\x1b\\") == "words"


def test_exact_output_is_kept_to_its_beginning(tmp_path: Path) -> None:
    assert len(run_tool(["seq", "100000"], tmp_path, exact=True).output.splitlines()) == 100000
