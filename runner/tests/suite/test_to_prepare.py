"""Tools and programs are made of the runtimes that a selection measures, and of no others."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import planted
import pytest
from click.testing import CliRunner

from corobench.cli import measure, setup
from corobench.plan import Selection, chosen, make_plan, to_prepare
from corobench.suite.load import load_suite
from corobench.suite.runtime import Suite
from corobench.suite.workload import parse_case
from corobench.toolchains.tools import Missing

SUITE = load_suite(planted.REPOSITORY)


@pytest.mark.parametrize("profile", ["quick", "publish", "findings"])
@pytest.mark.parametrize(
    "asked",
    [
        {"workloads": ["spawn"]},
        {"workloads": ["memory-timer", "memory"]},
        {"points": "n >= 10_000"},
    ],
)
def test_named_workloads_and_points_need_the_runtimes_of_their_cases(
    profile: str, asked: dict[str, Any]
) -> None:
    selection = Selection(profile=profile, **asked)
    measured = {parse_case(key).runtime for key in make_plan(SUITE, selection, seed=0).cases}
    needed = to_prepare(SUITE, selection)
    assert set(needed) == measured
    assert len(needed) < len(chosen(SUITE, selection))


def test_a_runtime_that_is_not_prepared_keeps_its_gaps() -> None:
    selection = Selection(profile="publish", workloads=["timers"])
    silent = {gap.runtime for gap in make_plan(SUITE, selection, seed=0).gaps if not gap.point}
    assert silent - {*to_prepare(SUITE, selection)}


def test_named_runtimes_and_whole_profiles_stay_as_they_are() -> None:
    named = Selection(workloads=["http"], runtimes=["asyncio", "hyper-current-thread"])
    assert set(to_prepare(SUITE, named)) == {"asyncio", "hyper-current-thread"}
    assert to_prepare(SUITE, Selection()) == chosen(SUITE, Selection())


HTTP = Selection(profile="quick", workloads=["http"])


@pytest.fixture
def asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The names that the commands want prepared; nothing is."""
    monkeypatch.setenv("COROBENCH_LOCK", str(tmp_path / "lock"))
    names: list[str] = []

    def prepare(_suite: Suite, runtimes: Iterable[str], _say: object) -> dict[str, Missing]:
        names.extend(runtimes)
        return {name: Missing(runtime=name, reason="not made", help="none") for name in names}

    for module in (setup, measure):
        monkeypatch.setattr(module, "prepare", prepare)
    monkeypatch.setattr(setup, "missing_tools", lambda *_, **__: {})
    monkeypatch.setattr(setup, "find_root", lambda: planted.REPOSITORY)
    return names


@pytest.mark.parametrize("command", [setup.build_command, setup.missing_command])
def test_build_and_missing_prepare_no_others(command: Any, asked_for: list[str]) -> None:
    done = CliRunner().invoke(command, ["--profile", "quick", "--workloads", "http"])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    assert asked_for == to_prepare(SUITE, HTTP)


def test_run_and_verify_prepare_no_others(asked_for: list[str]) -> None:
    with pytest.raises(Exception, match="nothing selected"):
        measure.prepare_plan(SUITE, HTTP, seed=0)
    assert asked_for == to_prepare(SUITE, HTTP)


def test_setup_gets_the_tools_of_no_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COROBENCH_LOCK", str(tmp_path / "lock"))
    wanted: set[str] = set()

    def found(_suite: Suite, _say: object, *, only: set[str], fetch: str) -> dict[str, Any]:
        assert fetch == "again"
        wanted.update(only)
        return {}

    monkeypatch.setattr(setup, "setup", found)
    monkeypatch.setattr(setup, "find_root", lambda: planted.REPOSITORY)
    done = CliRunner().invoke(setup.setup_command, ["--profile", "quick", "--workloads", "http"])
    assert done.exception is None, done.output
    languages = {SUITE.runtimes[name].toolchain.language for name in to_prepare(SUITE, HTTP)}
    assert wanted & {*SUITE.toolchains} == languages
    assert "load" in wanted
