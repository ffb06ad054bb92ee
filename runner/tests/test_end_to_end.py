"""The whole way with the real programs: every runtime that is asked for and every core workload,
verified, measured small, and on a page.
"""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import patience
import pytest
from checkouts import BOX, REPOSITORY, copy, corobench
from needed import tool

from corobench.execute import begin, verify
from corobench.execute.program import Program
from corobench.execute.watchdog import Watchdog, sweep
from corobench.results import log
from corobench.suite.load import load_suite
from corobench.suite.workload import TRACKS, Workload
from corobench.toolchains.devtools import TESTED
from corobench.toolchains.prepare import opened, prepare
from corobench.toolchains.provision import helper
from corobench.toolchains.tools import Prepared, Tool

RUNTIMES = {
    "asyncio",
    "uvloop",
    "gevent",
    "go-p1",
    "go",
    "tokio-current-thread",
    "tokio-multi-thread",
    "node",
}
WORKLOADS = ["baseline", "startup", "spawn", "spawn-chain", "switch", "hand-off", "memory"]

# On a box where nothing is built yet, everything is fetched and built here.
pytestmark = [pytest.mark.network, pytest.mark.timeout(6 * patience.SECONDS)]


def in_this_checkout(lock: Path, *arguments: str) -> tuple[int, str, str]:
    """A command for this checkout, whose programs are built already, under a lock and a box's name
    of the test's own.
    """
    result = corobench(lock, *arguments, root_is=REPOSITORY, timeout_s=5 * patience.SECONDS)
    return result.returncode, result.stdout, result.stderr


SUITE = load_suite(REPOSITORY)
ASKED = [name for name in SUITE.runtimes if name in os.environ.get(TESTED, name).split(",")]
LANGUAGES = sorted({SUITE.runtimes[name].toolchain.language for name in ASKED})


def build(lock: Path, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """These runtimes, ready or with the reason why not. What is there and can't be built is a
    failure.
    """
    _, output, errors = in_this_checkout(lock, "build", "--runtimes", ",".join(names), "--json")
    found: dict[str, dict[str, Any]] = json.loads(output)
    if broken := [name for name, one in found.items() if one.get("broken")]:
        pytest.fail(f"these runtimes can't be built: {', '.join(broken)}\n{errors}")
    assert set(found) == set(names)
    return found


@pytest.fixture(scope="module", params=LANGUAGES)
def built(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, Any]]:
    """Every runtime of a language: its programs are verified as soon as they are built, whatever
    the other languages do.
    """
    return build(tmp_path_factory.mktemp("built"), runtimes_of(request.param))


def runtimes_of(language: str) -> list[str]:
    return [name for name in ASKED if SUITE.runtimes[name].toolchain.language == language]


def present(built: dict[str, dict[str, Any]]) -> list[str]:
    """Skips, with every reason, where this box has none of the language's runtimes."""
    names = [name for name, one in built.items() if "reason" not in one]
    if not names:
        pytest.skip("NOT PROVED HERE: " + "; ".join(lacking(built)))
    return names


def lacking(built: dict[str, dict[str, Any]]) -> list[str]:
    return [
        f"{name}: {one['reason']} ({one['help']})" for name, one in built.items() if "reason" in one
    ]


@pytest.fixture
def ready(tmp_path: Path) -> Path:
    """Skips, with every reason, where a toolchain of the core is missing; in continuous integration
    that is a failure.
    """
    missing = lacking(build(tmp_path, RUNTIMES))
    if missing and os.environ.get("CI"):
        pytest.fail("continuous integration must have every toolchain: " + "; ".join(missing))
    if missing:
        pytest.skip("NOT PROVED HERE, a toolchain is missing: " + "; ".join(missing))
    return tmp_path


def test_every_runtime_can_be_had(built: dict[str, dict[str, Any]]) -> None:
    """In continuous integration too: all but pinned versions that no registry has, which a user may
    have all the same.
    """
    pins = {name: SUITE.runtimes[name].manifest.toolchain for name in built}
    owed = {
        name: one
        for name, one in built.items()
        if (pin := pins[name]) is None or any(way.lock or way.packages for way in pin.provision)
    }
    if os.environ.get("CI") and (missing := lacking(owed)):
        pytest.fail(
            "continuous integration must have every runtime that can be provisioned: "
            + "; ".join(missing)
        )
    if missing := lacking(built):
        pytest.skip("NOT PROVED HERE: " + "; ".join(missing))


