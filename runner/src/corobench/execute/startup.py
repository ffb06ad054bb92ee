"""Startup is measured from outside by hyperfine, without a shell, few processes an invocation so that it interleaves."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path
from statistics import fmean

import msgspec

from corobench.execute import trouble
from corobench.execute.process import Outcome, run
from corobench.execute.program import Program
from corobench.execute.reading import Reading
from corobench.execute.trouble import Trouble
from corobench.model import Point
from corobench.store import Iteration


class _Value(msgspec.Struct):
    value: float


class _Measurement(msgspec.Struct):
    """A process in an export of hyperfine 2."""

    time_wall_clock: _Value
    time_user: _Value
    time_system: _Value
    exit_code: int


class _Result(msgspec.Struct):
    """The part of hyperfine's export that we use: of each process since 2.0, user and system time as means before (s).

    Its memory column is ru_maxrss, inherited from hyperfine: never read.
    """

    measurements: list[_Measurement] = []
    times: list[float] = []
    user: float = 0.0
    system: float = 0.0
    exit_codes: list[int] = []

    def plain(self) -> _Result:
        """As hyperfine 1 writes it."""
        if not (each := self.measurements):
            return self
        return _Result(
            times=[one.time_wall_clock.value for one in each],
            user=fmean(one.time_user.value for one in each),
            system=fmean(one.time_system.value for one in each),
            exit_codes=[one.exit_code for one in each],
        )


class _Export(msgspec.Struct):
    results: list[_Result]


def take(program: Program, point: Point, cpus: frozenset[int]) -> Reading:
    """Starts the process `point.iterations` times. Raises Trouble for anything but success."""
    hyperfine = program.tool("hyperfine")
    target = program.launch(cpus, program.arguments(point.params))
    with tempfile.TemporaryDirectory(prefix="corobench-") as folder:
        export = Path(folder) / "hyperfine.json"
        options = ["--shell=none", "--style=none", "--warmup=0", f"--runs={point.iterations}", f"--export-json={export}"]
        argv = [str(hyperfine), *options, "--", shlex.join(target.argv)]
        try:
            outcome = run(msgspec.structs.replace(target, argv=argv), lambda _line, _pid: None)
        except OSError as error:
            raise Trouble("not-started", f"hyperfine cannot be started: {error}") from error
        if wrong := trouble.of(outcome):
            raise wrong
        try:
            result = msgspec.json.decode(export.read_bytes(), type=_Export).results[0].plain()
        except (OSError, msgspec.DecodeError, IndexError) as error:
            raise Trouble("wrong", f"hyperfine left no usable result: {error}", outcome) from error
    return _reading(result, outcome, point.iterations)


def _reading(result: _Result, outcome: Outcome, runs: int) -> Reading:
    if len(result.times) != runs or any(result.exit_codes):
        raise Trouble("wrong", f"hyperfine saw {len(result.times)} processes, exit codes {result.exit_codes}", outcome)
    cpu = round((result.user + result.system) * 1e9)
    return Reading(
        outcome=outcome,
        iterations=[Iteration(round(seconds * 1e9), cpu, 1) for seconds in result.times],
        evidence={"user_ns": round(result.user * 1e9), "system_ns": round(result.system * 1e9)},
    )
