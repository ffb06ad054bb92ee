"""An installed wheel, far from any checkout: it reports on any folder of runs, and says what it
lacks for the rest.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import report_runs

REPOSITORY = Path(__file__).resolve().parents[2]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the wheel holds, unpacked; its dependencies are those of this environment."""
    made = tmp_path_factory.mktemp("wheel")
    uv = REPOSITORY / ".toolchain/uv/bin/uv"
    build = [uv, "build", "--quiet", "--wheel", "--out-dir", made, REPOSITORY / "runner"]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = made.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(made / "lib")
    return made / "lib"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two runs and nothing else."""
    made = tmp_path_factory.mktemp("runs")
    report_runs.write(made / "box/1", blocks=9, workloads=["switch"])
    report_runs.write(
        made / "box/2", blocks=9, seed=2, workloads=["switch"], created="2025-03-02T10:00:00+00:00"
    )
    return made


@pytest.fixture
def run(installed: Path) -> Run:
    outside = {
        name: value for name, value in os.environ.items() if not name.startswith("COROBENCH_")
    }

    def ran(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-m", "corobench", *map(str, words)]
        env = {**outside, "PYTHONPATH": str(installed)}
        return subprocess.run(
            command, cwd=cwd, env=env, capture_output=True, text=True, check=False
        )

    return ran


def test_the_wheel_is_what_runs(installed: Path, tmp_path: Path) -> None:
    code = "import corobench; print(corobench.__file__)"
    env = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(done.stdout.strip()).is_relative_to(installed)


@pytest.mark.parametrize("inside", [True, False])
def test_the_reporting_half_needs_a_folder_of_runs_alone(
    run: Run, folder: Path, tmp_path: Path, inside: bool
) -> None:
    where = folder if inside else tmp_path
    named = [] if inside else ["--results", folder]
    exported = run("export", "--format", "csv", *named, cwd=where)
    assert exported.returncode == 0, exported.stderr
    assert "switch" in exported.stdout
    shown = run("show", "switch/one-cpu/asyncio", *named, cwd=where)
    assert shown.returncode == 0, shown.stderr
    assert "ANOTHER BOX: run" in shown.stdout
    compared = run("compare", "1", "2", *named, cwd=where)
    assert compared.returncode in (0, 3), compared.stderr
    checked = run("check", "1", *named, cwd=where)
    assert checked.returncode in (0, 1), checked.stderr
    assert "box/1: " in checked.stderr
    site = tmp_path / "pages"
    reported = run("report", "--out", site, *named, cwd=where)
    assert reported.returncode == 0, reported.stderr
    assert Path(reported.stdout.strip()) == site / "index.html"
    assert (site / "runs/box/2/index.html").is_file()


def test_doctor_needs_nothing(run: Run, tmp_path: Path) -> None:
    done = run("doctor", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["findings"]


def test_what_is_missing_is_said(run: Run, tmp_path: Path) -> None:
    empty = run("report", cwd=tmp_path)
    assert (empty.returncode, empty.stdout) == (2, "")
    assert (
        "holds no runs (<box>/<run>/run.json); name a folder that does with --results"
        in empty.stderr
    )
    for command in ("run", "verify", "build", "setup", "list"):
        done = run(command, cwd=tmp_path)
        assert done.returncode == 2, command
        assert (
            "not inside a corobench checkout, which has the programs that are measured; clone "
            "its repository"
        ) in done.stderr
