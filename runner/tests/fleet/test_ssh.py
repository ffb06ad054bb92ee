"""A box delivers over a real ssh server, with a key that may do nothing else."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import collector
import fleets
import patience
import pytest
from collector import Collector
from fleets import job_of, sealed
from needed import command, tool

from corobench.fleet import attempt, box
from corobench.fleet.attempt import Attempt

pytestmark = [pytest.mark.network, pytest.mark.timeout(2 * patience.SECONDS)]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collector]:
    command("ssh-keygen")
    folder = tmp_path_factory.mktemp("collector")
    fleets.checkout(folder / "checkout")
    corobench = folder / "checkout/.venv/bin/corobench"
    with collector.running(folder, tool("sshd"), corobench) as home:
        yield home


@pytest.fixture(autouse=True)
def afresh(home: Collector) -> Iterator[None]:
    yield
    home.cut_after(None)
    shutil.rmtree(home.inbox, ignore_errors=True)


class Box:
    """A box with one attempt that is sealed and large enough to be on its way for a while."""

    def __init__(self, folder: Path, home: Collector) -> None:
        self.home = home
        self.outbox = folder / "outbox"
        self.said: list[str] = []
        self.sealed = self.outbox / "0.first"
        sealed(self.sealed, job_of(folder))
        (self.sealed / attempt.LOG).write_bytes(os.urandom(3_000_000))
        self.seal()

    def seal(self) -> None:
        made = attempt.read(self.sealed)
        attempt.seal(self.sealed, made)

    @property
    def attempt(self) -> Attempt:
        return attempt.read(self.sealed)

    def deliver(self) -> str:
        """What is left afterwards stands in the outbox; the answer."""
        box.deliver_all(self.outbox, self.home.deliver, self.said.append)
        return self.said[-1]


@pytest.fixture
def bench(tmp_path: Path, home: Collector) -> Box:
    return Box(tmp_path, home)


def stored(home: Collector) -> list[str]:
    return [str(path.parent.relative_to(home.inbox)) for path in home.inbox.glob("*/*/MANIFEST*")]


def test_an_attempt_arrives_once_and_leaves_the_outbox(bench: Box, tmp_path: Path) -> None:
    place = bench.attempt.place
    shutil.copytree(bench.sealed, tmp_path / "kept")
    assert bench.deliver() == f"0.first: STORED {place}"
    assert box.waiting(bench.outbox) == []
    assert attempt.problems(bench.home.inbox / place) == []
    shutil.copytree(tmp_path / "kept", bench.sealed)
    assert bench.deliver() == f"0.first: DUPLICATE {place}"
    assert box.waiting(bench.outbox) == []
    assert stored(bench.home) == [place]


def test_what_was_changed_is_refused_and_kept_aside(bench: Box) -> None:
    with (bench.sealed / attempt.LOG).open("ab") as log:
        log.write(b"x")
    assert bench.deliver() == "0.first: REJECT job.log is not what was sealed"
    assert [path.name for path in (bench.outbox / ".rejected").iterdir()] == ["0.first"]
    assert stored(bench.home) == []


@pytest.mark.parametrize("sent", [1_000, 500_000, 2_500_000])
def test_a_link_that_breaks_midway_stores_nothing_and_loses_nothing(bench: Box, sent: int) -> None:
    bench.home.cut_after(sent)
    assert "not delivered" in bench.deliver()
    assert box.waiting(bench.outbox) == [bench.sealed]
    coming = bench.home.inbox / ".coming"
    patience.until(lambda: not coming.exists() or not list(coming.iterdir()))
    assert stored(bench.home) == []
    bench.home.cut_after(None)
    assert "STORED" in bench.deliver()
    assert box.waiting(bench.outbox) == []


def test_a_client_that_is_killed_midway_stores_nothing(bench: Box) -> None:
    """What `timeout`, a person or a box that shuts down does."""
    coming = bench.home.inbox / ".coming"
    reading, writing = os.pipe()
    with (
        os.fdopen(reading, "rb") as tar,
        subprocess.Popen(bench.home.deliver.split(), stdin=tar, stdout=subprocess.PIPE) as ssh,
    ):
        half = fleets.sent(bench.sealed).getvalue()[:2_000_000]
        writer = threading.Thread(target=lambda: os.write(writing, half), daemon=True)
        writer.start()
        patience.until(lambda: list(coming.glob("*/*")), lambda: ssh.poll() is None)
        ssh.kill()
        assert ssh.stdout is not None
        assert ssh.stdout.read() == b""
    patience.until(lambda: not list(coming.iterdir()))
    os.close(writing)
    assert stored(bench.home) == []
    assert "STORED" in bench.deliver()


def test_a_collector_without_room_is_asked_again(bench: Box) -> None:
    bench.home.inbox.write_text("a file where the folder should be")
    try:
        assert "not delivered" in bench.deliver()
    finally:
        bench.home.inbox.unlink()
    assert box.waiting(bench.outbox) == [bench.sealed]
    assert "STORED" in bench.deliver()


def test_the_key_starts_no_other_command(home: Collector, tmp_path: Path) -> None:
    made = home.ssh("touch", str(tmp_path / "made"))
    assert made.stdout == "LATER the stream ended before the attempt did\n"
    assert not (tmp_path / "made").exists()
    assert home.ssh("ls", "/").stdout == made.stdout
    assert home.ssh().stdout == made.stdout


def test_the_key_gets_no_terminal(home: Collector) -> None:
    done = home.ssh(options=("-tt",))
    assert "PTY allocation request failed" in done.stderr


def test_the_key_gets_no_files(home: Collector) -> None:
    done = home.ssh("sftp", options=("-s",))
    assert done.stdout == "LATER the stream ended before the attempt did\n"


def test_the_key_forwards_no_port(home: Collector) -> None:
    with socket.create_server(("127.0.0.1", 0)) as inside:
        port = inside.getsockname()[1]
        there = home.ssh(options=("-W", f"127.0.0.1:{port}"))
        assert there.returncode != 0
        assert "administratively prohibited" in there.stderr
        back = home.ssh(
            options=("-N", "-R", f"0:127.0.0.1:{port}", "-o", "ExitOnForwardFailure=yes")
        )
        assert back.returncode != 0
        assert "remote port forwarding failed" in back.stderr


def test_another_key_gets_nothing(home: Collector, tmp_path: Path) -> None:
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "other")]
    subprocess.run(words, check=True)
    config = tmp_path / "config"
    text = (home.folder / "config").read_text()
    config.write_text(text.replace(f"{home.folder}/box", f"{tmp_path}/other"))
    done = home.ssh(options=("-F", str(config)))
    assert done.returncode == 255
    assert "Permission denied (publickey)" in done.stderr
