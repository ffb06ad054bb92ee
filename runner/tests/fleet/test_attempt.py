"""An attempt on its way home: what arrives is what was sealed, or is refused with the reason."""

from __future__ import annotations

import io
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from fleets import job_of, sealed, sent

from corobench.fleet import attempt
from corobench.results import log
from corobench.results.log import Mark


def test_what_was_sealed_arrives_once(tmp_path: Path) -> None:
    folder, inbox = tmp_path / "sealed", tmp_path / "inbox"
    made = sealed(folder, job_of(tmp_path))
    assert attempt.problems(folder) == []
    assert attempt.receive(sent(folder), inbox) == f"STORED {made.place}"
    assert attempt.receive(sent(folder), inbox) == f"DUPLICATE {made.place}"
    assert attempt.problems(inbox / made.place) == []
    assert [p.name for p in (inbox / ".coming").iterdir()] == []


def test_a_failed_attempt_comes_home_as_well(tmp_path: Path) -> None:
    folder = tmp_path / "sealed"
    made = sealed(folder, job_of(tmp_path), "failed")
    shutil.rmtree(folder / attempt.RUN)
    attempt.seal(folder, made)
    assert attempt.receive(sent(folder), tmp_path / "inbox") == f"STORED {made.place}"


def a_byte_of_the_log(folder: Path) -> None:
    file = next(folder.glob("run/*/log.jsonl*"))
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def a_file_is_added(folder: Path) -> None:
    (folder / "run/run-1/summary.json").write_text("{}")


def a_file_is_missing(folder: Path) -> None:
    (folder / attempt.LOG).unlink()


def another_job(folder: Path) -> None:
    """Sealed anew, so that the digests are right."""
    made = attempt.read(folder)
    job = msgspec.structs.replace(made.job, repetition=made.job.repetition + 1)
    attempt.seal(folder, msgspec.structs.replace(made, job=job))


def another_commit(folder: Path) -> None:
    made = attempt.read(folder)
    job = msgspec.structs.replace(made.job, commit="b" * 40)
    attempt.seal(folder, msgspec.structs.replace(made, job=job))


def another_class(folder: Path) -> None:
    made = attempt.read(folder)
    job = msgspec.structs.replace(made.job, facts={"cpu.model": "no such CPU"})
    attempt.seal(folder, msgspec.structs.replace(made, job=job))


def another_box(folder: Path) -> None:
    made = attempt.read(folder)
    attempt.seal(folder, msgspec.structs.replace(made, box={**made.box, "name": "other"}))


def a_box_somewhere_else(folder: Path) -> None:
    made = attempt.read(folder)
    run, box = folder / "run/run-1", {**made.box, "name": "../../elsewhere"}
    header = msgspec.structs.replace(log.read_header(run), box=box)
    (run / "run.json").write_bytes(msgspec.json.encode(header))
    attempt.seal(folder, msgspec.structs.replace(made, box=box))


def not_finished(folder: Path) -> None:
    run = folder / attempt.RUN / "run-1"
    lines = [one for one in log.read(run).lines if not isinstance(one, Mark)]
    for file in run.glob("log.jsonl*"):
        file.unlink()
    (run / "log.jsonl").write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in lines))
    attempt.seal(folder, attempt.read(folder))


def no_run(folder: Path) -> None:
    shutil.rmtree(folder / attempt.RUN)
    attempt.seal(folder, attempt.read(folder))


def two_runs(folder: Path) -> None:
    shutil.copytree(folder / "run/run-1", folder / "run/run-2")
    attempt.seal(folder, attempt.read(folder))


def no_facts(folder: Path) -> None:
    (folder / attempt.FACTS).write_text("{")


def no_manifest(folder: Path) -> None:
    (folder / attempt.MANIFEST).write_text("")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (a_byte_of_the_log, "is not what was sealed"),
        (a_file_is_added, "is not in MANIFEST.sha256"),
        (a_file_is_missing, "job.log is missing"),
        (another_job, "plan.seed"),
        (another_commit, "commit"),
        (another_class, "cpu.model"),
        (another_box, "box.name"),
        (a_box_somewhere_else, "is no name of a box"),
        (not_finished, "did not come to its end"),
        (no_run, "holds 0 runs"),
        (two_runs, "holds 2 runs"),
        (no_facts, "attempt.json can't be read"),
        (no_manifest, "is not in MANIFEST.sha256"),
    ],
)
def test_what_was_changed_is_refused(
    tmp_path: Path, change: Callable[[Path], None], said: str
) -> None:
    folder, inbox = tmp_path / "sealed", tmp_path / "inbox"
    sealed(folder, job_of(tmp_path))
    change(folder)
    answer = attempt.receive(sent(folder), inbox)
    assert answer.startswith("REJECT ")
    assert said in answer
    assert [p.name for p in inbox.iterdir()] == [".coming"]


def archive(name: str, kind: bytes = tarfile.REGTYPE, size: int = 0, link: str = "") -> io.BytesIO:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w|") as made:
        member = tarfile.TarInfo(name)
        member.type, member.size, member.linkname = kind, size, link
        made.addfile(member, io.BytesIO(b"x" * size))
    stream.seek(0)
    return stream


@pytest.mark.parametrize(
    "stream",
    [
        archive("../outside"),
        archive("/etc/passwd"),
        archive(".hidden"),
        archive("a/b/c/d/e/f"),
        archive("link", tarfile.SYMTYPE, link="/etc/passwd"),
        archive("pipe", tarfile.FIFOTYPE),
        archive("device", tarfile.CHRTYPE),
        io.BytesIO(b"no archive at all" * 100),
        io.BytesIO(b""),
    ],
    ids=["up", "absolute", "hidden", "deep", "link", "pipe", "device", "garbage", "nothing"],
)
def test_no_stream_writes_anything_but_an_attempt(tmp_path: Path, stream: io.BytesIO) -> None:
    inbox = tmp_path / "inbox"
    assert attempt.receive(stream, inbox).startswith("REJECT ")
    assert [p.name for p in tmp_path.iterdir()] == ["inbox"]
    assert list((inbox / ".coming").iterdir()) == []


def test_a_stream_that_is_cut_stores_nothing(tmp_path: Path) -> None:
    folder, inbox = tmp_path / "sealed", tmp_path / "inbox"
    sealed(folder, job_of(tmp_path))
    whole = sent(folder).getvalue()
    for share in (0.1, 0.5, 0.9):
        answer = attempt.receive(io.BytesIO(whole[: int(len(whole) * share)]), inbox)
        assert answer.startswith("REJECT ")
    assert [p.name for p in inbox.iterdir()] == [".coming"]
