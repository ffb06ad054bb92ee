"""Starts a server's program as the runner does, asks it, and sees what it leaves behind."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from processes import LANGUAGE, PATIENCE, Variant


def interpreter(variant: Variant) -> str:
    """The one beside the tests, or that of the environment which `corobench build` made."""
    if not variant.missing:
        return sys.executable
    built = sorted(
        LANGUAGE.parent.glob(f".build/python/{variant.folder.name}/env-*/bin/python"), key=lambda path: path.lstat().st_mtime
    )
    if not built:
        pytest.skip(f"{variant.folder.name} is neither installed nor built here")
    return str(built[-1])


@dataclass(frozen=True)
class Served:
    """A server that runs in a session of its own."""

    process: subprocess.Popen[str]
    hello: dict[str, Any]
    port: int

    def connect(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def processes(self) -> list[int]:
        """All of the session that still run."""
        return [int(stat.parent.name) for stat in Path("/proc").glob("[0-9]*/stat") if _session(stat) == self.process.pid]

    def gone(self) -> bool:
        """Whether nothing of it is left, after some patience."""
        end = time.monotonic() + PATIENCE
        while (left := self.processes()) and time.monotonic() < end:
            time.sleep(0.01)
        return not left


def _session(stat: Path) -> int | None:
    """The session of a process that is not a zombie (proc(5): fields 3 and 6)."""
    try:
        state, _, _, session = stat.read_text().rpartition(")")[2].split()[:4]
    except (FileNotFoundError, ProcessLookupError):
        return None
    return int(session) if state != "Z" else None


def start(
    variant: Variant, program: Path, *arguments: str, stderr: int | None = None, folder: Path | None = None
) -> subprocess.Popen[str]:
    """`folder`: where it puts its files, as the runner says it."""
    places = {"language": str(LANGUAGE), "runtime": str(variant.folder), "nginx": os.environ.get("COROBENCH_TOOL_NGINX", "nginx")}
    env = {key: text.format(**places) for key, text in variant.env.items()} | {"COROBENCH_RUNTIME": variant.name}
    env |= {"TMPDIR": str(folder)} if folder else {}
    flags = ["-s"] if variant.pinned else ["-s", "-P"]  # which an old interpreter does not know
    return subprocess.Popen(
        [interpreter(variant), *flags, str(program), *arguments],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        start_new_session=True,
    )


@contextmanager
def serving(variant: Variant, workload: str, *arguments: str, folder: Path | None = None) -> Iterator[Served]:
    """A server that has announced its port."""
    process = start(variant, variant.program(workload), *arguments, folder=folder)
    assert process.stdin
    assert process.stdout
    with process:
        try:
            hello, hold = (json.loads(process.stdout.readline()) for _ in range(2))
            assert (hold["type"], hold["point"], hold["units"], hold["launcher"]) == ("hold", "serving", 0, True)
            yield Served(process, hello, hold["port"])
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def end(served: Served) -> list[dict[str, Any]]:
    """Lets the server end; the lines that it still writes."""
    rest, _ = served.process.communicate("\n", timeout=PATIENCE)
    return [json.loads(line) for line in rest.splitlines()]
