"""What no linter knows of the house: who may start programs or print, what is loaded when, what
lies at the top.

What may import what is held by import-linter (pyproject.toml).
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, get_args

import checkouts

from corobench.suite.load import load_suite
from corobench.suite.workload import Unit

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "runner" / "src" / "corobench"

STARTS = (
    "subprocess",
    "multiprocessing",
    "pty",
    "concurrent.futures.process",
    "asyncio.subprocess",
)
STARTING_CALLS = {"fork", "forkpty", "posix_spawn", "posix_spawnp", "system", "popen", "startfile"}
# These two are programs of their own, which are started as processes.
PROGRAMS = {"execute/wakeup.py", "execute/watchdog.py"}
# Copies of the reporting process itself, to use all CPUs for pages and charts: no programs that are
# measured, no tools.
QUEUE = "fleet/engines/local.py"  # whose worker outlives the command that starts it
BESIDE = {"report/runs.py", "report/vega.py"}
TOP = {"python", "go", "rust", "node", "runner", "results", "docs", "Makefile", "LICENSE"}
TOP |= {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "CITATION.cff"}


class Import(NamedTuple):
    """`module` is imported in `file` (from the package's folder)."""

    file: str
    module: str


def sources(base: Path = PACKAGE) -> list[Path]:
    return sorted(file for file in base.rglob("*.py") if "__pycache__" not in file.parts)


def name(file: Path, base: Path = PACKAGE) -> str:
    return file.relative_to(base).as_posix()


def imports(text: str, file: str) -> Iterator[Import]:
    """Every module that a file names in an import, wherever it stands in it, with what it takes
    from it.
    """
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (Import(file, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, (
                f"{file}:{node.lineno}: a relative import; this test reads absolute ones"
            )
            yield Import(file, node.module or "")
            yield from (Import(file, f"{node.module}.{alias.name}") for alias in node.names)


def all_imports() -> list[Import]:
    return [found for file in sources() for found in imports(file.read_text(), name(file))]


def within(module: str, packages: Iterable[str]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def calls(file: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of every call."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call):
            yield node.lineno, ast.unparse(node.func)


def test_measuring_is_light() -> None:
    """What is loaded while programs are measured: nothing that draws, and no statistics until the
    first look.
    """
    script = "import sys, corobench.cli.measure; print('\\n'.join(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    loaded = set(result.stdout.split())
    assert "corobench.execute.session" in loaded, result.stderr
    heavy = ["corobench.statistics", "corobench.report", "vl_convert", "jinja2", "numpy", "rich"]
    assert {module for module in loaded if within(module, heavy)} == set()


def test_only_execute_starts_programs() -> None:
    allowed = {"commands.py", QUEUE, *BESIDE}
    elsewhere = [
        one
        for one in all_imports()
        if not one.file.startswith("execute/") and one.file not in allowed
    ]
    assert [one for one in elsewhere if within(one.module, STARTS)] == []
    starting = [
        f"{name(file)}:{line}: {called}"
        for file in sources()
        for line, called in calls(file)
        if called.startswith("os.")
        and (called[3:] in STARTING_CALLS or called[3:].startswith(("exec", "spawn")))
        and name(file) not in PROGRAMS
    ]
    assert starting == []


def test_only_the_command_line_prints_or_exits() -> None:
    speaking = [
        f"{name(file)}:{line}: {called}"
        for file in sources()
        for line, called in calls(file)
        if called in ("print", "exit", "quit", "sys.exit", "os._exit", "SystemExit")
        or called.startswith(("sys.stdout.write", "sys.stderr.write", "click.", "rich."))
    ]
    assert [
        found
        for found in speaking
        if not found.startswith("cli/") and found.split(":")[0] not in PROGRAMS
    ] == []


def test_a_run_loads_the_reporting_half_only_when_it_has_ended() -> None:
    """All that is loaded when `run` is found by its name, and so while programs are measured; a
    terminal adds its library.
    """
    code = (
        "import sys; from corobench import cli; cli.corobench.get_command(None, 'run'); "
        "print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "corobench.cli.measure" in loaded
    assert [
        module
        for module in loaded
        if within(module, ["corobench.statistics", "corobench.report", "rich", "jinja2"])
    ] == []


def test_no_language_is_special() -> None:
    """The folder is the registration: code that compares with a language or a runtime is a list in
    disguise.
    """
    suite = load_suite(ROOT)
    folders = {runtime.folder.name for runtime in suite.runtimes.values()}
    titles = {
        word
        for toolchain in suite.toolchains.values()
        for word in (toolchain.language, toolchain.title)
    }
    special = {word.lower() for word in {*suite.runtimes, *folders, *titles}} - {*get_args(Unit)}
    assert {"python", "node.js", "goroutine", "tokio-current-thread", "ruby"} <= special
    found = []
    for file in sources():
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Compare | ast.MatchValue):
                words = {
                    str(part.value).lower()
                    for part in ast.walk(node)
                    if isinstance(part, ast.Constant)
                }
                found += [
                    f"{name(file)}:{node.lineno}: {ast.unparse(node)}" for _ in words & special
                ]
    assert found == []


def test_the_top_holds_what_the_design_says() -> None:
    listed = checkouts.source_files(ROOT)
    top = {line.split("/")[0] for line in listed}
    languages = {line.split("/")[0] for line in listed if line.endswith("/toolchain.toml")}
    assert {entry for entry in top if not entry.startswith(".")} <= TOP | languages
    assert top >= TOP - {"results"}


def test_the_architecture_page_names_what_is_there() -> None:
    """Paths from the package's folder, and every package and layer."""
    page = (ROOT / "ARCHITECTURE.md").read_text()
    named = set(re.findall(r"`([a-z_/]+\.py)`", page))
    assert len(named) > 8
    assert [path for path in sorted(named) if not (PACKAGE / path).is_file()] == []
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert [package for package in sorted(packages) if f"`{package}/`" not in page] == []


def test_a_file_that_a_text_names_is_there() -> None:
    """In manifests, specs and pages; not of runs, which are older. docs/adding.md names what its
    reader is to write.
    """
    files = [file for file in checkouts.source_files(ROOT) if not file.startswith("results/")]
    tops = "|".join(sorted({file.split("/")[0] for file in files if "/" in file}))
    path = re.compile(rf"(?<![\w./{{<*-])((?:{tops})/[\w./-]*\w\.[a-z]{{1,5}})\b(?![\w/*{{<])")
    named = {
        (file, found)
        for file in files
        if file.endswith((".toml", ".md")) and file != "docs/adding.md"
        for found in path.findall((ROOT / file).read_text())
    }
    assert len(named) > 50
    assert [pair for pair in sorted(named) if not (ROOT / pair[1]).exists()] == []


def test_an_action_is_named_by_its_commit() -> None:
    """A tag can be moved to other code."""
    used = [
        line.strip()
        for file in (ROOT / ".github/workflows").glob("*.yml")
        for line in file.read_text().splitlines()
        if "uses:" in line
    ]
    assert used
    assert [line for line in used if not re.search(r"@[0-9a-f]{40} # v[0-9.]+$", line)] == []
