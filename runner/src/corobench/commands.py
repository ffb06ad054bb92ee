"""Starts helper commands (probes, installers, compilers, git) and waits for them: the one place
that does so.

Each gets a session, and so a process group, of its own: it is ended together with its children on
an interrupt, on a time-out and where it leaves some behind.
"""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, TypeVar

import msgspec

from corobench.environ import for_tools
from corobench.errors import plain

K = TypeVar("K")
T = TypeVar("T")

GRACE_S = 2.0
CANNOT_START = "cannot be started: "
_TAIL = 64 * 1024
_INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# Readable while `in_parallel` ends its threads' tools; an event descriptor, so that waiting for it
# needs no polling.
_HALT = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)


class Completed(msgspec.Struct, frozen=True, kw_only=True):
    """How a command ended. `output` and `errors` are the ends of its streams; with a log, `output`
    is that of both.

    `exit_status` is negative for a signal, and 127 with an explanation in `errors` where the
    command couldn't be started.
    """

    command: list[str]
    exit_status: int
    output: str
    errors: str
    timed_out: bool
    seconds: float

    @property
    def ok(self) -> bool:
        return self.exit_status == 0 and not self.timed_out

    @property
    def reason(self) -> str:
        """What went wrong, in words, without the output. The tool goes by its name: where it lies
        may be published otherwise.
        """
        words = shlex.join([Path(self.command[0]).name, *self.command[1:]])
        if self.timed_out:
            return f"`{words}` was ended after {self.seconds:.0f} s"
        if self.exit_status == 127 and self.errors.startswith(CANNOT_START):
            return f"`{words}` {self.errors}"
        how = (
            f"signal {-self.exit_status}"
            if self.exit_status < 0
            else f"exit status {self.exit_status}"
        )
        return f"`{words}` ended with {how}"


def run_tool(
    command: Sequence[str | Path],
    cwd: Path,
    env: Mapping[str, str] | None = None,
    log: Path | None = None,
    *,
    timeout_s: float | None = None,
    show: bool = False,
    exact: bool = False,
    feed: IO[bytes] | None = None,
) -> Completed:
    """Runs a command to its end; never raises for what the command does.

    `env` is its whole environment (None: ours). With `log` both streams are appended to that file;
    with `show` they are ours. Of the streams the ends are kept, without what can't be seen; with
    `exact` all that is on stdout, as it is. `feed` is its stdin, which is empty otherwise. While it
    runs this process sleeps. KeyboardInterrupt ends the command first and is then raised again.
    """
    words = [str(word) for word in command]
    if log is not None:
        with log.open("ab", buffering=0) as file:
            file.write(f"$ {shlex.join(words)}\n".encode())
            start = file.tell()
            completed = _run(words, cwd, env, file, subprocess.STDOUT, timeout_s)
        if completed.exit_status == 127 and completed.errors:
            return completed
        with log.open("rb") as file:
            return msgspec.structs.replace(completed, output=_tail(file, start))
    if show:
        sys.stdout.flush()
        return _run(words, cwd, env, None, None, timeout_s)
    # Files, not pipes: a grandchild that outlives the command can't keep us waiting for the end of
    # a pipe.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        completed = _run(words, cwd, env, output, errors, timeout_s, feed)
        told = _all(output) if exact else _tail(output)
        return msgspec.structs.replace(
            completed, output=told, errors=completed.errors or _tail(errors)
        )


def in_parallel(work: Mapping[K, Callable[[], T]]) -> dict[K, T]:
    """Calls each function in a thread of its own. An interrupt or an error in one ends the tools of
    all, then is raised.
    """
    if not work:
        return {}
    with ThreadPoolExecutor(len(work)) as threads:
        try:
            futures = {key: threads.submit(function) for key, function in work.items()}
            return {key: future.result() for key, future in futures.items()}
        except BaseException:
            os.eventfd_write(_HALT, 1)
            threads.shutdown(wait=True)
            os.eventfd_read(_HALT)
            raise


