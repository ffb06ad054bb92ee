"""Runs every program small and traced, and holds it to its spec and manifest: no right answer, no
number.

What passed is remembered under the hash of everything that decides it (programs, spec, toolchain,
the rules themselves), so that a second run verifies nothing again.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait
from functools import cache
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import msgspec

from corobench.execute import process
from corobench.execute.load import cpus_left, with_latency_server
from corobench.execute.process import Trouble
from corobench.execute.program import Program, track_cpus
from corobench.execute.reader import converse
from corobench.execute.server import serve
from corobench.machine.proc import usable
from corobench.results.log import write_atomically
from corobench.suite.workload import Parameter, Point, Spot, Track, Workload, point_name
from corobench.toolchains.tools import Prepared

S = TypeVar("S", bound=Spot)
Problem = str
TRIES = 5
# Verify measures nothing, and the box may be busy with other programs that are verified: what a
# program loses by that alone is tried again. Answers, counts and orders are not: a single wrong one
# rejects it.
_SPOILT = frozenset({process.TIMING, "did-not-finish"})
_PACKAGE = Path(__file__).parents[1]
_SWEEP_S = 0.2  # between two sweeps, until nothing is verified any longer


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What verify found for a runtime and a workload.

    `true_switches` is the share of true switches among the resumes by point name, where the spec
    asks for it.
    """

    runtime: str
    workload: str
    problems: list[Problem]
    true_switches: dict[str, float] = {}
    remembered: bool = False

    @property
    def name(self) -> str:
        return f"{self.runtime}/{self.workload}"


class Job(msgspec.Struct, frozen=True):
    """A program to verify, the points whose switches are counted, and the hash under which success
    is remembered.
    """

    program: Program
    points: list[Point]
    key: str


class Memory:
    """What was verified before, in one file; a file that can't be read is as good as none."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._known = msgspec.json.decode(path.read_bytes(), type=dict[str, Verified])
        except (OSError, msgspec.DecodeError):
            self._known = {}

    def get(self, key: str) -> Verified | None:
        known = self._known.get(key)
        return msgspec.structs.replace(known, remembered=True) if known else None

    def put(self, key: str, found: Verified) -> None:
        """Keeps a success, on the disk at once: an interrupt takes nothing from it."""
        if not found.problems:
            self._known[key] = found
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._path, msgspec.json.encode(self._known))


def job(program: Program, workload: Workload, prepared: Prepared, points: list[Point]) -> Job:
    """The job of a program; its key covers all that decides the outcome."""
    manifest = msgspec.json.encode(
        [workload, program.runtime.variant, [p.params for p in points]], order="sorted"
    )
    facts = [
        prepared.version,
        prepared.language_version,
        json.dumps(prepared.hashes, sort_keys=True),
    ]
    # Where a tool of ours lies says which it is: the folder is named by the hash of what it is made
    # of.
    options = program.runtime.toolchain.verify_options
    around = [_rules(), str(len(track_cpus("all-cpus"))), *map(str, program.tools), *options]
    return Job(
        program,
        points,
        hashlib.sha256(b"\0".join([manifest, *(f.encode() for f in facts + around)])).hexdigest(),
    )


@cache
def _rules() -> str:
    """The hash of the code that judges: this module and all of ours that it imports."""
    files = sorted(imported(Path(__file__)))
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def imported(module: Path) -> set[Path]:
    """The file of a module of this package, and those of all that it imports, directly or not."""
    found: set[Path] = set()
    to_read = [module]
    while to_read:
        file = to_read.pop()
        if file not in found:
            found.add(file)
            to_read += _imports(file)
    return found


def _imports(file: Path) -> Iterator[Path]:
    """The files of this package that a file's import statements name; a name may be a module."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            first, *rest = name.split(".")
            path = _PACKAGE.joinpath(*rest)
            if first == _PACKAGE.name:
                yield from filter(Path.is_file, [path.with_suffix(".py"), path / "__init__.py"])


