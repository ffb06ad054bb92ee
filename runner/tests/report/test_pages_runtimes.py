"""The page of a runtime: which version it has, and no placeholder of its manifest as it stands
there.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from synthetic import make_run, write_run

from corobench.report import reproduce
from corobench.report.pages import reference
from corobench.report.runs import Entry, Told, collect, header
from corobench.results import log
from corobench.statistics.summary import summarise
from corobench.statistics.types import RuntimeFacts
from corobench.suite.load import load_suite

REPOSITORY = Path(__file__).resolve().parents[3]
SERVER = {
    "title": "nginx, as a floor",
    "language": "C and C++",
    "version": "12.2.0",
    "language_version": "12.2.0",
    "settings": {"workers": "{cpus}"},
    "command": ["{build}/{workload}"],
    "env": {"COROBENCH_NGINX": "{nginx}"},
}


def served(**said: object) -> log.Run:
    """A run whose go-p1 is a server that tells its version, and how many workers it has: one more
    in each block.
    """
    run = make_run(blocks=3, workloads=["spawn"], runtimes=["asyncio", "go-p1"])
    described = {**run.header.runtimes, "go-p1": {**run.header.runtimes["go-p1"], **SERVER, **said}}
    lines = [_telling(line) if isinstance(line, log.Invocation) else line for line in run.lines]
    return msgspec.structs.replace(
        run, header=msgspec.structs.replace(run.header, runtimes=described), lines=lines
    )


def _telling(line: log.Invocation) -> log.Invocation:
    if not line.case.endswith("/go-p1"):
        return line
    return msgspec.structs.replace(line, settings={"nginx": "1.22.1", "workers": line.block + 1})


def facts_of(run: log.Run) -> RuntimeFacts:
    return next(one for one in summarise(run).runtimes if one.name == "go-p1")


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ({}, "1.22.1"),
        ({"title": "another"}, "C and C++ 12.2.0"),
        ({"version": "4.4.0"}, "4.4.0"),
        ({"facts": {"parts": "Falcon 4.4.0, nginx 1.22.1"}}, "Falcon 4.4.0, nginx 1.22.1"),
    ],
)
def test_a_server_has_the_version_that_its_program_tells(
    said: dict[str, object], version: str
) -> None:
    """Not that of the compiler that made the program which starts it."""
    assert reference.version(facts_of(served(**said))) == version


def test_what_programs_told_is_kept_once() -> None:
    assert facts_of(served()).told == {"nginx": "1.22.1", "workers": "1; 2; 3"}


def test_programs_in_c_tell_a_version_by_the_name_that_their_titles_begin_with() -> None:
    suite = load_suite(REPOSITORY)
    for name in ("nginx", "microhttpd-threads", "microhttpd-epoll"):
        runtime = suite.runtimes[name]
        told = f'\\"{runtime.variant.title.partition(",")[0]}\\":'
        assert told in runtime.source("http").read_text(), name


@pytest.fixture
def entry(tmp_path: Path) -> Entry:
    results = tmp_path / "results"
    write_run(results / "box" / "run", served())
    (found,) = collect(results, tmp_path / "cache")
    return found


def test_a_page_says_how_it_was_built_in_words(entry: Entry, tmp_path: Path) -> None:
    reference.write_runtimes([entry], [], tmp_path / "site", None)
    page = (tmp_path / "site/runtimes/go-p1.html").read_text()
    assert re.findall(r"\{[a-z]+\}", page) == []
    built = dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", page))
    assert built["command"] == "&lt;its build folder&gt;/&lt;workload&gt;"
    assert built["settings.workers"] == "&lt;number of CPUs of the track&gt;"
    assert built["env.COROBENCH_NGINX"] == "&lt;nginx&gt;"
    assert built["told by its programs.workers"] == "1; 2; 3"
    assert (built["version"], built["language_version"]) == ("1.22.1", "12.2.0")
    assert "<td>1.22.1</td>" in (tmp_path / "site/runtimes.html").read_text()


def test_a_cell_of_a_server_names_it_and_the_compiler(entry: Entry) -> None:
    origin = reproduce.origin(entry.summary, header(entry))
    assert ("Version", "1.22.1 on C and C++ 12.2.0") in origin["go-p1"]


def test_what_was_measured_is_named_in_words() -> None:
    found = summarise(make_run(blocks=3, workloads=["memory"], runtimes=["asyncio"]))
    entry = SimpleNamespace(place="", card=SimpleNamespace(claims=True))
    (facts,) = found.workloads
    rows = [reference._number_row(Told(cell=c, entry=entry), facts) for c in found.cells]  # type: ignore[arg-type]
    assert {row["metric"] for row in rows} <= set(facts.metrics.values())
    assert not {row["metric"] for row in rows} & set(facts.metrics)
