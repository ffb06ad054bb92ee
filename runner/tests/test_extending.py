"""Extending: a runtime is a folder, a workload a spec and a program, an export format a file;
nothing else is touched.

The examples that are put into a copy of the checkout here are those that docs/adding.md shows.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import checkouts
import pytest
import report_runs
from checkouts import REPOSITORY, add, copy, corobench

from corobench.results import log
from corobench.suite.load import load_suite
from corobench.toolchains.provision import helper
from corobench.toolchains.tools import Tool

ADDING = REPOSITORY / "docs/adding.md"
EXAMPLES = sorted(
    file
    for file in checkouts.EXAMPLES.rglob("*")
    if file.is_file() and file.suffix in (".py", ".toml")
)
PYTHON = [
    "python/toolchain.toml",
    "python/probe.py",
    "python/harness",
    "python/asyncio",
    "runner/workloads",
    "runner/tools",
]


def python_checkout(root: Path) -> Path:
    """Python and asyncio alone. What asyncio's cross-check needs is not installed: nothing is
    fetched.
    """
    copy(root, *PYTHON)
    (root / "python/asyncio/requirements.lock").write_text("# nothing\n")
    return root


def ran(root: Path, *arguments: str, source: Path = REPOSITORY) -> str:
    """stdout of a command that must succeed."""
    result = corobench(root, *arguments, source=source)
    assert result.returncode == 0, result.stderr
    return result.stdout


def startup() -> list[str]:
    """Startup can be measured where hyperfine is in place; it is not built for this test."""
    return (
        ["startup"]
        if isinstance(helper(load_suite(REPOSITORY), "hyperfine", print, fetch="never"), Tool)
        else []
    )


def test_a_runtime_is_one_new_folder(tmp_path: Path) -> None:
    root = python_checkout(tmp_path)
    before = json.loads(ran(root, "list", "--json"))
    added = add(root, "runtime")
    assert {file.parent for file in added} == {Path("python/thread-per-task")}
    listed = json.loads(ran(root, "list", "--json"))
    assert set(listed["runtimes"]) - set(before["runtimes"]) == {"thread-per-task"}
    workloads = ["spawn", "switch", "hand-off", *startup()]
    verified = json.loads(
        ran(
            root,
            "verify",
            "--runtimes",
            "thread-per-task",
            "--workloads",
            ",".join(workloads),
            "--json",
        )
    )
    assert {(found["workload"], *found["problems"]) for found in verified} == {
        (name,) for name in ["spawn", *startup()]
    }
    folder = Path(
        ran(root, "run", "--profile", "smoke", "--workloads", ",".join(workloads)).strip()
    )
    run = log.read(folder)
    assert {
        line.case.split("/")[0]
        for line in run.invocations
        if line.case.endswith("/thread-per-task")
    } == {
        "spawn",
        *startup(),
    }
    gaps = {gap.workload: gap.reason for gap in run.header.plan.gaps}
    assert gaps == {
        "switch": "left out of this example: the runtime threads yields by sched_yield",
        "hand-off": "no program yet",
    }
    page = Path(ran(root, "report").strip())
    assert ">thread-per-task<" in page.read_text()
    assert "left out of this example: the runtime threads yields by sched_yield" in page.read_text()
    assert (
        "Python, one thread a task"
        in (page.parent / "runtimes" / "thread-per-task.html").read_text()
    )


def test_a_workload_is_one_spec_and_one_program(tmp_path: Path) -> None:
    root = python_checkout(tmp_path)
    before = json.loads(ran(root, "list", "--json"))
    assert add(root, "workload") == [
        Path("python/asyncio/await-done.py"),
        Path("runner/workloads/await-done.toml"),
    ]
    listed = json.loads(ran(root, "list", "--json"))
    assert set(listed["workloads"]) - set(before["workloads"]) == {"await-done"}
    (verified,) = json.loads(ran(root, "verify", "--workloads", "await-done", "--json"))
    assert (verified["runtime"], verified["workload"], verified["problems"]) == (
        "asyncio",
        "await-done",
        [],
    )
    folder = Path(ran(root, "run", "--profile", "smoke", "--workloads", "await-done,spawn").strip())
    assert "await-done/n=1000/one-cpu/asyncio" in {
        line.case for line in log.read(folder).invocations
    }
    index = Path(ran(root, "report").strip())
    assert "Await a finished task" in index.read_text()
    (page,) = index.parent.glob("runs/*/*/index.html")
    assert (
        "What does it cost to collect the result of a task that has already ended?"
        in page.read_text()
    )


def test_an_export_format_is_one_file(tmp_path: Path) -> None:
    root = copy(tmp_path, "runner/src", "runner/workloads")
    report_runs.write(root / "results" / checkouts.BOX / "one")
    refused = corobench(root, "export", "--format", "tsv", source=root)
    assert (refused.returncode, "unknown export format 'tsv'" in refused.stderr) == (2, True)
    assert add(root, "exporter") == [Path("runner/src/corobench/report/exports/tsv.py")]
    head, *lines = ran(root, "export", "--format", "tsv", source=root).splitlines()
    cells = [
        cell for cell in json.loads(ran(root, "export", source=root))["cells"] if cell["median"]
    ]
    assert head.split("\t")[:3] == ["case", "metric", "median"]
    assert [float(line.split("\t")[2]) for line in lines] == [
        cell["median"]["center"] for cell in cells
    ]
    page = Path(ran(root, "report", source=root).strip())
    assert (
        "Numbers (TSV): <code>corobench export --format tsv"
        in (page.parent / "data.html").read_text()
    )


@pytest.mark.skipif(not ADDING.is_file(), reason="there is no docs/adding.md to check")
@pytest.mark.parametrize(
    "file", EXAMPLES, ids=lambda file: str(file.relative_to(checkouts.EXAMPLES))
)
def test_the_readme_shows_the_examples_as_they_are_tested(file: Path) -> None:
    blocks = re.findall(r"^```\w*\n(.*?)^```$", ADDING.read_text(), flags=re.MULTILINE | re.DOTALL)
    assert file.read_text() in blocks, f"docs/adding.md has no code block that equals {file}"
