"""Run folders for the tests of pages and exports: synthetic runs with all that a header may say,
and with things gone wrong.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import synthetic

from corobench.plan import Gap
from corobench.results import log
from corobench.suite.workload import parse_case

COMMIT = "0123456789abcdef0123456789abcdef01234567"
FACTS = {
    "cpu": {"model": "AMD EPYC 9B14", "cpus": 2, "smt": True},
    "kernel": "Linux 6.1.0-21-amd64",
    "virtualisation": "kvm",
    "warnings": ["2 CPUs are shared with other guests", "frequency is not under control"],
}
# Instructions of a task or a switch.
COUNTED = {"uvloop": 14_589, "node": 410, "go-p1": 775, "tokio-current-thread": 900}
_TAG = "<b class=planted onclick=window.hacked()>"
NAMED = {
    "uvloop": f"uvloop{_TAG}",
    '"switch"': f'"switch{_TAG}"',
    "switch/": f"switch{_TAG}/",
    '"p99"': f'"p99{_TAG}"',
    "mode=naive": "mode=naive<i>",
    '"mode":"naive"': '"mode":"naive<i>"',
}
HOSTILE = "\"'><script>window.hacked=1</script><img src=x onerror=window.hacked=1>&amp;{{7*7}}"


def write(
    folder: Path,
    *,
    seed: int = 1,
    blocks: int = 12,
    profile: str = "default",
    created: str = "2025-03-01T10:00:00+00:00",
    slow: dict[tuple[str, str], float] | None = None,
    noisy: Iterable[tuple[str, str]] = (),
    failing: Iterable[tuple[str, str]] = (),
    runtimes: list[str] | None = None,
    workloads: list[str] | None = None,
    box: dict[str, Any] | None = None,
    commit: str = COMMIT,
    hostile: str = "",
    counted: dict[str, int] | None = None,
) -> Path:
    """A run in `folder` (its parent is the box). `noisy` and `failing` name (workload, runtime);
    gevent has no hand-off.

    `hostile` is put into every text that comes from manifests, programs or the box. `counted`:
    runtime -> the instructions of a task and of a switch; those of other runtimes could not be
    counted. None: nobody counted.
    """
    start = datetime.fromisoformat(created).timestamp() - 1_760_000_000
    build = synthetic.Build(slow=slow or {}, commit=commit)
    run = synthetic.make_run(
        seed=seed,
        blocks=blocks,
        profile=profile,
        build=build,
        box=folder.parent.name,
        start_s=start,
        runtimes=runtimes,
        workloads=list(synthetic.COST["asyncio"]) if workloads is None else workloads,
        folder=folder,
    )
    described = {
        name: _described(name, facts, hostile) for name, facts in run.header.runtimes.items()
    }
    gone = (
        [Gap(workload="hand-off", runtime="gevent", reason=f"no program yet{hostile}")]
        if "gevent" in described
        else []
    )
    plan = msgspec.structs.replace(
        run.header.plan, gaps=gone, cases=[key for key in run.header.plan.cases if not _is_gap(key)]
    )
    header = msgspec.structs.replace(
        run.header,
        run=folder.name,
        created=created,
        plan=plan,
        runtimes=described,
        box={**run.header.box, **FACTS, **(box or {})},
    )
    kept = [
        line for line in run.lines if not (isinstance(line, log.Invocation) and _is_gap(line.case))
    ]
    lines = [
        *_controls(header),
        *_spoiled(kept, set(noisy), set(failing), hostile, random.Random(seed)),
        *(() if counted is None else counts(header, counted, hostile)),
    ]
    return synthetic.write_run(folder, msgspec.structs.replace(run, header=header, lines=lines))


def counts(
    header: log.RunHeader, counted: dict[str, int], hostile: str = ""
) -> Iterator[log.Count]:
    """Of spawn and switch on one CPU, at each smallest point; node's processes are 3 % apart."""
    first = {"spawn": "n=1000", "switch": "k=2,m=500"}
    for key in header.plan.cases:
        case = parse_case(key)
        if case.track != "one-cpu" or case.twin or case.point != first.get(case.workload):
            continue
        each = counted.get(case.runtime)
        steps = (0.985, 1.0, 1.015) if case.runtime == "node" else (1.0, 1.0, 1.0)
        tallies: dict[log.Event, list[list[log.Tally]]] = {
            "system-calls": [[log.Tally(1000, 300), log.Tally(2000, 1300)]] * 3,
            "switches": [[log.Tally(1000, 2), log.Tally(2000, 2)]] * 3,
            "faults": [[log.Tally(1000, 902), log.Tally(2000, 904)]] * 3,
        }
        if each is not None:
            tallies["instructions"] = [
                [log.Tally(ops, round(9e6 + ops * each * step)) for ops in (1000, 2000)]
                for step in steps
            ]
        yield log.Count(
            case=key,
            at=header.created,
            tools={"valgrind": "3.19.0", "strace": "6.1"},
            tallies=tallies,
            reasons={} if each is not None else {"instructions": f"signal 11{hostile}"},
        )


