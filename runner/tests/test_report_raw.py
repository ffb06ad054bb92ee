"""The raw files beside a run's pages."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import report_runs

from corobench.report import raw
from corobench.report.collect import Entry, collect


@pytest.fixture(scope="module")
def entry(tmp_path_factory: pytest.TempPathFactory) -> Entry:
    base = tmp_path_factory.mktemp("raw")
    report_runs.write(base / "results/testbox/run", blocks=1, runtimes=["asyncio"], workloads=["spawn"])
    (found,) = collect(base / "results", base / "cache")
    return found


def test_the_log_comes_along_whole(entry: Entry, tmp_path: Path) -> None:
    raw.ship(entry, tmp_path)
    packed = tmp_path / entry.place / "log.jsonl.gz"
    assert gzip.decompress(packed.read_bytes()) == (entry.folder / "log.jsonl").read_bytes()
    assert (tmp_path / entry.place / "run.json").read_bytes() == (entry.folder / "run.json").read_bytes()


def test_what_lies_there_whole_is_not_compressed_again(entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw.ship(entry, tmp_path)
    monkeypatch.setattr(raw.gzip, "compress", lambda *_, **__: pytest.fail("compressed again"))
    raw.ship(entry, tmp_path)


BROKEN = {
    "empty": b"",
    "no gzip": b"no gzip",
    "another": gzip.compress(b"of another run"),
    "torn": gzip.compress(bytes(99))[:-9],
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN.keys())  # gzip's own bytes hold the time
def test_what_is_not_the_log_is_replaced(entry: Entry, tmp_path: Path, broken: bytes) -> None:
    packed = tmp_path / entry.place / "log.jsonl.gz"
    packed.parent.mkdir(parents=True)
    packed.write_bytes(broken)
    raw.ship(entry, tmp_path)
    assert gzip.decompress(packed.read_bytes()) == (entry.folder / "log.jsonl").read_bytes()


def test_a_large_log_stays_where_it_is(entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw, "LARGEST", 100)
    raw.ship(entry, tmp_path)
    assert [file.name for file in (tmp_path / entry.place).iterdir()] == ["run.json"]
