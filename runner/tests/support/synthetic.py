"""Makes runs that look like measured ones: eight runtimes, the real specs, a box whose noise is a
parameter.

`make_run` gives a `store.Run`; `write_run` puts it into a folder as the runner would. Everything
follows from the seed. `cell` finds a number in what statistics make of it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import msgspec

from corobench.plan import PROFILE, Selection, block_order, make_plan
from corobench.results import log
from corobench.results.log import create
from corobench.statistics.types import Cell, RunSummary
from corobench.suite.load import load_workload
from corobench.suite.runtime import Manifest, Program, Runtime, Suite, Toolchain, Variant
from corobench.suite.workload import Case, Declared, Point, Unit, Workload, parse_case

ROOT = Path(__file__).resolve().parent
NS = 1_000_000_000

RUNTIMES: dict[str, tuple[str, Unit, list[Declared], str | int]] = {
    "asyncio": ("Python", "stackless task", ["one-cpu"], 1),
    "uvloop": ("Python", "stackless task", ["one-cpu"], 1),
    "gevent": ("Python", "stackful task", ["one-cpu"], 1),
    "go-p1": ("Go", "stackful task", ["one-cpu"], 1),
    "go": ("Go", "stackful task", ["all-cpus"], "{cpus}"),
    "tokio-current-thread": ("Rust", "stackless task", ["one-cpu"], 1),
    "tokio-multi-thread": ("Rust", "stackless task", ["one-cpu", "all-cpus"], "{cpus}"),
    "node": ("Node", "future", ["one-cpu"], 1),
}
REFERENCE = {"one-cpu": "asyncio", "all-cpus": "go"}
# ns an operation; bytes a parked task
COSTS = ("baseline", "startup", "spawn", "spawn-chain", "switch", "hand-off", "memory")
COST: dict[str, dict[str, float]] = {
    name: dict(zip(COSTS, costs, strict=True))
    for name, costs in {
        "asyncio": (45, 60e6, 7_000, 6_000, 2_500, 9_000, 2_100),
        "uvloop": (45, 80e6, 4_500, 3_700, 1_300, 5_500, 2_050),
        "gevent": (45, 95e6, 8_100, 2_300, 450, 1_700, 6_200),
        "go-p1": (1.2, 1.5e6, 520, 190, 95, 210, 2_750),
        "go": (1.2, 1.6e6, 410, 250, 95, 240, 2_760),
        "tokio-current-thread": (1, 0.9e6, 130, 70, 40, 110, 300),
        "tokio-multi-thread": (1, 1.1e6, 310, 180, 60, 900, 320),
        "node": (1.5, 42e6, 180, 120, 110, 260, 420),
    }.items()
}
BASE_BYTES = {"Python": 11e6, "Go": 2.2e6, "Rust": 0.9e6, "Node": 34e6}


@dataclass(frozen=True)
class Noise:
    """How the box behaves. Shares and standard deviations of logs; `other` and `steal` in cores of
    the wall time.
    """

    invocation: float = 0.02
    iteration: float = 0.015
    outliers: float = 0.05
    outlier_size: float = 0.5
    drift: float = 0.0
    modes: float = 0.0
    settling: float = 0.0
    other: float = 0.01
    steal: float = 0.0


@dataclass(frozen=True)
class Build:
    """What was measured: factors on the cost by (workload, runtime), planted failures by case key,
    and where the run ended.
    """

    slow: dict[tuple[str, str], float] = field(default_factory=dict)
    failures: dict[str, list[int]] = field(default_factory=dict)
    stop_in_block: int | None = None
    version: str = "1.0"
    commit: str = "0123abc" + "0" * 33


def suite(specs: Path = ROOT) -> Suite:
    """The core specs as they were when these tests were written, with eight made-up runtimes; every
    program exists.

    Frozen (tests/specs), because a changed point shifts every random figure after it.
    """
    workloads = {**_specs(specs)}
    runtimes = {name: _runtime(name, *facts) for name, facts in RUNTIMES.items()}
    toolchains = {runtime.toolchain.language: runtime.toolchain for runtime in runtimes.values()}
    return Suite(root=specs, toolchains=toolchains, runtimes=runtimes, workloads=workloads)


def make_run(
    seed: int = 1,
    blocks: int = 12,
    profile: str = "default",
    noise: Noise = Noise(),
    build: Build = Build(),
    workloads: list[str] | None = None,
    runtimes: list[str] | None = None,
    box: str = "test-box",
    start_s: float = 0.0,
    folder: Path = Path("synthetic"),
) -> log.Run:
    """A run of so many blocks. `start_s` shifts its clock, for runs that are compared."""
    made = suite()
    plan = make_plan(made, Selection(profile=profile, workloads=workloads, runtimes=runtimes), seed)
    header = log.RunHeader(
        schema=log.SCHEMA,
        run=f"run-{seed}",
        created=_time(start_s),
        corobench="0.1.0",
        commit=build.commit,
        dirty=False,
        plan=plan,
        box={
            "name": box,
            "cpu": {"model": "Synthetic 2-core", "cores": 2},
            "kernel": "6.1.0",
            "governor": "none",
        },
        runtimes={
            name: _facts(runtime, build.version)
            for name, runtime in made.runtimes.items()
            if not runtimes or name in runtimes
        },
        workloads={
            name: msgspec.to_builtins(w)
            for name, w in made.workloads.items()
            if not workloads or name in workloads
        },
        true_switches={"tokio-multi-thread/switch/k=2,m=500": 0.5},
        claims=PROFILE[profile].claims,
    )
    lines = list(_lines(header, made, blocks, noise, build, random.Random(seed), start_s))
    return log.Run(folder=folder, header=header, lines=lines, warnings=[])


def cell(summary: RunSummary, key: str) -> Cell:
    return next(found for found in summary.cells if found.key == key)


def write_run(folder: Path, run: log.Run) -> Path:
    """The run as a folder that `store.read` reads."""
    log = create(folder, run.header)
    log.close()
    encode = msgspec.json.Encoder().encode
    (folder / "log.jsonl").write_bytes(b"".join(encode(line) + b"\n" for line in run.lines))
    return folder


@cache
def _specs(root: Path) -> dict[str, Workload]:
    files = sorted((root / "specs").glob("*.toml"))
    return {file.stem: load_workload(file) for file in files}


def _runtime(
    name: str, language: str, unit: Unit, tracks: list[Declared], threads: str | int
) -> Runtime:
    variant = Variant(
        name=name,
        title=name,
        tracks=tracks,
        reference=[track for track in tracks if REFERENCE[track] == name],
        threads=threads,
        collector=language != "Rust",
        notes=["A made-up runtime."],
    )
    manifest = Manifest(
        title=name,
        unit=unit,
        site=f"https://example.org/{name}",
        program=Program(source=__file__, command=[name]),
        variant=[variant],
    )
    return Runtime(variant=variant, manifest=manifest, toolchain=_toolchain(language), folder=ROOT)


def _toolchain(language: str) -> Toolchain:
    return msgspec.convert(
        {
            "title": language,
            "minimum": "1",
            "help": "",
            "find": {"candidates": [], "probe": [], "pattern": ""},
            "language": language.lower(),
        },
        Toolchain,
    )


def _facts(runtime: Runtime, version: str) -> dict[str, object]:
    return {
        "title": runtime.variant.title,
        "language": runtime.toolchain.title,
        "unit": runtime.manifest.unit,
        "site": runtime.manifest.site,
        "tracks": list(runtime.variant.tracks),
        "threads": runtime.variant.threads,
        "order": runtime.variant.order,
        "collector": runtime.variant.collector,
        "notes": runtime.notes,
        "settings": {},
        "version": version,
        "language_version": "1",
        "facts": {"flags": "-O2"},
        "hashes": {"programs": f"{runtime.name}-{version}"},
    }


def _lines(
    header: log.RunHeader,
    made: Suite,
    blocks: int,
    noise: Noise,
    build: Build,
    rng: random.Random,
    start_s: float,
) -> Iterator[log.Line]:
    clock = start_s
    for block in range(blocks):
        speed = math.exp(noise.drift * block / max(1, blocks - 1))
        yield log.Control(
            name="canary",
            block=block,
            values={
                "wall_ns": int(1e7 * speed * _skew(rng, noise.invocation)),
                "cpu_ns": 10_000_000,
            },
        )
        order = block_order(header.plan, block)
        for position, key in enumerate(order):
            if build.stop_in_block == block and position == len(order) // 2:
                yield log.Mark(
                    event="interrupted", at=_time(clock), reason="interrupted by the user"
                )
                return
            if block in build.failures.get(key, []):
                yield _failure(key, block, position, clock)
                continue
            case = parse_case(key)
            point = header.plan.points[f"{case.workload}/{case.point}"]
            line = _invocation(case, point, made, block, position, clock, speed, noise, build, rng)
            clock += line.witness.wall_ns / NS
            yield line
        yield log.Mark(event="block-complete", at=_time(clock), block=block)
        if block + 1 in PROFILE[header.plan.profile].looks:
            yield log.Mark(
                event="look", at=_time(clock), block=block, reason="not precise enough yet"
            )
    yield log.Mark(
        event="finished",
        at=_time(clock),
        block=blocks - 1,
        reason=f"all {blocks} blocks of the profile are done",
    )


def _invocation(
    case: Case,
    point: Point,
    made: Suite,
    block: int,
    position: int,
    clock: float,
    speed: float,
    noise: Noise,
    build: Build,
    rng: random.Random,
) -> log.Invocation:
    spec, runtime = made.workloads[case.workload], made.runtimes[case.runtime]
    factor = build.slow.get((case.workload, case.runtime), 1.0)
    level = _cost(case) * factor * speed * _skew(rng, noise.invocation) * _outlier(rng, noise)
    level *= 1 + noise.modes if rng.random() < 0.45 else 1
    memory = spec.kind == "memory"
    ops = (
        1
        if spec.kind == "startup"
        else math.prod(v for v in point.params.values() if isinstance(v, int))
        * (2 if case.workload == "hand-off" else 1)
    )
    level *= 1.15 if case.workload == "startup" and point.params["mode"] == "first-task" else 1
    level *= _share(case) if case.workload == "switch" else 1
    if memory:
        iterations = [log.Iteration(int(ops * 1000), int(ops * 990), ops)]
    else:
        iterations = list(_iterations(spec, point, level * ops, ops, noise, rng))
    wall = sum(i.elapsed_ns for i in iterations) + 30_000_000
    own = sum(i.cpu_ns for i in iterations) + 25_000_000
    return log.Invocation(
        case=case.key,
        block=block,
        position=position,
        started=_time(clock),
        witness=log.Witness(
            wall_ns=wall,
            user_ns=int(0.9 * own),
            system_ns=int(0.1 * own),
            voluntary=12,
            involuntary=3,
            minor_faults=900,
            major_faults=0,
            busy_ns=own + int(noise.other * wall),
            steal_ns=int(noise.steal * wall),
            pressure_ns=0,
            load=0.8,
            mhz=None,
        ),
        iterations=iterations,
        evidence={"user_ns": int(0.8 * level), "system_ns": int(0.2 * level)}
        if spec.kind == "startup"
        else {"ops": ops},
        settings={},
        version=build.version,
        language_version="1",
        holds=_holds(runtime, int(point.params["n"]), factor, rng) if memory else {},
    )


def _cost(case: Case) -> float:
    """A workload without a cost of its own here costs as much as spawn."""
    costs = COST[case.runtime]
    return costs.get(case.workload, costs["spawn"])


def _share(case: Case) -> float:
    return 0.5 if case.runtime == "tokio-multi-thread" and case.point == "k=2,m=500" else 1.0


def _iterations(
    spec: Workload, point: Point, elapsed: float, ops: int, noise: Noise, rng: random.Random
) -> Iterator[log.Iteration]:
    count, warm = point.iterations, 0.0
    if spec.kind == "timed":
        count = max(count, min(10_000, math.ceil(22e6 / elapsed) + 1))
    for index in range(count):
        cold = 1.6 if index == 0 and spec.kind == "timed" else 1.0
        settle = 1 + noise.settling * math.exp(-2.0 * index / count)
        value = elapsed * cold * settle * _skew(rng, noise.iteration)
        warm += value
        yield log.Iteration(int(value) + 1, int(0.97 * value) + 1, ops)


def _holds(runtime: Runtime, n: int, factor: float, rng: random.Random) -> dict[str, log.Memory]:
    base = BASE_BYTES[runtime.toolchain.title] * (1 + rng.uniform(-0.002, 0.002))
    live = (
        base + 40_000 + n * COST[runtime.name]["memory"] * factor * (1 + rng.uniform(-0.002, 0.002))
    )
    kept = base + 0.3 * (live - base)
    found = {
        "base": _memory(base, 0, base),
        "live": _memory(live, n, live),
        "released": _memory(kept, 0, live + 300_000),
    }
    if runtime.variant.collector:
        found["live-collected"] = _memory(base + 0.97 * (live - base), n, live)
        found["released-collected"] = _memory(base + 0.1 * (live - base), 0, live)
    return found


def _memory(private: float, units: int, most: float) -> log.Memory:
    dirty = int(private) // 4096 * 4096
    rss, high = dirty + 5_000_000, int(most) + 5_500_000
    return log.Memory(
        units=units,
        private_dirty=dirty,
        pss=dirty + 2_000_000,
        swap=0,
        rss=rss,
        rss_high=high,
        threads=1,
    )


def _failure(key: str, block: int, position: int, clock: float) -> log.Failure:
    return log.Failure(
        case=key,
        block=block,
        position=position,
        started=_time(clock),
        kind="exit",
        reason="ended with exit status 1: panicked in a task",
        exit_status=1,
        stderr="thread 'main' panicked",
        wall_ns=20_000_000,
    )


def _skew(rng: random.Random, sd: float) -> float:
    """A positive, right-skewed factor around 1, as timings are: gamma noise on top of a floor."""
    return 1 - sd + sd * rng.gammavariate(2, 0.5) if sd else 1.0


def _outlier(rng: random.Random, noise: Noise) -> float:
    return 1 + noise.outlier_size * rng.random() if rng.random() < noise.outliers else 1.0


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(1_760_000_000 + seconds, UTC).isoformat(timespec="milliseconds")