def with_hostile_names(folder: Path) -> Path:
    """The run with markup in the names themselves: of a runtime, a workload, a metric and a value
    of a point.
    """
    for file in (folder / "run.json", folder / "log.jsonl"):
        text = file.read_text()
        for name, hostile in NAMED.items():
            text = text.replace(name, hostile)
        file.write_text(text)
    return folder


def _is_gap(key: str) -> bool:
    return key.startswith("hand-off/") and key.endswith("/gevent")


def _described(name: str, facts: dict[str, Any], hostile: str) -> dict[str, Any]:
    extra = {
        "gevent": [
            "On CPython 3.11 and newer every greenlet maps and unmaps a stack of its own: two "
            "system calls each."
        ]
    }
    language = str(facts["language"])
    return {
        **facts,
        "title": str(facts["title"]) + hostile,
        "folder": f"{language.lower()}/{name}",
        "notes": [*extra.get(name, []), f"One unit is a {facts['unit']} of {name}{hostile}."],
        "settings": {"threads": 1, "loop": f"{name}.Loop{hostile}"},
        "gaps": {},
        "env": {"GOMAXPROCS": "1"} if language == "Go" else {},
        "arguments": [],
        "command": ["{tool}", "-P", "{source}"],
        "hashes": {"lock": "a1" * 32, "programs": "b2" * 32, "sources": "c3" * 32},
    }


def _controls(header: log.RunHeader) -> list[log.Line]:
    times = {"same core": 13_000, "two idle cores": 352_000, "two cores kept awake": 31_000}
    found: list[log.Line] = [
        log.Control(
            name="wake-up",
            block=None,
            values={"setting": name, "round_trip_ns": [ns, ns + 200, ns - 100]},
        )
        for name, ns in times.items()
    ]
    if "asyncio" in header.runtimes:
        samples = [7_000 + 20 * place for place in range(9)]
        values = {
            "runtime": "asyncio",
            "workload": "spawn",
            "params": {"n": 1000},
            "harness": "pyperf",
            "per_op_ns": samples,
        }
        found.append(log.Control(name="crosscheck", block=None, values=values))
    return found


def _spoiled(
    lines: Iterable[log.Line],
    noisy: set[tuple[str, str]],
    failing: set[tuple[str, str]],
    hostile: str,
    rng: random.Random,
) -> Iterable[log.Line]:
    for line in lines:
        if not isinstance(line, log.Invocation):
            yield line
            continue
        case = parse_case(line.case)
        if (case.workload, case.runtime) in failing and case.workload != "startup":
            yield log.Failure(
                case=line.case, block=line.block, position=line.position, started=line.started, kind="exit",
                reason=("ended with exit status 1: "
                       f"MemoryError{hostile}"), exit_status=1, stderr="Traceback", wall_ns=10**7,
            )  # fmt: skip
        elif (case.workload, case.runtime) in noisy:
            factor = rng.lognormvariate(0, 0.5)
            yield msgspec.structs.replace(
                line,
                iterations=[
                    log.Iteration(int(i.elapsed_ns * factor), int(i.cpu_ns * factor), i.ops)
                    for i in line.iterations
                ],
            )
        else:
            yield line
