"""`setup`, `build`, `doctor`, `make test` and `make lint` from the outside: what they print and how
they exit.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType

import patience
import pytest
import toolchain_suites as fake

from corobench import plan
from corobench.cli import main, setup
from corobench.commands import Completed
from corobench.toolchains import devtools
from corobench.toolchains.tools import MissingTool


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A root with the languages `one` (there) and `two` (missing), a runtime each, and a hyperfine
    on PATH.
    """
    tools = tmp_path / "tools"
    fake.script(tools / "uv", "#!/bin/sh\n")
    fake.script(tools / "hyperfine", "#!/bin/sh\necho hyperfine 1.20.0\n")
    fake.add_tool(tools, "one")
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("COROBENCH_UV", str(tools / "uv"))
    root = fake.make_root(tmp_path / "root")
    fake.add_runtime(
        fake.add_language(root, "one", '[[test]]\ncommands = [["false"], ["echo", "{tool}"]]\n'),
        "alpha",
    )
    fake.add_runtime(fake.add_language(root, "two"), "beta")
    shutil.copytree(fake.RUNNER / "tools", root / "runner/tools")
    monkeypatch.setenv("COROBENCH_ROOT", str(root))
    monkeypatch.setenv("COROBENCH_LOCK", str(tmp_path / "lock"))
    return root