def verify(
    jobs: Iterable[Job],
    memory: Memory,
    say: Callable[[Verified], None],
    sweep: Callable[[], object] = lambda: None,
) -> list[Verified]:
    """Verifies all jobs, as many at once as there are CPUs; nothing is being measured meanwhile.

    An interrupt, or any error, ends the programs with `sweep` before it is raised; what has passed
    is remembered.
    """
    halted = Event()

    def judged(job: Job) -> Verified:
        return memory.get(job.key) or check(job, halted)

    with ThreadPoolExecutor(max_workers=len(track_cpus("all-cpus"))) as pool:
        futures = {pool.submit(judged, job): job for job in jobs}
        try:
            for future in as_completed(futures):
                result = future.result()
                if not result.remembered:
                    memory.put(futures[future].key, result)
                say(result)
        except BaseException:
            halted.set()
            pool.shutdown(wait=False, cancel_futures=True)
            end_all(futures, sweep)
            raise
    return [future.result() for future in futures]


def end_all(futures: Iterable[Future[Any]], sweep: Callable[[], object]) -> None:
    """Until no thread waits for a program: one may have started its own just after a sweep.

    To `wait`, a future that was cancelled before any thread took it is never done.
    """
    while running := [future for future in futures if not future.done()]:
        sweep()
        wait(running, timeout=_SWEEP_S)


def check(job: Job, halted: Event | None = None) -> Verified:
    """All verify points of one program, traced, then the counted ones. The first problem of a point
    ends that point only.

    KeyboardInterrupt between two programs once `halted` is set.
    """
    program = job.program.only_verified()
    track = program.runtime.variant.tracks[0]
    halted = halted or Event()
    problems = list(_traced(program, track, halted))
    shares: dict[str, float] = {}
    if program.workload.true_switches and not problems:
        for point in _unless(halted, job.points):
            share = _share(program, point, track)
            if isinstance(share, Problem):
                problems.append(share)
            else:
                shares[point.name] = share
    return Verified(
        runtime=program.runtime.name,
        workload=program.workload.name,
        problems=problems,
        true_switches=shares,
    )


def _unless(halted: Event, items: Iterable[S]) -> Iterator[S]:
    for item in items:
        if halted.is_set():
            raise KeyboardInterrupt
        yield item


def _traced(program: Program, track: Track, halted: Event) -> Iterator[Problem]:
    cpus = track_cpus(track)
    for point in _unless(halted, program.workload.verify):
        if not program.runtime.offers(program.workload.name, point.params):
            continue
        try:
            _tried(program, point, cpus)
        except Trouble as wrong:
            yield f"{_where(program, point.params)}: {wrong.reason}"


def _tried(program: Program, spot: Spot, cpus: frozenset[int]) -> None:
    """Once, or up to five times where the box may have spoilt it."""
    for _ in range(TRIES - 1):
        try:
            return _once(program, spot, cpus)
        except Trouble as wrong:
            if wrong.kind not in _SPOILT:
                raise
    return _once(program, spot, cpus)


def _once(program: Program, spot: Spot, cpus: frozenset[int]) -> None:
    """A server answers the load of the point; everything else is traced."""
    if program.workload.kind == "served":
        serve(program, spot, cpus)
    else:
        cpus = cpus_left(program.workload, cpus, usable())
        arguments, expected = program.ask(spot.params, len(cpus), 1, traced=True)
        if program.workload.kind == "startup":  # it speaks only when asked to, and traces nothing
            arguments = program.arguments(spot.params, report=1)
        with_latency_server(program, cpus, arguments, expected)


def _share(program: Program, point: Point, track: Track) -> float | Problem:
    """The share of true switches among the resumes at a measured point; self-yields (one task) are
    not divided.
    """
    cpus = track_cpus(track)
    arguments, expected = program.ask(point.params, len(cpus), 1, counted=True)
    try:
        reading = converse(program.launch(cpus, arguments), expected)
    except Trouble as wrong:
        return f"{_where(program, point.params)},count=1: {wrong.reason}"
    counted, resumes = int(reading.evidence["true_switches"]), reading.iterations[-1].ops
    if not counted:
        return f"{_where(program, point.params)},count=1: no true switch in {resumes} resumes"
    return counted / resumes


def _where(program: Program, params: dict[str, Parameter]) -> str:
    return f"{program.runtime.name}/{program.workload.name}/{point_name(params)}"
