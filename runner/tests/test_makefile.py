"""The Makefile: its targets explain themselves, and a broken runtime doesn't keep the others from
being measured.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import toolchain_suites as fake

from corobench.suite.workload import PROFILES

ROOT = fake.RUNNER.parent
TARGETS = [
    *(
        "help",
        "all",
        "quick",
        "scenarios",
        "findings",
        "setup",
        "build",
        "verify",
        "bench",
        "report",
    ),
    *("compare", "publish", "serve", "doctor", "test", "lint", "clean"),
]


def make(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "-C", str(ROOT), *words], capture_output=True, text=True, check=False
    )


def test_help_is_the_default_and_names_every_target() -> None:
    shown = make()
    assert shown.returncode == 0
    assert [
        line.split()[1] for line in shown.stdout.splitlines() if line.startswith("  make ")
    ] == TARGETS


def test_help_names_every_profile() -> None:
    line = next(line for line in make("help").stdout.splitlines() if "PROFILE=smoke|" in line)
    assert set(line.split("PROFILE=")[1].split()[0].split("|")) == set(PROFILES)


@pytest.fixture
def corobench(tmp_path: Path) -> Path:
    """A command that keeps its words and fails with 1 or 130 at the step that a file names."""
    text = (
        f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n[ "$1" = "$(cat {tmp_path}/fail-1)" '
        "] && exit 1\n"
    )
    (tmp_path / "fail-1").touch()
    (tmp_path / "fail-130").touch()
    return fake.script(
        tmp_path / "corobench",
        f'{text}[ "$1" = "$(cat {tmp_path}/fail-130)" ] && exit 130\nexit 0\n',
    )


def steps(corobench: Path, *words: str) -> tuple[list[str], int]:
    """What `make` calls, without touching this checkout's environment (PYTHON=true does no
    set-up).
    """
    done = make(f"corobench={corobench}", "PYTHON=true", *words)
    return (corobench.parent / "calls").read_text().splitlines(), done.returncode


def test_all_is_the_whole_pipeline(corobench: Path) -> None:
    calls, status = steps(
        corobench, "all", "RUNTIMES=go,node", "WORKLOADS=spawn", "POINTS=n <= 9", "BUDGET=5m"
    )
    assert status == 0
    assert [" ".join(call.split()) for call in calls] == [
        "setup --profile default --runtimes go,node --workloads spawn --points n <= 9",
        "build --profile default --runtimes go,node --workloads spawn --points n <= 9",
        "verify --profile default --runtimes go,node --workloads spawn --points n <= 9",
        "run --profile default --runtimes go,node --workloads spawn --points n <= 9 --budget 5m",
        "report",
        "missing --profile default --runtimes go,node --workloads spawn --points n <= 9",
    ]


def test_what_is_missing_is_a_failure_where_that_is_asked(corobench: Path) -> None:
    calls, _ = steps(corobench, "quick", "STRICT=1")
    assert calls[-1].endswith("--strict")


@pytest.mark.parametrize("profile", ["quick", "scenarios", "findings"])
def test_a_target_of_a_profile_runs_it(corobench: Path, profile: str) -> None:
    calls, _ = steps(corobench, profile)
    assert [call.split()[0] for call in calls] == [
        "setup",
        "build",
        "verify",
        "run",
        "report",
        "missing",
    ]
    assert all(f"--profile {profile}" in call for call in calls if not call.startswith("report"))


@pytest.mark.parametrize("step", ["build", "verify", "run", "report", "missing"])
def test_a_failure_is_told_at_the_end_and_keeps_nothing_back(corobench: Path, step: str) -> None:
    (corobench.parent / "fail-1").write_text(step)
    calls, status = steps(corobench, "all")
    assert [call.split()[0] for call in calls] == [
        "setup",
        "build",
        "verify",
        "run",
        "report",
        "missing",
    ]
    assert status != 0


@pytest.mark.parametrize(
    ("step", "pages"),
    [
        ("run", "the pages were written, with a reason for each"),
        ("report", "the pages could not be written"),
    ],
)
def test_the_last_line_says_what_failed_and_where_the_pages_are(
    corobench: Path, step: str, pages: str
) -> None:
    (corobench.parent / "fail-1").write_text(step)
    *_, last, of_make = make(f"corobench={corobench}", "PYTHON=true", "quick").stderr.splitlines()
    assert last.startswith(
        f"corobench: not everything succeeded (failures in: {step}; named above); {pages}"
    )
    assert "Error 1" in of_make


def test_an_interrupt_ends_everything(corobench: Path) -> None:
    (corobench.parent / "fail-130").write_text("verify")
    calls, status = steps(corobench, "all")
    assert [call.split()[0] for call in calls] == ["setup", "build", "verify"]
    assert status != 0


def test_pages_are_served_on_this_machine_only() -> None:
    assert "--bind 127.0.0.1" in make("-n", "serve", "PYTHON=true").stdout
