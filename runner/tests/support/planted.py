"""A temporary suite with one runtime of planted Python programs, for tests of what the runner does
with them.
"""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from corobench.execute.program import Program
from corobench.suite.load import load_suite
from corobench.suite.runtime import Suite
from corobench.toolchains.tools import Prepared

REPOSITORY = Path(__file__).resolve().parents[3]

TOOLCHAIN = """
title = "Planted"
minimum = "3.11"
help = "install Python"
[find]
candidates = ["{python}"]
probe = ["{{candidate}}", "--version"]
pattern = 'Python (?P<version>[0-9.]+)'
"""

RUNTIME = """
title = "Planted"
unit = "stackless task"
site = "https://example.org/"
[program]
source = "{{runtime}}/{{workload}}.py"
command = ["{python}", "-s", "-P", "{{source}}"]
[[variant]]
name = "planted"
title = "Planted"
tracks = ["one-cpu"]
reference = ["one-cpu"]
env = {{ PYTHONPATH = "{harness}:{adapter}", COROBENCH_LOOP = "asyncio" }}
settings = {{ {settings} }}
order = "{order}"
threads = 1
collector = true
"""


def plant(
    root: Path, programs: dict[str, str], settings: str = "", order: str = "round-robin"
) -> Suite:
    """A suite under `root` whose runtime `planted` has these programs (workload -> source text)."""
    specs = root / "runner" / "workloads"
    if not specs.exists():
        shutil.copytree(REPOSITORY / "runner" / "workloads", specs)
    folder = root / "planted" / "one"
    folder.mkdir(parents=True, exist_ok=True)
    (root / "planted" / "toolchain.toml").write_text(TOOLCHAIN.format(python=sys.executable))
    python = REPOSITORY / "python"
    places = {
        "python": sys.executable,
        "harness": python / "harness",
        "adapter": python / "asyncio" / "adapter",
    }
    manifest = RUNTIME.format(**places, settings=settings, order=order)
    (folder / "runtime.toml").write_text(manifest)
    for workload, source in programs.items():
        (folder / f"{workload}.py").write_text(source)
    return load_suite(root)


def shorten(root: Path) -> None:
    """Only the first usual point of each spec, in every profile, with few iterations: for tests of
    a run's course.
    """
    for file in (root / "runner" / "workloads").glob("*.toml"):
        head, *points = file.read_text().split("[[point]]\n")
        # Points in one table, or that need each other: none of these is measured.
        if not points or any(word in head for word in ('group = "scenario"', "[[difference]]")):
            continue
        first = next((point for point in points if '"quick"' in point), points[0])
        params = next(line for line in first.splitlines() if line.startswith("params"))
        counted = "counted = true\n" if "counted = true" in first else ""
        verify = first.partition("[[verify]]")[2] or file.read_text().partition("[[verify]]")[2]
        point = (
            f'[[point]]\n{params}\nprofiles = ["smoke", "quick", "default", '
            f'"publish"]\niterations = 2\n{counted}\n[[verify]]'
        )
        file.write_text(head + point + verify)


def prepared(runtime: str = "planted") -> Prepared:
    """As if the runtime had been prepared with this test's own interpreter."""
    return Prepared(
        runtime=runtime,
        tool=Path(sys.executable),
        environment=None,
        env={},
        helpers={},
        build=None,
        version=platform.python_version(),
        language_version=platform.python_version(),
        facts={},
        hashes={"programs": "planted"},
    )


def program(
    suite: Suite, workload: str, mark: str = "0" * 16, tools: Mapping[str, Path] | None = None
) -> Program:
    return Program(
        suite.runtimes["planted"], suite.workloads[workload], prepared(), mark, tools or {}
    )


def marked(mark: str) -> list[int]:
    """The processes of a run that still live."""
    found = []
    for file in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"COROBENCH_RUN={mark}".encode() in file.read_bytes():
                found.append(int(file.parent.name))
        except OSError:
            continue  # it ended, or is another user's
    return found


def honest(workload: str, folder: str = "asyncio") -> str:
    """The source of asyncio's own program, or of another runtime's of Python."""
    return (REPOSITORY / "python" / folder / f"{workload}.py").read_text()


def cheat(workload: str, old: str, new: str, folder: str = "asyncio") -> str:
    """Asyncio's own program with a part replaced: the cheat is all that differs."""
    source = honest(workload, folder)
    assert source.count(old) >= 1, f"{workload}.py no longer holds {old!r}"
    return source.replace(old, new)
