"""The log of a run on a disk that fails: what was written stays readable, whatever is appended
afterwards.
"""

from __future__ import annotations

import errno
import os
import shutil
from io import FileIO
from pathlib import Path

import msgspec
import pytest
import synthetic

from corobench.errors import RunFailed
from corobench.results import log
from corobench.results.log import Log, Mark


class Failing(FileIO):
    """A file whose next write puts half of it on the disk and then fails."""

    fails = False

    def write(self, data: object) -> int:
        if not self.fails:
            return super().write(data)  # type: ignore[arg-type]
        self.fails = False
        whole = memoryview(data)  # type: ignore[arg-type]
        super().write(whole[: len(whole) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")


def mark(event: str) -> Mark:
    return Mark(event=event, at="2026-01-01T00:00:00.000+00:00")


def read(file: Path) -> list[log.Line]:
    warnings: list[str] = []
    lines = list(log._lines(file, file.read_bytes(), warnings))
    assert warnings == []
    return lines


@pytest.mark.parametrize("mode", ["xb", "ab"], ids=["a new run", "a resumed one"])
def test_a_line_after_one_that_could_not_be_written(tmp_path: Path, mode: str) -> None:
    file = Failing(tmp_path / "log.jsonl", mode.replace("b", ""))
    log = Log(file)
    log.append(mark("first"))
    file.fails = True
    with pytest.raises(
        RunFailed, match="cannot write: No space left on device; what was measured before is kept"
    ):
        log.append(mark("torn"))
    log.append(mark("interrupted"))
    log.close()
    assert read(tmp_path / "log.jsonl") == [mark("first"), mark("interrupted")]


def test_a_line_that_never_reached_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Log((tmp_path / "log.jsonl").open("xb", buffering=0))
    log.append(mark("first"))

    def fail(_descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises(RunFailed, match="Input/output error"):
            log.append(mark("lost"))
    log.append(mark("next"))
    log.close()
    assert read(tmp_path / "log.jsonl") == [mark("first"), mark("next")]


def test_what_could_not_be_cut_off_at_once_is_cut_off_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Failing(tmp_path / "log.jsonl", "x")
    log = Log(file)
    log.append(mark("first"))
    file.fails = True

    def refuse(_size: int | None = None) -> int:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(file, "truncate", refuse)
        with pytest.raises(RunFailed, match="No space left"):
            log.append(mark("torn"))
    log.append(mark("next"))
    log.close()
    assert read(tmp_path / "log.jsonl") == [mark("first"), mark("next")]


def test_a_folder_that_is_removed_while_a_run_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    log = Log(FileIO(folder / "log.jsonl", "x"))
    log.append(mark("first"))
    shutil.rmtree(folder)
    with pytest.raises(RunFailed, match="was removed while the run was going on"):
        log.append(mark("second"))
    log.close()


@pytest.mark.parametrize("replaced", [False, True])
def test_a_folder_that_is_moved_while_a_run_goes_on(tmp_path: Path, *, replaced: bool) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    log = Log(FileIO(folder / "log.jsonl", "x"))
    log.append(mark("first"))
    folder.rename(tmp_path / "other")
    if replaced:
        folder.mkdir()
        (folder / "log.jsonl").touch()
    with pytest.raises(RunFailed, match="was moved while the run was going on"):
        log.append(mark("second"))
    log.close()
    assert read(tmp_path / "other/log.jsonl") == [mark("first"), mark("second")]


def test_words_of_a_run_are_read_without_what_nobody_sees(tmp_path: Path) -> None:
    folder = tmp_path / "box" / "run"
    run = synthetic.make_run(blocks=1, workloads=["spawn"], folder=folder)
    hostile = "a\x1b[31mb\x1b]0;title\x07c\x9bd\u202ee\u2066f\u200bg\x00h\r\ni\tj"
    failure = synthetic._failure(run.header.plan.cases[0], 0, 0, 0.0)
    lines = [*run.lines, msgspec.structs.replace(failure, stderr=hostile, reason=hostile)]
    facts = run.header.runtimes["asyncio"] | {"title": hostile, "notes": [hostile]}
    header = msgspec.structs.replace(
        run.header, runtimes=run.header.runtimes | {"asyncio": facts, hostile: facts}
    )
    written = msgspec.structs.replace(run, header=header, lines=lines)
    read = log.read(synthetic.write_run(folder, written))
    plain = "abcdefgh\ni\tj"
    assert (read.failures[-1].stderr, read.failures[-1].reason) == (plain, plain)
    assert read.header.runtimes[plain]["title"] == plain
    assert read.header.runtimes["asyncio"]["notes"] == [plain]
    assert read.lines[:-1] == run.lines
