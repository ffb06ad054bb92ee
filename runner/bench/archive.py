"""What many runs cost. Run in runner/: pytest bench/archive.py --benchmark-enable   (-k "not 1000"
for the small ones)

Synthetic runs of realistic size (eight runtimes, the core workloads, 12 blocks: 3.4 MB of raw log
each) are compared, summarised and made into a site. Targets: the report of one run under 3 s, the
index of 1,000 runs under 10 s. A site of many runs grows one by one, so that for many the pages of
the earlier runs are taken as made (their stamps are written here), and what is timed is the build
after one more run: every run's identity, its own pages, and everything that spans the runs.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from click.testing import CliRunner
from pytest_benchmark.fixture import BenchmarkFixture

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/support"))

import report_runs

from corobench.cli import report
from corobench.cli import report as cli
from corobench.report import build, vega
from corobench.report.build import Stamp
from corobench.report.exports import exporter
from corobench.report.pages import compare as pages
from corobench.report.runs import collect
from corobench.results import log
from corobench.results.log import read
from corobench.statistics.compare import compare
from corobench.statistics.summary import summarise

DISTINCT = 10
BLOCKS = 12


class Archive(NamedTuple):
    """A results folder of so many runs, its site and its cache."""

    results: Path
    site: Path
    cache: Path


Made = Callable[[int], Archive]

pytestmark = pytest.mark.timeout(3600)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    """Results folders with so many runs of one box. Ten logs differ; the headers of all do, and so
    does each run's identity.
    """
    base = tmp_path_factory.mktemp("archive")
    logs = [
        report_runs.write(base / "logs" / f"log-{n}", seed=n + 1, blocks=BLOCKS)
        for n in range(DISTINCT)
    ]

    def made(count: int) -> Archive:
        """The same for each count: what one test has made stands for the next."""
        results = base / f"root-{count}/results"
        for number in range(count):
            day = f"{2024 + number // 336}-{1 + number // 28 % 12:02d}-{1 + number % 28:02d}"
            folder = results / "box" / f"{day}-default"
            if not folder.exists():
                _copy(logs[number % DISTINCT], folder, f"{day}T10:00:00+00:00")
        return Archive(results, base / f"site-{count}", base / f"cache-{count}")

    yield made
    shutil.rmtree(base)


def _copy(log: Path, folder: Path, created: str) -> None:
    folder.mkdir(parents=True)
    header = read(log).header
    own = msgspec.structs.replace(header, run=folder.name, created=created)
    (folder / "run.json").write_bytes(msgspec.json.encode(own))
    # A link would do for reading, but its pages would be cached by the disk as one file.
    shutil.copy(log / "log.jsonl", folder)


def _pretend_made(made: Archive) -> None:
    """Stamps for all runs but the newest, and for all comparisons of them."""
    _, out, cache = made
    entries = collect(made.results, cache)
    for entry in entries[1:]:
        build._stamp(out / entry.place, Stamp(made_from=build._made_from(entry.digest, str(False))))
    for pair in pages.pairs(entries)[1:]:
        outcome = {
            "href": "#",
            "after": pair[1].name,
            "before": pair[0].name,
            "sentence": "",
            "confounders": "",
            "box": "box",
            "profile": "default",
        }
        build._stamp(
            out / pages.place(*pair),
            Stamp(made_from=build._pair_digest(pair, pictures=False), outcome=outcome),
        )
    build._stamp(out, Stamp(made_from="an older site"))


def _as_a_command() -> None:
    """Each starts drawing processes of its own."""
    if processes := vega._pool():
        processes.shutdown()
    vega._pool.cache_clear()


def test_summary_of_one_run(benchmark: BenchmarkFixture, archive: Made) -> None:
    folder = next((archive(1).results / "box").iterdir())
    benchmark.pedantic(lambda: summarise(log.read(folder)), rounds=5)


def test_comparison_of_two_runs(benchmark: BenchmarkFixture, archive: Made) -> None:
    first, second, *_ = sorted((archive(10).results / "box").iterdir())
    benchmark.pedantic(lambda: compare(log.read(first), log.read(second)), rounds=5)


@pytest.mark.parametrize("count", [10, 100, 1000])
def test_compare_among_so_many(
    benchmark: BenchmarkFixture, archive: Made, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`corobench compare` of the two newest by their names, as it is typed."""
    root = archive(count).results.parent
    first, second = sorted(path.name for path in (root / "results/box").iterdir())[-2:]
    monkeypatch.setattr(report, "find_results", lambda _named: root / "results")
    benchmark.pedantic(
        lambda: CliRunner().invoke(cli.compare_command, [first, second], standalone_mode=False),
        rounds=3,
    )


def test_export_of_one_run(benchmark: BenchmarkFixture, archive: Made) -> None:
    run = log.read(next((archive(1).results / "box").iterdir()))
    benchmark.pedantic(lambda: exporter("csv").export(run, summarise(run)), rounds=5)


def test_report_of_one_run(benchmark: BenchmarkFixture, archive: Made, tmp_path: Path) -> None:
    """A run's first report in a checkout: every drawing is made."""
    results = archive(1).results
    build.build(results, tmp_path / "site", cache=tmp_path / "cache")

    def forget() -> None:
        _as_a_command()
        shutil.rmtree(tmp_path / "site")
        shutil.rmtree(tmp_path / "cache")

    benchmark.pedantic(
        lambda: build.build(results, tmp_path / "site", cache=tmp_path / "cache"),
        setup=forget,
        rounds=9,
    )


def test_report_of_one_run_again(
    benchmark: BenchmarkFixture, archive: Made, tmp_path: Path
) -> None:
    results = archive(1).results
    build.build(results, tmp_path / "site", cache=tmp_path / "cache")
    benchmark.pedantic(
        lambda: build.build(results, tmp_path / "site", cache=tmp_path / "cache"), rounds=3
    )


@pytest.mark.parametrize("count", [10, 100, 1000])
def test_summaries_from_nothing(benchmark: BenchmarkFixture, archive: Made, count: int) -> None:
    """All raw logs read and summarised once; remembered from then on."""
    made = archive(count)
    benchmark.pedantic(lambda: collect(made.results, made.cache), rounds=1)


@pytest.mark.parametrize("count", [10, 100, 1000])
def test_one_more_run(benchmark: BenchmarkFixture, archive: Made, count: int) -> None:
    """The newest run's pages and all that spans the runs."""
    made = archive(count)
    _pretend_made(made)
    benchmark.pedantic(
        lambda: build.build(made.results, made.site, cache=made.cache),
        setup=_as_a_command,
        rounds=1,
    )


@pytest.mark.parametrize("count", [10, 100, 1000])
def test_index_with_nothing_new(benchmark: BenchmarkFixture, archive: Made, count: int) -> None:
    """What `corobench report` takes when every page is there already."""
    made = archive(count)
    _pretend_made(made)
    build.build(made.results, made.site, cache=made.cache)
    benchmark.pedantic(lambda: build.build(made.results, made.site, cache=made.cache), rounds=1)
