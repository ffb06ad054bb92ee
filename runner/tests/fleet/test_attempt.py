"""An attempt on its way home: what arrives is what was sealed, or is refused with the reason."""

from __future__ import annotations

import errno
import io
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from checkouts import REPOSITORY
from fleets import job_of, sealed, sent
from needed import command

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


def archive(
    *names: str, kind: bytes = tarfile.REGTYPE, link: str = "", claimed: int = 0
) -> io.BytesIO:
    """Of empty files. `claimed`: the size that a header says and the stream hasn't."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w|") as made:
        for name in names:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, link
            made.addfile(member)
    data = bytearray(stream.getvalue())
    if claimed:
        member = tarfile.TarInfo(names[0])
        member.size = claimed
        data[: tarfile.BLOCKSIZE] = member.tobuf()
    return io.BytesIO(bytes(data))


@pytest.mark.parametrize(
    "stream",
    [
        archive("../outside"),
        archive("/etc/passwd"),
        archive(".hidden"),
        archive("a/b/c/d/e/f"),
        archive("link", kind=tarfile.SYMTYPE, link="/etc/passwd"),
        archive("pipe", kind=tarfile.FIFOTYPE),
        archive("device", kind=tarfile.CHRTYPE),
        archive("hard", kind=tarfile.LNKTYPE, link="/etc/passwd"),
        archive("sparse", kind=tarfile.GNUTYPE_SPARSE),
        archive("folder", kind=tarfile.DIRTYPE),
        archive("long/" * 30 + "name"),
        archive("a" * 240),
        archive("twice", "twice"),
        archive("a", "a/b"),
        archive("huge", claimed=1 << 31),
        archive(*(f"file-{number}" for number in range(101))),
        io.BytesIO(b"no archive at all" * 10_000),
    ],
    ids=[
        "up",
        "absolute",
        "hidden",
        "deep",
        "link",
        "pipe",
        "device",
        "hard",
        "sparse",
        "folder",
        "deeper",
        "long",
        "twice",
        "file-as-folder",
        "huge",
        "many",
        "garbage",
    ],
)
def test_no_stream_writes_anything_but_an_attempt(tmp_path: Path, stream: io.BytesIO) -> None:
    inbox = tmp_path / "inbox"
    assert attempt.receive(stream, inbox).startswith("REJECT ")
    assert [p.name for p in tmp_path.iterdir()] == ["inbox"]
    assert list((inbox / ".coming").iterdir()) == []


def test_a_stream_that_is_cut_stores_nothing_and_is_asked_for_again(tmp_path: Path) -> None:
    folder, inbox = tmp_path / "sealed", tmp_path / "inbox"
    sealed(folder, job_of(tmp_path))
    whole = sent(folder).getvalue()
    end = whole.rstrip(b"\0")
    for size in (0, 100, 512, 1024, len(whole) // 2, len(end) - 512, len(end)):
        answer = attempt.receive(io.BytesIO(whole[:size]), inbox)
        assert answer == "LATER the stream ended before the attempt did"
    assert [p.name for p in inbox.iterdir()] == [".coming"]
    assert attempt.receive(io.BytesIO(whole), inbox).startswith("STORED")


def test_what_a_killed_receiver_left_is_removed_and_what_another_receives_is_not(
    tmp_path: Path,
) -> None:
    folder, inbox = tmp_path / "sealed", tmp_path / "inbox"
    sealed(folder, job_of(tmp_path))
    left = inbox / ".coming" / attempt.new_id()
    left.mkdir(parents=True)
    (left / "half").write_text("half")

    class Slow(io.BytesIO):
        """Another attempt arrives while this one is on its way."""

        def read(self, size: int | None = -1) -> bytes:
            if self.tell() == 0:
                assert not left.exists()
                assert attempt.receive(sent(folder), inbox).startswith("STORED")
            return super().read(size)

    assert attempt.receive(Slow(sent(folder).getvalue()), inbox).startswith("DUPLICATE")
    assert list((inbox / ".coming").iterdir()) == []


def test_a_collector_that_cannot_store_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, inbox = tmp_path / "sealed", tmp_path / "inbox"
    sealed(folder, job_of(tmp_path))
    (tmp_path / "file").write_text("")
    answer = attempt.receive(sent(folder), tmp_path / "file/inbox")
    assert answer.startswith("LATER the collector can't store it")

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        answer = attempt.receive(sent(folder), inbox)
    assert answer == "LATER the collector can't store it: No space left on device"
    assert list((inbox / ".coming").iterdir()) == []
    assert attempt.receive(sent(folder), inbox).startswith("STORED")


@pytest.mark.skipif(os.geteuid() != 0, reason="ONLY ROOT MOUNTS: a disk that is full was not tried")
def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """A real one, which only the receiver sees."""
    command("unshare", "--mount", "true")
    folder = tmp_path / "sealed"
    sealed(folder, job_of(tmp_path))
    (folder / attempt.LOG).write_bytes(os.urandom(200_000))
    attempt.seal(folder, attempt.read(folder))
    code = (
        "import sys; from pathlib import Path; from corobench.fleet import attempt; "
        "print(attempt.receive(sys.stdin.buffer, Path(sys.argv[1])))"
    )
    (tmp_path / "inbox").mkdir()
    script = 'mount -t tmpfs -o size=100k full "$1" && shift && exec "$@"'
    inbox = str(tmp_path / "inbox")
    receive = [sys.executable, "-P", "-c", code, inbox]
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", inbox, *receive],
        input=sent(folder).getvalue(),
        env={**os.environ, "PYTHONPATH": str(REPOSITORY / "runner/src")},
        capture_output=True,
        check=False,
    )
    assert done.stdout.decode().strip() == (
        "LATER the collector can't store it: No space left on device"
    ), done.stderr


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", [attempt.LOG, attempt.FACTS, attempt.MANIFEST])
@pytest.mark.parametrize("plant", [os.mkfifo, lambda file: file.symlink_to("/dev/zero")])
def test_what_is_no_file_is_never_read(
    tmp_path: Path, name: str, plant: Callable[[Path], None]
) -> None:
    folder = tmp_path / "sealed"
    sealed(folder, job_of(tmp_path))
    (folder / name).unlink()
    plant(folder / name)
    assert attempt.problems(folder)
