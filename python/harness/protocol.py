"""The lines that a program owes the runner: JSON objects, one a line, buffered until they are flushed."""

import json
import os
import platform
import sys
from collections.abc import Sequence
from types import TracebackType

import interpreter


def hello(runtime: str, version: str, workload: str, params: object, settings: dict[str, object]) -> None:
    write(
        {
            "type": "hello",
            "protocol": 1,
            "runtime": runtime,
            "version": version,
            "language_version": platform.python_version(),
            "workload": workload,
            "params": params,
            "settings": {**interpreter.facts(), **settings},
        }
    )


def iteration(index: int, elapsed_ns: int, cpu_ns: int, ops: int, evidence: dict[str, int]) -> None:
    write({"type": "iteration", "index": index, "elapsed_ns": elapsed_ns, "cpu_ns": cpu_ns, "ops": ops, "evidence": evidence})


def series(name: str, values: Sequence[int]) -> None:
    write({"type": "series", "name": name, "values": list(values)})


def hold(point: str, units: int, port: int | None = None, *, launcher: bool = False) -> None:
    """Announces a named point at once; a server's says the port where it accepts connections, and whether it only launched it."""
    line: dict[str, object] = {"type": "hold", "point": point, "units": units}
    if port is not None:
        line["port"] = port
    if launcher:
        line["launcher"] = True
    write(line)
    flush()


def end() -> None:
    write({"type": "end"})
    flush()


def write(line: dict[str, object]) -> None:
    """Buffers one line; a full buffer may reach the runner early, but never inside a timed region."""
    with _failing_writes():
        sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")


def flush() -> None:
    with _failing_writes():
        sys.stdout.flush()


class _failing_writes:
    """A failed write ends with status 1; left to itself, CPython would try again at exit and end with 120."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(error, OSError):
            print(f"stdout: {error}", file=sys.stderr, flush=True)
            os._exit(1)
