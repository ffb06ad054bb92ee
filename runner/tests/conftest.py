"""What the tests of several files share: a site of runs with things gone wrong, a browser, and the
load generator.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import report_runs
import vl_convert
from browser import open_browser
from hypothesis import settings
from needed import tool
from playwright.sync_api import Browser
from shared import made_once

from corobench.report import build
from corobench.report.pages import reference
from corobench.report.runs import collect
from corobench.suite.load import load_suite

ROOT = Path(__file__).parents[2]

FINDING = """title = "A planted claim, {title}"
claim = "Starting a task takes some multiple of a switch's time in the other runtime."
explanation = "Planted: no document says it."
[[source]]
title = "nowhere"
url = "https://example.org/"
[[check]]
text = "asyncio against tokio"
this = {{ workload = "spawn", runtime = "asyncio", metric = "time", point = "n=10000" }}
other = {{ workload = "spawn", runtime = "tokio-current-thread", metric = "time", point = "n=10000" }}
least = {least}
[[check]]
text = "node, whose numbers spread too far to decide"
this = {{ workload = "spawn", runtime = "node", metric = "time", point = "n=10000" }}
other = {{ workload = "spawn", runtime = "asyncio", metric = "time", point = "n=10000" }}
least = 0.025
"""

# The same bundle for every site, and seconds of work: once for each process of tests.
vl_convert.javascript_bundle = cache(vl_convert.javascript_bundle)

# Hypothesis would fail an example that takes over 0.2 s, and look at others in each run.
settings.register_profile("corobench", deadline=None, derandomize=True)
settings.load_profile("corobench")

# A shell without job control has its background jobs ignore SIGINT, and what they start inherits
# that: tests interrupt runs.
signal.signal(signal.SIGINT, signal.default_int_handler)
# The same of SIGHUP where they were started to outlive their terminal.
signal.signal(signal.SIGHUP, signal.SIG_DFL)


# Files that take about as long as the builds of a language, and what builds those of several: late,
# one worker would be left alone with such a file.
LONG = (
    "test_end_to_end.py",
    "test_readme.py",
    "test_publishable.py",
    "test_counting.py",
    "test_counted_programs.py",
    "test_slurm.py",
    "test_extending.py",
    "test_wheel.py",
)


@pytest.hookimpl(trylast=True)  # of the tests that are selected
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long first, shared out among the workers: a language's builds, or a long file.

    xdist gives each worker a part of the list, all as long; --dist worksteal takes from the ends.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    runtimes = Counter(one.toolchain.language for one in load_suite(ROOT).runtimes.values())
    weights = dict(runtimes.most_common()) | dict.fromkeys(LONG, 10)
    groups: dict[str, list[pytest.Item]] = {name: [] for name in weights}
    others = []
    for item in items:
        groups.get(_group(item), others).append(item)
    shares: list[list[pytest.Item]] = [[] for _ in range(workers)]
    loads = [0] * workers
    for name, group in groups.items():
        lightest = loads.index(min(loads))
        loads[lightest] += weights[name]
        shares[lightest] += group
    left = len(items)
    items.clear()
    for place, share in enumerate(shares):
        size = left // (workers - place)
        left -= size
        own = max(0, size - len(share))
        items += share + others[:own]
        del others[:own]
    items += others


def _group(item: pytest.Item) -> str:
    """The language that a test builds, else the file that it stands in."""
    callspec = getattr(item, "callspec", None)
    language: str | None = callspec.params.get("built") if callspec else None
    return language or item.path.name


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of five runs: one with things gone wrong, the one before it, a quick one, another box,
    a hostile one.
    """
    return made_once(tmp_path_factory, "site-of-five-runs", _site_of_five_runs) / "site"


def _site_of_five_runs(results: Path) -> None:
    report_runs.write(
        results / "testbox" / "2025-03-01-main",
        blocks=9,
        failing=[("memory", "gevent")],
        noisy=[("spawn", "node")],
        counted=report_runs.COUNTED,
    )
    slow = {("switch", "uvloop"): 1.3}
    report_runs.write(
        results / "testbox" / "2025-02-01-before",
        blocks=9,
        seed=2,
        slow=slow,
        created="2025-02-01T10:00:00+00:00",
        counted=report_runs.COUNTED | {"uvloop": 14_000},
    )
    report_runs.write(
        results / "testbox" / "2025-03-02-quick",
        profile="quick",
        blocks=3,
        created="2025-03-02T10:00:00+00:00",
    )
    some = ["asyncio", "gevent", "go-p1"]
    report_runs.write(
        results / "otherbox" / "r1",
        blocks=9,
        seed=5,
        runtimes=some,
        created="2025-01-01T10:00:00+00:00",
    )
    report_runs.write(
        results / f"box {report_runs.HOSTILE[:20].replace('/', '')}" / 'run"><b>x',
        profile="quick",
        blocks=3,
        created="2024-01-01T10:00:00+00:00",
        hostile=report_runs.HOSTILE,
        box={"cpu": {"model": f"CPU{report_runs.HOSTILE}"}, "warnings": [report_runs.HOSTILE]},
        counted={},
    )
    out = results / "site"
    build.build(results, out, ROOT)
    _findings(results, out)


def _findings(results: Path, out: Path) -> None:
    """The findings page with the repository's own, which no run here measured, and with some of
    each outcome.
    """
    planted = results / "planted" / "runner/findings"
    shutil.copytree(Path(__file__).parents[1] / "findings", planted)
    for name, least in (("borne-out", 0.01), ("contradicted", 1000.0)):
        (planted / f"{name}.toml").write_text(FINDING.format(title=name, least=least))
    reference.write_findings(
        collect(results, results / ".report-cache" / "summaries"), out, planted.parents[1]
    )


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for each test module: its event loop must be gone before other tests run one of their
    own.
    """
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="session")
def load() -> Path:
    """The load generator, as `corobench setup` builds it."""
    return tool("load").path
