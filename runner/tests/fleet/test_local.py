"""A campaign on this box alone, from the command line: planned, measured, brought home, shown."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import fleets
import patience
import pytest

from corobench.fleet import box, engines
from corobench.fleet.campaign import jobs, records
from corobench.fleet.engines import local
from corobench.locks import locked
from corobench.results import log


def corobench(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(folder / "checkout/.venv/bin/corobench"), "fleet", *arguments],
        cwd=folder / "checkout",
        capture_output=True,
        text=True,
        timeout=patience.SECONDS,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    commit = fleets.checkout(tmp_path / "checkout")
    fleets.write(tmp_path, commit, {"name": "local"}, repetitions=2, patience_s=5.0)
    return tmp_path


def states(folder: Path) -> list[str]:
    done = corobench(folder, "status", str(folder / "planted.toml"), "--json")
    assert done.returncode == 0, done.stderr
    return [one["word"] for one in json.loads(done.stdout)]


def test_a_campaign_from_its_plan_to_its_page(folder: Path) -> None:
    file = str(folder / "planted.toml")
    planned = corobench(folder, "plan", file)
    assert planned.returncode == 0, planned.stderr
    assert planned.stdout.count("smoke on classa") == 2
    assert "2 runs" in planned.stderr
    assert states(folder) == ["open", "open"]
    done = corobench(folder, "run", file, "--every", "0.5")
    assert done.returncode == 0, done.stderr
    runs = [Path(line) for line in done.stdout.splitlines()]
    assert len(runs) == 2
    assert all(log.read(run).invocations for run in runs)
    seeds = {log.read_header(run).plan.seed for run in runs}
    assert len(seeds) == 2
    assert {log.read_header(run).box["class"] for run in runs} == {"classa"}
    again = corobench(folder, "run", file, "--every", "0.5")
    assert again.stdout == done.stdout
    assert "submitted" not in again.stderr
    new = folder / "new/results"
    assert corobench(folder, "collect", file, "--results", str(new)).returncode == 0
    assert len(list(new.glob("*/*/run.json"))) == 2
    record = records(folder / "checkout/results")["planted"]
    assert [one.word for one in record.jobs] == ["done", "done"]


def test_a_killed_worker_and_a_killed_job_lose_nothing(folder: Path) -> None:
    file = str(folder / "planted.toml")
    assert corobench(folder, "submit", file).returncode == 0
    queue = folder / "inbox/.local/planted"
    deadline = time.monotonic() + patience.SECONDS
    while not (queue / "running.json").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    pid = json.loads((queue / "running.json").read_bytes())["pid"]
    worker = int((queue / "worker.lock").read_text())
    os.kill(worker, signal.SIGKILL)
    os.killpg(pid, signal.SIGKILL)
    done = corobench(folder, "run", file, "--every", "0.5")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 2


def test_what_was_cancelled_ends(folder: Path) -> None:
    file = str(folder / "planted.toml")
    corobench(folder, "submit", file)
    done = corobench(folder, "cancel", file)
    assert done.returncode == 0, done.stderr
    deadline = time.monotonic() + patience.SECONDS
    while set(states(folder)) - {"open", "done"}:
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["plan", "none.toml"], "none.toml"),
        (["job", "--outbox", ".", "--deliver", "true"], "stdin holds no job"),
        (["qualify", "{file}", "--class", "classz", "--outbox", "."], "no box class 'classz'"),
        (["submit", "{slurm}"], "Slurm: "),
        (["collect", "{file}", "--results", "/proc/none"], "/proc/none"),
        (["config", "{file}", "--controller", "head", "--out", "conf"], "hosts"),
    ],
)
def test_a_users_mistake_is_one_line(folder: Path, arguments: list[str], said: str) -> None:
    file = str(folder / "planted.toml")
    slurm = folder / "slurm.toml"
    slurm.write_text(Path(file).read_text().replace('"local"', '"slurm"'))
    places = {"{file}": file, "{slurm}": str(slurm)}
    done = corobench(folder, *(places.get(word, word) for word in arguments))
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


class Box:
    """The folder of a local queue, its one job, and a box that is fit after so many looks."""

    def __init__(self, folder: Path, fit_after: int) -> None:
        self.folder = folder
        self.said: list[str] = []
        self.pauses: list[float] = []
        (folder / "1.0123.sh").write_text(
            f'echo x >>"{folder}/looks"\n'
            f'[ $(wc -l <"{folder}/looks") -le {fit_after} ] || exit 0\n'
            f'[ ${box.RESTARTS} -lt ${box.MOST} ] || {{ echo "given up"; exit 0; }}\n'
            f'echo "not fit now: it is noisy"; exit {box.UNFIT}\n'
        )

    def work(self, wait_s: float) -> None:
        local.work(self.folder, wait_s, self.said.append, self.pauses.append)

    @property
    def looks(self) -> int:
        return len((self.folder / "looks").read_text().splitlines())


def test_a_noisy_box_is_asked_again_with_growing_pauses(tmp_path: Path) -> None:
    noisy = Box(tmp_path, fit_after=10)
    noisy.work(43_200.0)
    assert noisy.looks == 11
    # 10 s, 20, 40 ... and never more than a quarter of an hour
    assert sum(noisy.pauses) == 10 * (2**7 - 1) + 3 * 900
    assert len(noisy.said) == 10
    assert all("0123: not fit now: it is noisy; it is asked again at" in one for one in noisy.said)
    assert "given up" not in (tmp_path / "0123.log").read_text()
    assert not list(tmp_path.glob("*.sh"))


def test_a_box_that_stays_noisy_is_given_up_after_the_time_that_was_given(tmp_path: Path) -> None:
    noisy = Box(tmp_path, fit_after=1000)
    noisy.work(100.0)
    assert sum(noisy.pauses) == 100
    assert noisy.looks == 5
    assert (tmp_path / "0123.log").read_text().endswith("given up\n")
    assert not list(tmp_path.glob("*.sh"))


def test_a_job_that_failed_is_not_asked_again(tmp_path: Path) -> None:
    (tmp_path / "1.0123.sh").write_text(f'echo x >>"{tmp_path}/looks"; exit 1\n')
    (tmp_path / "2.4567.sh").write_text(f'echo x >>"{tmp_path}/looks"; kill -9 $$\n')
    local.work(tmp_path, 100.0, print, lambda _s: pytest.fail("it waited"))
    assert (tmp_path / "looks").read_text() == "x\nx\n"


def test_a_job_that_waits_for_its_box_says_so_and_can_be_cancelled(tmp_path: Path) -> None:
    campaign = fleets.write(tmp_path, "a" * 40, {"name": "local"})
    queue = engines.find(campaign)
    folder = campaign.inbox_folder / ".local/planted"
    folder.mkdir(parents=True)
    noisy = Box(folder, fit_after=1000)

    def pause(seconds: float) -> None:
        noisy.pauses.append(seconds)
        seen = queue.live()["0123"]
        assert seen.state == "queued"
        assert "it is noisy; it is asked again at" in seen.reason
        queue.cancel(["0123"])

    local.work(folder, 43_200.0, noisy.said.append, pause)
    assert noisy.looks == 1
    assert noisy.pauses == [5.0]
    assert queue.live() == {}


def test_of_two_workers_one_works(tmp_path: Path) -> None:
    Box(tmp_path, fit_after=0)
    with locked(tmp_path / "worker.lock"):
        local.work(tmp_path, 1.0, print)
    assert not (tmp_path / "looks").exists()


def test_what_comes_while_a_worker_ends_is_not_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Box(tmp_path, fit_after=0)

    @contextmanager
    def closing(path: Path, waiting: Callable[[str], None] | None = None) -> Iterator[None]:
        with locked(path, waiting):
            yield
            if first.looks == 1:  # a job, whose own worker finds this one and ends
                (tmp_path / "2.4567.sh").write_text(f'echo x >>"{tmp_path}/looks"\n')
                local.work(tmp_path, 1.0, print)

    monkeypatch.setattr(local, "locked", closing)
    first.work(1.0)
    assert first.looks == 2


def test_a_worker_waits_for_what_a_killed_one_has_begun(tmp_path: Path) -> None:
    """Its job goes on, and is not measured a second time."""
    file = tmp_path / "1.0123.sh"
    file.write_text(
        f'echo x >>"{tmp_path}/looks"; while [ ! -e "{tmp_path}/end" ]; do sleep 0.05; done\n'
    )
    code = "import sys; from pathlib import Path; from corobench.fleet.engines import local; "
    code += "local.work(Path(sys.argv[1]), 1.0, print)"
    worker = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)])
    patience.until(
        lambda: (tmp_path / "running.json").exists() and (tmp_path / "looks").exists(),
        lambda: worker.poll() is None,
    )
    worker.kill()
    worker.wait()

    def pause(_seconds: float) -> None:
        (tmp_path / "end").touch()
        time.sleep(0.02)

    local.work(tmp_path, 1.0, print, pause)
    assert (tmp_path / "looks").read_text() == "x\n"


def test_submitting_beside_a_measurement_starts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = fleets.write(tmp_path, "a" * 40, {"name": "local"}, repetitions=3)
    queue = engines.find(campaign)
    folder = campaign.inbox_folder / ".local/planted"
    started: list[list[str]] = []
    monkeypatch.setattr(subprocess, "Popen", lambda words, **_options: started.append(words))
    with locked(folder / "worker.lock"):
        for job in jobs(campaign).values():
            queue.submit(job)
        assert len(queue.live()) == 3
    assert started == []
    queue.live()
    assert len(started) == 1
