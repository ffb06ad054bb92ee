"""What every program shares: its parameters, the timed loop, and holds."""

import gc
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic_ns, process_time_ns
from types import TracebackType

import protocol
from arguments import choice, integer, pairs, usage

MOST_ITERATIONS = 10_000
MOST_PORT = 65_535
# Default, least and most of the keys that every workload understands.
_SHARED = {"iterations": (1, 1, MOST_ITERATIONS), "min_warm_ms": (0, 0, None), "trace": (0, 0, 1), "nonce": (0, 0, None)}


class Lap:
    """One iteration: `with lap:` is the timed region, `record` says afterwards what happened in it.

    `nonce` is its own number, which results contain: none is known beforehand or can be kept for the next iteration.
    """

    __slots__ = ("_cpu_ns", "_start_ns", "cpu_ns", "elapsed_ns", "evidence", "nonce", "ops")

    def __init__(self, nonce: int = 0) -> None:
        self.nonce = nonce
        self.ops: int | None = None

    def __enter__(self) -> "Lap":
        self._cpu_ns = process_time_ns()
        self._start_ns = monotonic_ns()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.elapsed_ns = monotonic_ns() - self._start_ns
        self.cpu_ns = process_time_ns() - self._cpu_ns

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """A part of the timed region that does not count: a hold."""
        stopped_ns, cpu_ns = monotonic_ns(), process_time_ns()
        yield
        self._cpu_ns += process_time_ns() - cpu_ns
        self._start_ns += monotonic_ns() - stopped_ns

    def numbers(self, n: int) -> range:
        """The numbers of n tasks, from the nonce on."""
        return range(self.nonce, self.nonce + n)

    def record(self, ops: int, **evidence: int) -> None:
        """What the operations added up to, counted from their results."""
        self.ops = ops
        self.evidence = evidence


class Program:
    """One process: its arguments, and the lines that it owes the runner.

    Parameters are integers of at least 1, flags are 0 or 1 and may be missing; `zeros` names the parameters that may be 0,
    `choices` those that are words, with the words; a program with a `companion` may be told its port on 127.0.0.1.
    """

    def __init__(
        self,
        workload: str,
        *parameters: str,
        flags: Sequence[str] = (),
        powers_of_ten: Sequence[str] = (),
        zeros: Sequence[str] = (),
        choices: Mapping[str, Sequence[str]] | None = None,
        companion: bool = False,
        arguments: Sequence[str] | None = None,
    ) -> None:
        words = choices or {}
        known = [*parameters, *words, *flags, *_SHARED, *(["peer"] if companion else [])]
        given = pairs(sys.argv[1:] if arguments is None else arguments, known)
        self.workload = workload
        self._numbers = {key: integer(key, given[key], int(key not in zeros)) for key in parameters if key in given}
        if missing := [key for key in (*parameters, *words) if key not in given]:
            usage(f"{missing[0]} is missing")
        for key in powers_of_ten:
            if str(self._numbers[key]).strip("0") != "1":
                usage(f"{key}={given[key]} must be a power of ten")
        self._numbers |= {key: integer(key, given[key], 0, 1) for key in flags if key in given}
        self._words = {key: choice(key, given[key], words[key]) for key in words}
        self._peer = integer("peer", given["peer"], 1, MOST_PORT) if "peer" in given else None
        shared = {
            key: integer(key, given[key], least, most) if key in given else default
            for key, (default, least, most) in _SHARED.items()
        }
        self.traced = shared["trace"] == 1
        self.iterations = shared["iterations"]
        self.min_warm_ns = shared["min_warm_ms"] * 1_000_000
        self._nonce = shared["nonce"]
        self.runtime = os.environ.get("COROBENCH_RUNTIME") or usage("the environment variable COROBENCH_RUNTIME is not set")
        self._laps: list[Lap] = []
        self._series: dict[str, Sequence[int]] = {}
        _set_collector()

    def __getitem__(self, key: str) -> int:
        return self._numbers.get(key, 0)

    def word(self, key: str) -> str:
        """The value of a parameter that is one of the `choices`."""
        return self._words[key]

    @property
    def params(self) -> dict[str, int | str]:
        """The workload's own parameters, as they were given."""
        return self._numbers | self._words

    @property
    def peer(self) -> int:
        """The port of the companion on 127.0.0.1; a usage error where none was given."""
        return self._peer or usage("peer is missing")

    def hello(self, version: str, settings: dict[str, object]) -> None:
        """First line; `settings` are what the runtime itself says is in effect."""
        protocol.hello(self.runtime, version, self.workload, self.params, settings)

    def laps(self, most: int = MOST_ITERATIONS) -> Iterator[Lap]:
        """Iterations until there are enough of them and the warm ones have lasted long enough; one if traced."""
        warm_ns = 0
        while True:
            lap = Lap(self._nonce + len(self._laps))
            yield lap
            if lap.ops is None:
                raise RuntimeError("an iteration ended without a record")
            if self._laps:
                warm_ns += lap.elapsed_ns
            self._laps.append(lap)
            done = len(self._laps)
            if done >= most or self.traced or (done >= self.iterations and warm_ns >= self.min_warm_ns):
                return

    def series(self, name: str, values: Sequence[int]) -> None:
        """Raw samples in the order in which they happened, nanoseconds, none negative; they are written at the end."""
        self._series[name] = values

    def hold(self, point: str, units: int) -> None:
        """Announces a named point, and waits there until the runner has read the process from outside."""
        protocol.hold(point, units)
        self.wait_for_line(point)

    def serving(self, port: int, *, launcher: bool = False) -> None:
        """Says that connections to `port` on 127.0.0.1 are accepted; the server ends when `wait_for_line` does.

        `launcher`: this process has started the server, and is none of it.
        """
        protocol.hold("serving", 0, port, launcher=launcher)

    def wait_for_line(self, point: str) -> None:
        """Blocks until the runner lets the program go on; status 1 where the runner is gone."""
        if not sys.stdin.readline():
            print(f"stdin ended at the hold {point!r}: the runner is gone", file=sys.stderr)
            sys.exit(1)

    def end(self, events: Sequence[tuple[str, int, str]] = ()) -> None:
        """All iterations, all series, the trace if one was asked for, and the last line."""
        for index, lap in enumerate(self._laps):
            assert lap.ops is not None
            protocol.iteration(index, lap.elapsed_ns, lap.cpu_ns, lap.ops, lap.evidence)
        for name, values in self._series.items():
            protocol.series(name, values)
        if self.traced:
            protocol.write({"type": "trace", "events": events})
        protocol.end()


def _set_collector() -> None:
    """Only the manifest's variants turn the collector off: CPython has no switch for it outside the program."""
    setting = os.environ.get("COROBENCH_GC", "on")
    if setting == "off":
        gc.disable()
    elif setting != "on":
        usage(f"the environment variable COROBENCH_GC is {setting!r}, not on or off")
