"""What every program shares: key=value arguments, protocol lines, holds and the timed loop."""

import json
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from time import monotonic_ns, process_time_ns
from types import TracebackType
from typing import NoReturn, Self

MOST_ITERATIONS = 10_000
# Default, least and most of the keys that every workload understands.
_SHARED = {"iterations": (1, 1, MOST_ITERATIONS), "min_warm_ms": (0, 0, None), "trace": (0, 0, 1)}


def usage(message: str) -> NoReturn:
    """Refuses the command line: status 2."""
    print(f"usage: {message}", file=sys.stderr)
    sys.exit(2)


def pairs(arguments: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Arguments of the form key=value as a dictionary, each known and given once."""
    given: dict[str, str] = {}
    for argument in arguments:
        key, sign, value = argument.partition("=")
        if not sign:
            usage(f"{argument!r} is not key=value")
        if key not in known:
            usage(f"unknown key {key}; known: {', '.join(known)}")
        if key in given:
            usage(f"{key} is given twice")
        given[key] = value
    return given


def integer(key: str, text: str, least: int, most: int | None = None) -> int:
    """A decimal integer within bounds, or a usage error."""
    value = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else -1
    if value < least or (most is not None and value > most):
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        usage(f"{key}={text} must be an integer {bounds}")
    return value


class Lap:
    """One iteration: `with lap:` is the timed region, `record` says afterwards what happened in it."""

    __slots__ = ("_cpu_ns", "_start_ns", "cpu_ns", "elapsed_ns", "evidence", "ops")

    def __init__(self) -> None:
        self.ops: int | None = None

    def __enter__(self) -> Self:
        self._cpu_ns = process_time_ns()
        self._start_ns = monotonic_ns()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.elapsed_ns = monotonic_ns() - self._start_ns
        self.cpu_ns = process_time_ns() - self._cpu_ns

    def record(self, ops: int, **evidence: int) -> None:
        """What the operations added up to, counted from their results."""
        self.ops = ops
        self.evidence = evidence


class Program:
    """One process: its arguments, and the lines that it owes the runner."""

    def __init__(
        self,
        workload: str,
        *parameters: str,
        flags: Sequence[str] = (),
        powers_of_ten: Sequence[str] = (),
        arguments: Sequence[str] | None = None,
    ) -> None:
        given = pairs(sys.argv[1:] if arguments is None else arguments, [*parameters, *flags, *_SHARED])
        self.workload = workload
        self.params = {key: integer(key, given[key], 1) for key in parameters if key in given}
        if missing := [key for key in parameters if key not in given]:
            usage(f"{missing[0]} is missing")
        for key in powers_of_ten:
            if str(self.params[key]).strip("0") != "1":
                usage(f"{key}={given[key]} must be a power of ten")
        self.params |= {key: integer(key, given[key], 0, 1) for key in flags if key in given}
        shared = {
            key: integer(key, given[key], least, most) if key in given else default
            for key, (default, least, most) in _SHARED.items()
        }
        self.traced = shared["trace"] == 1
        self.iterations = shared["iterations"]
        self.min_warm_ns = shared["min_warm_ms"] * 1_000_000
        self.runtime = os.environ.get("COROBENCH_RUNTIME") or usage("the environment variable COROBENCH_RUNTIME is not set")
        self._laps: list[Lap] = []

    def __getitem__(self, key: str) -> int:
        return self.params.get(key, 0)

    def hello(self, version: str, settings: dict[str, object]) -> None:
        """First line; `settings` are what the runtime itself says is in effect."""
        hello(self.runtime, version, self.workload, self.params, settings)

    def laps(self, most: int = MOST_ITERATIONS) -> Iterator[Lap]:
        """Iterations until there are enough of them and the warm ones have lasted long enough; one if traced."""
        warm_ns = 0
        while True:
            lap = Lap()
            yield lap
            if lap.ops is None:
                raise RuntimeError("an iteration ended without a record")
            if self._laps:
                warm_ns += lap.elapsed_ns
            self._laps.append(lap)
            done = len(self._laps)
            if done >= most or self.traced or (done >= self.iterations and warm_ns >= self.min_warm_ns):
                return

    def hold(self, point: str, units: int) -> None:
        """Announces a named point, and waits there until the runner has read the process from outside."""
        write({"type": "hold", "point": point, "units": units})
        flush()
        if not sys.stdin.readline():
            print(f"stdin ended at the hold {point!r}: the runner is gone", file=sys.stderr)
            sys.exit(1)

    def end(self, events: Sequence[tuple[str, int, str]] = ()) -> None:
        """All iterations, the trace if one was asked for, and the last line."""
        for index, lap in enumerate(self._laps):
            assert lap.ops is not None
            iteration(index, lap.elapsed_ns, lap.cpu_ns, lap.ops, lap.evidence)
        if self.traced:
            write({"type": "trace", "events": events})
        end()


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
            "settings": settings,
        }
    )


def iteration(index: int, elapsed_ns: int, cpu_ns: int, ops: int, evidence: dict[str, int]) -> None:
    write({"type": "iteration", "index": index, "elapsed_ns": elapsed_ns, "cpu_ns": cpu_ns, "ops": ops, "evidence": evidence})


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