def test_every_program_does_what_its_spec_asks(
    built: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    """Also those of runtimes beyond the core, wherever this box can run them."""
    names = present(built)
    status, output, errors = in_this_checkout(
        tmp_path, "verify", "--fresh", "--profile", "smoke", "--runtimes", ",".join(names), "--json"
    )
    results = json.loads(output)
    problems = [problem for found in results for problem in found["problems"]]
    assert (status, problems) == (0, []), "\n".join(["", *problems, *errors.splitlines()[-20:]])
    assert not any(found["remembered"] for found in results)
    seen = {(found["runtime"], found["workload"]) for found in results}
    assert seen >= {one for one in _programs() if one[0] in names}


def test_every_primitive_does_what_its_spec_asks(
    built: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    """Each program once, where variants share it: in the last of them that is measured with it,
    that of several threads if one is.
    """
    chosen = {
        source(name, spec): (name, spec.name)
        for name in present(built)
        for spec in workloads_of(name)
        if spec.group == "primitive"
        and set(SUITE.runtimes[name].variant.tracks) & set(spec.tracks)
        and any(SUITE.runtimes[name].offers(spec.name, spot.params) for spot in spec.verify)
    }
    mark = begin.token()
    with Watchdog(mark):
        prepared = prepare(SUITE, {name for name, _ in chosen.values()}, lambda _words: None)
        programs = begin.programs(SUITE, prepared, chosen.values(), mark, helpers())
        assert len(programs) == len(chosen)
        results = verify.verify(
            begin.jobs(SUITE, "primitives", prepared, programs),
            verify.Memory(tmp_path / "verified.json"),
            lambda _found: None,
            lambda: sweep(mark),
        )
    assert [problem for found in results for problem in found.problems] == []


def test_what_a_program_opens_is_in_its_hash(
    built: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    """Of every runtime that this box has, one program, and once where variants share it: strace
    sees every file of the checkout that it and its children open.
    """
    names = one_of_each_program(present(built))
    strace = tool("strace")
    made = prepare(SUITE, names, lambda _words: None)
    tools = helpers()

    def strays(name: str) -> list[str]:
        prepared = made[name]
        assert isinstance(prepared, Prepared)
        runtime = SUITE.runtimes[name]
        workload = workloads_of(name)[0]
        trace = tmp_path / f"{name}.strace"
        seen = _opened(Program(runtime, workload, prepared, "", tools), strace, trace)
        assert runtime.source(workload.name).suffix not in {".py", ".mjs", ".lua"} or seen
        return sorted(map(str, seen - set(opened(runtime))))

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        found = dict(zip(names, threads.map(strays, names), strict=True))
    stray = {name: files for name, files in found.items() if files}
    assert stray == {}


def helpers() -> dict[str, Path]:
    return {
        name: found.path
        for name in SUITE.helpers
        if isinstance(found := helper(SUITE, name, print), Tool)
    }


def workloads_of(name: str) -> list[Workload]:
    runtime = SUITE.runtimes[name]
    return [
        spec
        for spec in SUITE.workloads.values()
        if runtime.concerns(spec) and runtime.gap(spec) is None
    ]


def source(name: str, workload: Workload) -> tuple[Path, Path]:
    """What variants of one manifest that run the same program have in common."""
    runtime = SUITE.runtimes[name]
    return runtime.folder, runtime.source(workload.name)


def one_of_each_program(names: list[str]) -> list[str]:
    """Of the variants that run the same source the one of most workloads, and of those the last:
    that of several threads, where there is one.
    """
    widest_last = sorted(names, key=lambda name: len(workloads_of(name)))
    return list({source(name, workloads_of(name)[0]): name for name in widest_last}.values())


def _opened(program: Program, strace: Tool, trace: Path) -> set[Path]:
    """The files that people wrote, of those that a program opens at its first verify point.

    It is told to go on at each hold before it asks.
    """
    spec = program.workload
    spot = next(p for p in spec.verify if program.runtime.offers(spec.name, p.params))
    asked = {k: v for k, v in spot.params.items() if k not in spec.generator_only}
    traced = {"iterations": 1, "min_warm_ms": 0, "trace": 1}
    extra = {"startup": {"report": 1}, "served": {}}.get(spec.kind, traced)
    launch = program.launch(frozenset(os.sched_getaffinity(0)), program.arguments(asked, **extra))
    options = ["-f", "-qq", "--seccomp-bpf", "--trace=open,openat,execve", "--successful-only"]
    # The program gets its own environment: what strace's libraries are found by may be what its
    # are found by too. Without a value strace takes a name out.
    for name in strace.run_env:
        own = launch.env.get(name)
        options += ["-E", name if own is None else f"{name}={own}"]
    done = subprocess.run(
        [strace.path, *options, f"--output={trace}", "--", *launch.argv],
        env=launch.env | strace.run_env,
        cwd=launch.cwd,
        input="go on\n" * 16,
        capture_output=True,
        text=True,
        timeout=patience.SECONDS,
        check=False,
    )
    assert done.returncode == 0, (launch.argv, done.stderr)
    named = re.findall(r'(?:AT_FDCWD, |execve\()"([^"]*)"', trace.read_text())
    paths = [Path(os.path.normpath(launch.cwd / name)) for name in named]
    inside = [path for path in paths if path.is_relative_to(REPOSITORY)]
    # What commands made stands in the hash by what it was made of.
    made = {".build", ".toolchain", ".venv", "__pycache__"}
    return {path for path in inside if path.is_file() and made.isdisjoint(path.parts)}


def test_every_cell_has_a_figure_or_a_reason(ready: Path) -> None:
    out = ready / "results" / BOX
    arguments = ["--profile", "smoke", "--workloads", ",".join(WORKLOADS), "--out", str(out)]
    status, folder, errors = in_this_checkout(ready, "run", *arguments)
    assert status == 0, errors
    run = log.read(Path(folder.strip()))
    assert run.failures == []
    assert {(gap.runtime, gap.workload) for gap in run.header.plan.gaps} & _programs() == set()
    assert {(line.case, line.block) for line in run.invocations} == {
        (case, 0) for case in run.header.plan.cases
    }

    root = copy(ready, "runner/workloads")
    for language in SUITE.toolchains:
        (root / language).symlink_to(REPOSITORY / language)
    exported = corobench(root, "export", "--format", "json")
    assert exported.returncode == 0, exported.stderr
    cells = json.loads(exported.stdout)["cells"]
    assert [cell for cell in cells if cell["median"] is None and not cell["gap"]] == []
    numbered = {
        (cell["runtime"], cell["workload"], cell["track"]) for cell in cells if cell["median"]
    }
    reasoned = {(cell["runtime"], cell["workload"], cell["track"]) for cell in cells if cell["gap"]}
    assert (numbered | reasoned) >= _owed()
    slopeless = {
        cell["gap"]
        for cell in cells
        if (cell["runtime"], cell["workload"]) in _programs() and cell["gap"]
    }
    assert slopeless <= {"no slope: this profile has a single point"}

    reported = corobench(root, "report")
    assert reported.returncode == 0, reported.stderr
    index = Path(reported.stdout.strip())
    assert index == root / "results" / "site" / "index.html"
    for page in (
        html.unescape(file.read_text())
        for file in (index, *index.parent.glob("runs/*/*/index.html"))
    ):
        assert [name for name in RUNTIMES if name not in page] == []
        assert [name for name in WORKLOADS if SUITE.workloads[name].title not in page] == []
        assert "no claims" in page
    assert [name for name in WORKLOADS if SUITE.workloads[name].question not in page] == []


def _owed() -> set[tuple[str, str, str]]:
    """Runtime, workload and track wherever both have the track: no cell may be left out
    silently.
    """
    return {
        (name, workload, track)
        for name in RUNTIMES
        for workload in WORKLOADS
        for track in TRACKS
        if track in SUITE.runtimes[name].variant.tracks
        and track in SUITE.workloads[workload].tracks
    }


def _programs() -> set[tuple[str, str]]:
    """All eight runtimes have all seven programs, where they share a track: none of these is
    a gap.
    """
    return {(runtime, workload) for runtime, workload, _ in _owed()}