def halted(timeout_s: float = 0.0) -> bool:
    """Waits up to a time for `in_parallel` to end its threads; whether it did."""
    return bool(_readable([_HALT], timeout_s))


def _run(
    words: list[str],
    cwd: Path,
    env: Mapping[str, str] | None,
    output: IO[bytes] | None,
    errors: IO[bytes] | int | None,
    timeout_s: float | None,
    feed: IO[bytes] | None = None,
) -> Completed:
    started = time.monotonic()
    process: subprocess.Popen[bytes] | None = None
    in_time = False
    try:
        with _interrupts_held():
            process = subprocess.Popen(
                words,
                cwd=cwd,
                env=None if env is None else dict(env),
                stdin=feed or subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            )
        in_time = _wait(process.pid, timeout_s)
    except OSError as error:
        if process is not None:
            raise
        reason = f"{CANNOT_START}{error.strerror}"
        return Completed(
            command=words, exit_status=127, output="", errors=reason, timed_out=False, seconds=0.0
        )
    finally:
        if process is not None:
            _end_group(process, gently=not in_time)
    return Completed(
        command=words,
        exit_status=process.returncode,
        output="",
        errors="",
        timed_out=not in_time,
        seconds=time.monotonic() - started,
    )


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Delivers the interrupts that arrive in the block when it has ended.

    One that is raised inside of Popen leaves behind a tool that nobody knows. Handlers hold them
    back and not a signal mask, which the tool would inherit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread handles signals
        return
    arrived: list[int] = []
    handlers = {
        number: handler for number in _INTERRUPTS if callable(handler := signal.getsignal(number))
    }
    try:
        for number in handlers:
            signal.signal(number, lambda number, _frame: arrived.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for held in arrived:
            signal.raise_signal(held)


def _wait(pid: int, timeout_s: float | None) -> bool:
    """Sleeps until a child has ended; False where the time was up first."""
    descriptor = os.pidfd_open(pid)
    try:
        ready = _readable([descriptor, _HALT], timeout_s)
        if _HALT in ready:
            raise KeyboardInterrupt
        return bool(ready)
    finally:
        os.close(descriptor)


def _end_group(process: subprocess.Popen[bytes], gently: bool) -> None:
    """Ends what is left of a group, then collects the leader.

    In this order, because the group's number can't be given to others as long as the leader hasn't
    been collected. A second interrupt ends the time that it has to end by itself.
    """
    try:
        if gently:
            _signal(process.pid, signal.SIGTERM)
            descriptor = os.pidfd_open(process.pid)
            try:
                _readable([descriptor], GRACE_S)
            finally:
                os.close(descriptor)
    finally:
        _signal(process.pid, signal.SIGKILL)
        process.wait()


def _signal(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)


def _readable(descriptors: list[int], timeout_s: float | None) -> list[int]:
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return [
        descriptor for descriptor, _ in poll.poll(None if timeout_s is None else timeout_s * 1000)
    ]


def _tail(file: IO[bytes], start: int = 0) -> str:
    end = file.seek(0, os.SEEK_END)
    file.seek(max(start, end - _TAIL))
    return plain(file.read().decode(errors="replace")).strip()


def _all(file: IO[bytes]) -> str:
    file.seek(0)
    return os.fsdecode(file.read())


def git(
    root: Path, *words: str, exact: bool = False, env: Mapping[str, str] | None = None
) -> Completed:
    """Asks the checkout's own git: never that of a folder around it, in which an archive may have
    been unpacked. `exact`: as of `run_tool`. `env`: what is added to the environment.
    """
    env = {
        **for_tools(os.environ),
        **(env or {}),
        "GIT_CEILING_DIRECTORIES": str(root.parent),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        # Without the user's settings: whose files these are, git may not know.
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": str(root),
    }
    return run_tool(["git", *words], cwd=root, env=env, exact=exact)