def corobench(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_setup_names_what_is_missing_and_what_helps(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert corobench("setup", "--json") == 0
    printed = capsys.readouterr()
    assert "MISSING two: Fake is not installed; try: get a fake one\n" in printed.err
    data = json.loads(printed.out)
    assert data["tools"]["one"]["version"] == "2.5"
    assert set(data["tools"]) == {"one", "two"}, "a suite without workloads asks for no helpers"


def test_what_is_missing_is_a_line_each_and_fails_only_where_that_is_asked(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("gamma", "delta", "epsilon"):
        fake.add_runtime(root / "two", name)
    assert corobench("missing") == 0
    assert (
        capsys.readouterr().err
        == "MISSING beta, delta, epsilon and 1 more: Fake is not installed; try: get a fake one\n"
    )
    assert corobench("missing", "--strict") == 1
    assert corobench("missing", "--runtimes", "alpha", "--strict") == 0
    monkeypatch.setenv("COROBENCH_STRICT", "1")
    assert corobench("missing") == 1


def test_a_workload_without_its_tool_is_a_gap(root: Path) -> None:
    shutil.copy(fake.RUNNER / "workloads/startup.toml", root / "runner/workloads")
    (root / "one/alpha/startup.fake").write_text("program of alpha\n")
    suite = fake.suite(root)
    tools = setup.missing_tools(suite, plan.Selection(profile="default"))
    assert tools == {}, "hyperfine is on PATH"
    made = plan.make_plan(
        suite,
        plan.Selection(profile="default"),
        1,
        {},
        1,
        {"startup": "hyperfine is not installed"},
    )
    assert [
        gap.reason for gap in made.gaps if (gap.workload, gap.runtime) == ("startup", "alpha")
    ] == ["hyperfine is not installed"]
    assert not any(case.startswith("startup/") for case in made.cases)


def test_build_goes_on_without_a_missing_tool(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert corobench("build") == 0
    assert "build: 1 of 2 runtimes are ready" in capsys.readouterr().err


def test_build_fails_at_the_end_for_a_broken_runtime(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "one/alpha/x.fake").write_text("broken\n")
    assert corobench("build", "--runtimes", "alpha") == 1
    assert "FAILED alpha: `onetool build" in capsys.readouterr().err


def test_build_of_an_unknown_runtime_is_a_usage_error(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert corobench("build", "--runtimes", "alhpa") == 2
    assert capsys.readouterr().err == "corobench: unknown runtime 'alhpa'; did you mean 'alpha'?\n"


def test_doctor_fetches_and_makes_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(root.rglob("*"))
    assert corobench("doctor", "--json") == 0
    findings = {
        finding["name"]: finding for finding in json.loads(capsys.readouterr().out)["findings"]
    }
    assert findings["toolchain two"]["remedy"] == "get a fake one"
    assert sorted(root.rglob("*")) == before
    assert corobench("doctor") == 0
    said = capsys.readouterr().out
    assert "do: get a fake one" in said
    for fact in (
        "cpu.model",
        "cpu.microcode",
        "idle.driver",
        "kernel.release",
        "kernel.command_line",
        "limits.stack",
    ):
        assert f"\n      {fact}" in said, "the facts that a run stores"


def test_a_failing_test_stops_no_other_and_fails_at_the_end(
    root: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        devtools._RUNNER, "test", [["python", "-c", "print('the runner was here')"]]
    )
    monkeypatch.setenv(devtools.BROWSER, "/some/browser")
    monkeypatch.delenv("CI", raising=False)
    assert corobench("test") == 1
    printed = capfd.readouterr()
    assert str(root.parent / "tools/onetool") in printed.out
    assert "the runner was here" in printed.out
    assert [line for line in printed.err.splitlines() if line.startswith("test:")] == [
        "test: FAILED  one: `false` ended with exit status 1",
        f"test: ok      one: echo {root.parent}/tools/onetool",
        "test: SKIPPED two: Fake is not installed; get a fake one",
        "test: ok      runner: python -c print('the runner was here')",
    ]


def test_the_languages_of_the_runtimes_that_are_named_are_tested(
    root: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = f"import os; print('tested:', os.environ['{devtools.TESTED}'])"
    monkeypatch.setitem(devtools._RUNNER, "test", [["python", "-c", told]])
    monkeypatch.setenv(devtools.BROWSER, "/some/browser")
    monkeypatch.delenv("CI", raising=False)
    assert corobench("test", "--runtimes", "beta") == 0
    printed = capfd.readouterr()
    assert "tested: beta" in printed.out
    assert [line for line in printed.err.splitlines() if line.startswith("test:")] == [
        "test: SKIPPED two: Fake is not installed; get a fake one",
        f"test: ok      runner: python -c {told}",
        "test: left out: one; all with --runtimes all (RUNTIMES=all)",
    ]
    assert corobench("test", "--runtimes", "all") == 1
    assert "left out" not in capfd.readouterr().err


def test_languages_and_runtimes_are_not_named_together(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert corobench("test", "one", "--runtimes", "beta") == 2
    assert "PARTS and --runtimes exclude each other" in capfd.readouterr().err
    assert corobench("test", "--runtimes", "bta") == 2
    assert "beta" in capfd.readouterr().err


def test_the_foremost_of_those_that_wait_is_next() -> None:
    turns, order = devtools._Turns(1), list[int]()

    def work(place: int) -> None:
        with turns.take(place):
            order.append(place)

    threads = [threading.Thread(target=work, args=[place]) for place in (3, 1, 2)]
    with turns.take(9):
        for thread in threads:
            thread.start()
        patience.until(lambda: turns._waiting == {1, 2, 3})
        assert order == []
    for thread in threads:
        thread.join()
    assert order == [1, 2, 3]


def test_what_a_linter_needs_is_fetched_first_and_tried_again(
    root: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    third = "echo >> tries; [ $(wc -l < tries) = 3 ]"
    manifest = root / "one/toolchain.toml"
    lint = f"[[lint]]\nfetch = [['sh', '-c', '{third}']]\ncommands = [['wc', 'tries']]\n"
    manifest.write_text(manifest.read_text() + lint)
    monkeypatch.setattr(devtools, "pauses_s", lambda: (0.0, 0.0))
    monkeypatch.setitem(devtools._RUNNER, "lint", [])
    monkeypatch.delenv("CI", raising=False)
    assert corobench("lint") == 0
    assert "lint: ok      one: wc tries" in capfd.readouterr().err


def test_commands_are_told_the_tools_that_they_ask_for(
    root: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fake.script(root.parent / "tools/front", "#!/bin/sh\necho 1.2\n")
    (root / "runner/tools").mkdir(parents=True, exist_ok=True)
    for name in ("front", "absent"):
        find = (
            f"[find]\ncandidates = ['{name}']\nprobe = ['{{candidate}}']\npattern = "
            "'(?P<version>.+)'\n"
        )
        (root / f"runner/tools/{name}.toml").write_text(
            f"title = '{name}'\nminimum = '1.0'\nhelp = 'get one'\n{find}"
        )
    manifest = root / "one/toolchain.toml"
    show = "commands = [['sh', '-c', 'echo $COROBENCH_TOOL_FRONT+$COROBENCH_TOOL_ABSENT+']]"
    manifest.write_text(manifest.read_text() + f"[[lint]]\ntools = ['front', 'absent']\n{show}\n")
    monkeypatch.setitem(devtools._RUNNER, "lint", [])
    monkeypatch.delenv("CI", raising=False)
    assert corobench("lint") == 0
    assert f"{path}++\n" in capfd.readouterr().out


def test_a_missing_language_fails_the_tests_in_ci_only(
    root: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(devtools._RUNNER, "lint", [])
    monkeypatch.delenv("CI", raising=False)
    assert corobench("lint") == 0
    assert "lint: SKIPPED two: Fake is not installed; get a fake one" in capfd.readouterr().err
    monkeypatch.setenv("CI", "true")
    assert corobench("lint") == 1
    assert "lint: FAILED  two: Fake is not installed; get a fake one" in capfd.readouterr().err


def test_the_system_browser_comes_first(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(devtools.BROWSER, raising=False)
    path = fake.script(tmp_path / "tools/chromium", "#!/bin/sh\necho Chromium 140.0.7339.16\n")
    assert devtools.browser(fake.suite(root), lambda _text: None) == {devtools.BROWSER: str(path)}


def _bootstrap() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bootstrap", fake.RUNNER / "bootstrap.py")
    assert spec
    assert spec.loader
    bootstrap = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bootstrap)
    return bootstrap


def test_what_every_start_would_do_again_is_done_with_the_environment(tmp_path: Path) -> None:
    """Where Python may keep nothing that it compiles, each command would compile all that it
    loads.
    """
    bootstrap = _bootstrap()
    bootstrap.VENV, bootstrap.UV, called = tmp_path / "venv", tmp_path / "uv", tmp_path / "called"
    for name in ("uv", "venv/bin/python"):
        fake.script(tmp_path / name, f'#!/bin/sh\necho {name} "$@" >> {called}\n')
    bootstrap._fill("use", tmp_path / "stamp", "key")
    lines = called.read_text().splitlines()
    installed = [line for line in lines if line.startswith("uv pip install")]
    assert len(installed) == 2
    assert all("--compile-bytecode" in line for line in installed)
    assert lines[-3:] == [
        f"venv/bin/python -m compileall -q {fake.RUNNER / 'src'}",
        "venv/bin/python -m corobench.report.vega",
        "venv/bin/python -m corobench.report.render",
    ]
    assert importlib.util.find_spec("corobench.report.vega")
    assert importlib.util.find_spec("corobench.report.render")
    assert (tmp_path / "stamp").read_text() == "key"


def test_what_is_fetched_first_is_tried_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """pip and uv name the package themselves; their words go to stderr as they are."""
    bootstrap = _bootstrap()
    bootstrap.PAUSE_S = 0
    pip = fake.script(
        tmp_path / "pip",
        f"#!/bin/sh\necho no uv-1.whl; echo >> {tmp_path}/tries; [ $(wc -l < "
        f"{tmp_path}/tries) = 3 ]\n",
    )
    bootstrap._run([pip], "pip could not fetch uv", bootstrap.TRIES)
    assert (
        capfd.readouterr().err.count(
            "no uv-1.whl\nsetup: pip could not fetch uv (exit status 1); trying again"
        )
        == 2
    )
    with pytest.raises(SystemExit, match=r"pip could not fetch uv \(exit status 1\)"):
        bootstrap._run([pip], "pip could not fetch uv", bootstrap.TRIES)


def test_a_python_without_pip_and_ensurepip_gets_one_clear_line(tmp_path: Path) -> None:
    """What Debian's python3 is without python3-venv."""
    (tmp_path / "runner").mkdir()
    for name in ("bootstrap.py", "bootstrap.lock"):
        shutil.copy(fake.RUNNER / name, tmp_path / "runner")
    file = str(tmp_path / "runner/bootstrap.py")
    without = (
        f"import runpy, sys; sys.executable = 'false'; runpy.run_path({file!r}, "
        "run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", without], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "apt install python3-venv" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_a_browser_of_playwright_is_kept_in_the_checkout(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is put into the user's home, and tests look for it where it was put."""
    monkeypatch.delenv(devtools.BROWSER, raising=False)
    asked: list[str] = []

    def run_tool(_command: list[str], _cwd: Path, env: dict[str, str], **_: bool) -> Completed:
        asked.append(env[devtools.PLAYWRIGHT])
        return Completed(
            command=["playwright"], exit_status=0, output="", errors="", timed_out=False, seconds=0
        )

    missing = MissingTool(name="chromium", reason="not installed", help="get one")
    monkeypatch.setattr(devtools, "helper", lambda *_, **__: missing)
    monkeypatch.setattr(devtools, "run_tool", run_tool)
    place = str(root / ".toolchain/browsers")
    assert devtools.browser(fake.suite(root), lambda _text: None) == {devtools.PLAYWRIGHT: place}
    assert asked == [place]


def test_what_nobody_has_tried_to_provision_is_not_called_missing(root: Path) -> None:
    """A dry run in a fresh clone foresees what set-up will bring."""
    (root / "runner/tools/hyperfine.toml").write_text(
        (root / "runner/tools/hyperfine.toml")
        .read_text()
        .replace('["hyperfine"]\nprobe', '["no-such-hyperfine"]\nprobe')
    )
    shutil.copy(fake.RUNNER / "workloads/startup.toml", root / "runner/workloads")
    assert (
        setup.missing_tools(fake.suite(root), plan.Selection(profile="default"), fetch="never")
        == {}
    )
