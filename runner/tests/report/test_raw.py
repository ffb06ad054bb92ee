"""The raw files beside a run's pages."""

from __future__ import annotations

from pathlib import Path

import pytest
import report_runs

from corobench.report import runs
from corobench.report.runs import Entry, collect
from corobench.results import log


@pytest.fixture(scope="module")
def entry(tmp_path_factory: pytest.TempPathFactory) -> Entry:
    base = tmp_path_factory.mktemp("raw")
    report_runs.write(
        base / "results/testbox/run", blocks=1, runtimes=["asyncio"], workloads=["spawn"]
    )
    (found,) = collect(base / "results", base / "cache")
    return found


def test_the_log_comes_along_whole(entry: Entry, tmp_path: Path) -> None:
    runs.ship_raw(entry, tmp_path)
    assert log.log_bytes(tmp_path / entry.place) == log.log_bytes(entry.folder)
    assert (tmp_path / entry.place / "run.json").read_bytes() == (
        entry.folder / "run.json"
    ).read_bytes()


def test_a_packed_log_is_shipped_as_it_is(entry: Entry, tmp_path: Path) -> None:
    runs.ship_raw(entry, tmp_path / "plain")
    log.pack(entry.folder)
    runs.ship_raw(entry, tmp_path / "packed")
    file = Path(entry.place) / log.PACKED
    assert (tmp_path / "packed" / file).read_bytes() == (tmp_path / "plain" / file).read_bytes()
