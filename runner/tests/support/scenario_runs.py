"""Runs of the real scenario specs, made up: series, observations and evidence as the specs ask for
them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
import synthetic

from corobench.plan import PROFILE, Selection, block_order, make_plan
from corobench.results import histogram, log
from corobench.suite.load import load_workload
from corobench.suite.runtime import Suite
from corobench.suite.variables import COMPANION, OBSERVED, SEEN_HIGH
from corobench.suite.workload import Case, Parameter, Workload, parse_case

NS = 1_000_000_000
ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = ("timers", "mixed", "starvation", "webmatrix")
THIN: dict[str, tuple[Parameter, ...]] = {
    "c": (1, 5, 13, 25),
    "workers": (1, 3),
    "clients": (1, 20),
}
MODES = ("idle", "naive", "slices", "thread")
FAIR = ("idle", "slices", "gosched", "yield-now")
ALONE = {"throttled": 0.0}  # what is observed of a program that nothing was beside
LATE = {"asyncio": 1.0, "uvloop": 0.7, "gevent": 1.4, "node": 0.9, "go-p1": 0.3, "go": 0.2}

Said = tuple[
    log.Iteration,
    dict[str, Parameter],
    dict[str, list[int]],
    dict[str, list[int]],
    dict[str, float],
]


def write(
    folder: Path,
    *,
    seed: int = 1,
    blocks: int = 6,
    profile: str = "scenarios",
    copies: int = 1,
    thin: bool = False,
) -> Path:
    """A run in `folder` of the scenarios and of some core workloads, which so many `copies` of each
    runtime take part in.

    `thin`: of sweeps and grids only the ends and a middle, for a page that a browser looks at many
    times.
    """
    made, rng, core = _suite(thin), random.Random(seed), ["spawn", "switch", "memory"]
    plan = make_plan(made, Selection(profile=profile, workloads=list(SCENARIOS)), seed)
    plain = _many(
        synthetic.make_run(
            seed=seed, blocks=blocks, workloads=core, box=folder.parent.name, folder=folder
        ),
        copies,
    )
    both = msgspec.structs.replace(
        plain.header.plan,
        cases=[*plain.header.plan.cases, *plan.cases],
        points={**plain.header.plan.points, **plan.points},
        references={**plain.header.plan.references, **plan.references},
    )
    specs = {name: msgspec.to_builtins(made.workloads[name]) for name in SCENARIOS}
    header = msgspec.structs.replace(
        plain.header,
        run=folder.name,
        plan=both,
        workloads={**plain.header.workloads, **specs},
        claims=PROFILE[profile].claims,
    )
    lines = [*plain.lines[:-1], *_lines(plan, made, blocks, rng), plain.lines[-1]]
    return synthetic.write_run(folder, msgspec.structs.replace(plain, header=header, lines=lines))


def _many(run: log.Run, copies: int) -> log.Run:
    """The run with copies of its runtimes under other names, which have the same numbers."""
    header, ends = run.header, ["", *(f"-{place}" for place in range(2, copies + 1))]

    def keys(case: str) -> list[str]:
        return [case] if parse_case(case).twin else [f"{case}{end}" for end in ends]

    runtimes = {f"{name}{end}": facts for end in ends for name, facts in header.runtimes.items()}
    cases = [found for key in header.plan.cases for found in keys(key)]
    lines: list[log.Line] = []
    for line in run.lines:
        if isinstance(line, log.Invocation):
            lines += [msgspec.structs.replace(line, case=key) for key in keys(line.case)]
        else:
            lines.append(line)
    plan = msgspec.structs.replace(header.plan, cases=cases)
    return msgspec.structs.replace(
        run, header=msgspec.structs.replace(header, plan=plan, runtimes=runtimes), lines=lines
    )


def _suite(thin: bool) -> Suite:
    made = synthetic.suite()
    specs = {name: load_workload(ROOT / "workloads" / f"{name}.toml") for name in SCENARIOS}
    return msgspec.structs.replace(
        made, workloads={name: _some(spec, name, thin) for name, spec in specs.items()}
    )


def _some(spec: Workload, name: str, thin: bool) -> Workload:
    """Fewer points: a few modes, and what is asked of the server itself."""
    kept = [
        p
        for p in spec.point
        if p.params.get("mode", "idle") in MODES and p.params.get("front", "none") == "none"
    ]
    if thin:
        kept = [
            p
            for p in kept
            if all(p.params.get(key, values[0]) in values for key, values in THIN.items())
        ]
    # A point that names runtimes names servers, and here there are none.
    return msgspec.structs.replace(
        spec, name=name, point=[msgspec.structs.replace(p, runtimes=None) for p in kept]
    )


def _lines(plan: object, made: Suite, blocks: int, rng: random.Random) -> Iterator[log.Line]:
    for block in range(blocks):
        for position, key in enumerate(block_order(plan, block)):  # type: ignore[arg-type]
            case = parse_case(key)
            spec = made.workloads[case.workload]
            params = plan.points[f"{case.workload}/{case.point}"].params  # type: ignore[attr-defined]
            yield _invocation(case, key, spec, params, block, 1000 + position, rng)


def _invocation(
    case: Case,
    key: str,
    spec: Workload,
    params: dict[str, Parameter],
    block: int,
    position: int,
    rng: random.Random,
) -> log.Invocation:
    said = {"timers": _timers, "mixed": _mixed, "starvation": _starvation, "webmatrix": _webmatrix}[
        spec.name
    ]
    iteration, evidence, series, raw, observed = said(case, params, rng)
    wall = iteration.elapsed_ns + 40_000_000
    witness = log.Witness(
        wall_ns=wall, user_ns=iteration.cpu_ns, system_ns=0, voluntary=1, involuntary=1, minor_faults=1, major_faults=0,
        busy_ns=iteration.cpu_ns, steal_ns=0, pressure_ns=0, load=0.5,
    )  # fmt: skip
    return log.Invocation(
        case=key, block=block, position=position, started=synthetic._time(1e6 + block * 1000 + position), witness=witness,
        iterations=[iteration], evidence=evidence, settings={}, version="1.0", language_version="1",
        series={name: histogram.histogram_of(values) for name, values in series.items()}, raw=raw, observed=observed,
        holds={point: synthetic._memory(18e6, 0, 18e6) for point in spec.holds},
    )  # fmt: skip


def _timers(case: Case, params: dict[str, Parameter], rng: random.Random) -> Said:
    n = int(params["n"])
    some = [
        int(LATE.get(case.runtime, 0.5) * 60_000 * rng.lognormvariate(0, 0.8))
        for _ in range(min(n, 2000))
    ]
    late = (some * (n // len(some) + 1))[:n]
    evidence: dict[str, Parameter] = {
        "created": n,
        "finished": n,
        "checksum": n * (n - 1) // 2,
        "early": 0,
    }
    return (
        log.Iteration(NS + int(params["lead"]) * 1_000_000 + n * 800, n * 2_000 + 1_000_000, n),
        evidence,
        {"lateness": late},
        {},
        {SEEN_HIGH: 9e6 + 1_000 * LATE.get(case.runtime, 0.5) * n},
    )


def _mixed(case: Case, params: dict[str, Parameter], rng: random.Random) -> Said:
    c, n = int(params["c"]), int(params["requests"])
    cpu, wait = int(params["cpu_us"]) * 1000, int(params["wait_us"]) * 1000
    cores = 2 if case.track == "all-cpus" else 1
    typical = max(cpu + wait, c * cpu / cores) * (1.01 + 0.03 * LATE.get(case.runtime, 0.5))
    steady = max(n - 2 * c - 1, 0) // c * c
    response = [int(typical * rng.lognormvariate(0, 0.06)) for _ in range(steady)]
    service = [int(r * 0.93) for r in response]
    queueing = [r - s for r, s in zip(response, service, strict=True)]
    elapsed = int(n * typical / min(c, n))
    pieces = [(place, place * cpu, place * cpu + cpu) for place in range(1, min(c, 12))]
    timeline = [
        0,
        0,
        cpu // 2,
        *(v for piece in pieces for v in piece),
        0,
        int(typical),
        int(typical) + cpu // 2,
    ]
    evidence: dict[str, Parameter] = {
        "finished": n, "pieces": n * (int(params["splits"]) + 1), "asked_ns": n * cpu, "worked_ns": n * cpu,
        "most_alive": min(c, n), "steady_ops": steady, "steady_ns": sum(response) // c, "steady_alive_ns": sum(response),
    }  # fmt: skip
    series = {"response": response, "service": service, "queueing": queueing}
    return (
        log.Iteration(elapsed, int(n * cpu * 1.04), n),
        evidence,
        series,
        {"timeline": timeline},
        _companion(n, cores),
    )


def _companion(n: int, cores: int) -> dict[str, float]:
    return {
        **dict.fromkeys(COMPANION, 0.0),
        **ALONE,
        "companion_answers": float(n),
        "program_cpus": float(cores),
    }


def _starvation(case: Case, params: dict[str, Parameter], rng: random.Random) -> Said:
    probes, mode = int(params["probes"]), str(params["mode"])
    base = {"idle": 80_000, "naive": 150_000_000}.get(mode, 1_500_000 if mode in FAIR else 400_000)
    late = [
        int(base * LATE.get(case.runtime, 0.5) * rng.lognormvariate(0, 0.5)) for _ in range(probes)
    ]
    elapsed = int(probes * int(params["period_us"]) * 1000 * 1.1)
    worked = (
        0
        if mode == "idle"
        else int(elapsed * (0.97 if mode == "naive" else 0.85) * rng.uniform(0.97, 1.0))
    )
    evidence: dict[str, Parameter] = {
        "answered": probes, "over_limit": 0, "jobs": worked // 100_000_000, "asked_ns": worked, "worked_ns": worked,
    }  # fmt: skip
    return (
        log.Iteration(elapsed, worked + 1_000_000, probes),
        evidence,
        {"lateness": late, "small": []},
        {},
        ALONE,
    )


def _webmatrix(case: Case, params: dict[str, Parameter], rng: random.Random) -> Said:
    n, workers, clients = (int(params[name]) for name in ("n", "workers", "clients"))
    cost = 900_000 * (1 + LATE.get(case.runtime, 0.5))
    together = int(params["wait_us"]) * 1000 + cost
    rate = min(workers, clients, together / cost) / together
    latency = [int(clients / rate * rng.lognormvariate(0, 0.2)) for _ in range(n)]
    observed = dict.fromkeys(OBSERVED["served"], 0.0)
    observed |= {
        "requests": float(n),
        "concurrency": float(clients),
        "server_cpus": 1.0,
        "server_cpu": n * cost * 1e-9,
        "memory_shared": 18e6 + workers * 9e6,
        "processes": workers + 1.0,
    }
    return log.Iteration(int(n / rate), int(n * cost), n), {}, {"latency": latency}, {}, observed
