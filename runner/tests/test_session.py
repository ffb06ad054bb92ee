"""A real run, interrupted: no finished invocation is lost or doubled, no process survives, and it can be gone on with."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import msgspec
import patience
import planted
import pytest

from corobench import store
from corobench.execute import lock
from corobench.execute.lock import no_run, only_run

FAST = ["spawn", "hand-off", "baseline"]
SLOW = """
title = "Planted"
minimum = "3.11"
help = "install Python"
[find]
candidates = ["{python}"]
probe = ["{{candidate}}", "-c", "import pathlib, time; pathlib.Path('{flag}').touch(); time.sleep(1000)"]
pattern = 'Python (?P<version>[0-9.]+)'
"""


def command(root: Path, *arguments: str) -> tuple[list[str], dict[str, str]]:
    env = {**os.environ, "COROBENCH_ROOT": str(root), "COROBENCH_LOCK": str(root / "lock"), "COROBENCH_BOX": "testbox"}
    return [sys.executable, "-m", "corobench", *arguments], env


def corobench(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    words, env = command(root, *arguments)
    return subprocess.run(words, env=env, capture_output=True, text=True, timeout=patience.SECONDS, check=False)


def suite(root: Path, **programs: str) -> Path:
    planted.plant(root, {name: planted.honest(name) for name in FAST} | {n.replace("_", "-"): s for n, s in programs.items()})
    planted.shorten(root)
    return root


def only(root: Path) -> Path:
    (folder,) = (root / "results" / "testbox").iterdir()
    return folder


def wait_for_lines(root: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    def reached() -> bool:
        return any(log.read_bytes().count(b"\n") >= count for log in (root / "results").glob("*/*/log.jsonl"))

    patience.until(reached, while_true=lambda: process.poll() is None)


def interrupted(root: Path, words: list[str], env: dict[str, str], how: signal.Signals, lines: int) -> int:
    """The exit status of a run that got a signal after so many lines; once more where it was over before the signal came."""
    for _ in range(5):
        with subprocess.Popen(words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            wait_for_lines(root, lines, process)
            process.send_signal(how)
        if process.returncode:
            return process.returncode
        shutil.rmtree(root / "results")
    return 0


def processes_of(root: Path) -> list[str]:
    """Command lines of living processes that run something below `root`."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes()
        except OSError:
            continue
        if str(root / "planted").encode() in words:
            found.append(words.decode())
    return found


def measured_once(folder: Path, blocks: int) -> None:
    run = store.read(folder)
    seen = Counter((line.case, line.block) for line in run.invocations)
    assert seen == dict.fromkeys(((case, block) for case in run.header.plan.cases for block in range(blocks)), 1)


@pytest.mark.parametrize("lines", [1, 5, 11])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_interrupted_at_any_moment_and_resumed(tmp_path: Path, how: signal.Signals, lines: int) -> None:
    words, env = command(suite(tmp_path), "run", "--profile", "quick", "--workloads", ",".join(FAST), "--seed", "5")
    assert interrupted(tmp_path, words, env, how, lines) == (-9 if how == signal.SIGKILL else 130)
    patience.until(lambda: processes_of(tmp_path) == [])
    before = store.read(only(tmp_path))
    resumed = corobench(tmp_path, "run", "--resume", str(only(tmp_path)))
    assert resumed.returncode == 0, resumed.stderr
    after = store.read(only(tmp_path))
    assert after.lines[: len(before.lines)] == before.lines
    measured_once(only(tmp_path), 3)
    again = corobench(tmp_path, "run", "--resume", str(only(tmp_path)))
    assert (again.returncode, "is finished" in again.stderr) == (2, True)


def test_a_run_that_ended_on_its_budget_goes_on_with_a_larger_one(tmp_path: Path) -> None:
    """The first block takes all of the budget, however fast the box is."""
    slow = planted.cheat(
        "spawn", "from harness import Program\n", "import time\n\nfrom harness import Program\n\ntime.sleep(0.5)\n"
    )
    arguments = ["--profile", "quick", "--workloads", "spawn,baseline", "--budget", "1s"]
    short = corobench(suite(tmp_path, spawn=slow), "run", *arguments)
    assert short.returncode == 0, short.stderr
    assert "another block would exceed the time budget of 1 s" in short.stderr
    assert "the time budget has room for about 0 of the 3 blocks that this profile needs at least" in short.stderr
    refused = corobench(tmp_path, "run", "--resume", str(only(tmp_path)))
    assert refused.returncode == 2
    assert f"to go on, give it more time: --resume {only(tmp_path)} --budget 1h" in refused.stderr
    longer = corobench(tmp_path, "run", "--resume", str(only(tmp_path)), "--budget", "1h")
    assert longer.returncode == 0, longer.stderr
    measured_once(only(tmp_path), 3)
    again = corobench(tmp_path, "run", "--resume", str(only(tmp_path)), "--budget", "2h")
    assert (again.returncode, "is finished (all 3 blocks" in again.stderr) == (2, True)


def test_two_checkouts_take_turns_and_are_compared_by_block(tmp_path: Path) -> None:
    first, second = suite(tmp_path / "first"), suite(tmp_path / "second")
    result = corobench(first, "run", "--profile", "quick", "--workloads", "baseline", "--beside", str(second))
    assert result.returncode == 0, result.stderr
    folders = [Path(line) for line in result.stdout.splitlines()]
    assert [folder.name.endswith("-beside") for folder in folders] == [False, True]
    for folder in folders:
        measured_once(folder, 3)
    starts = sorted((i.started, folder.name) for folder in folders for i in store.read(folder).invocations if "~" not in i.case)
    assert [name for _, name in starts] == [folder.name for folder in folders] * 3
    compared = corobench(first, "compare", *map(str, folders), "--json")
    assert '"interleaved":true' in compared.stdout.replace(" ", ""), compared.stderr


def test_a_broken_program_does_not_stop_the_others(tmp_path: Path) -> None:
    broken = planted.cheat("spawn-chain", "from harness import Program\n", "raise SystemExit('broken on purpose')\n")
    result = corobench(suite(tmp_path, spawn_chain=broken), "run", "--profile", "smoke", "--workloads", "spawn,spawn-chain")
    assert result.returncode == 1
    assert "REJECTED planted/spawn-chain/n=2: exit status 1: broken on purpose" in result.stderr
    run = store.read(only(tmp_path))
    assert {line.case.split("/")[0] for line in run.invocations} == {"spawn"}
    assert {(line.kind, line.case.split("/")[0]) for line in run.failures} == {("verify", "spawn-chain")}
    assert "broken on purpose" in run.failures[0].reason


def test_a_program_that_fails_only_when_measured_is_given_up(tmp_path: Path) -> None:
    late = planted.cheat(
        "spawn", '    n = program["n"]\n', "    n = program[\"n\"]\n    if n > 100:\n        raise SystemExit('late')\n"
    )
    result = corobench(suite(tmp_path, spawn=late), "run", "--profile", "quick", "--workloads", "spawn,baseline")
    assert result.returncode == 1
    run = store.read(only(tmp_path))
    assert {line.case.split("/")[0] for line in run.invocations} == {"baseline"}
    assert set(Counter(line.case for line in run.failures).values()) == {2}
    assert {line.exit_status for line in run.failures} == {1}


def test_resuming_with_other_programs_is_refused(tmp_path: Path) -> None:
    words, env = command(suite(tmp_path), "run", "--profile", "quick", "--workloads", "spawn,baseline")
    assert interrupted(tmp_path, words, env, signal.SIGINT, 5) == 130
    source = tmp_path / "planted" / "one" / "spawn.py"
    source.write_text(source.read_text() + "\n# changed\n")
    result = corobench(tmp_path, "run", "--resume", str(only(tmp_path)))
    assert result.returncode == 2
    assert "can't be resumed: the hash of the " in result.stderr
    assert "of planted was" in result.stderr
    assert "{" not in result.stderr, "the one that differs, not all of them"
    assert "verified" not in result.stderr, "it is known before anything is verified"


def test_another_run_in_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COROBENCH_LOCK", str(tmp_path / "lock"))
    with only_run():
        result = corobench(suite(tmp_path), "run", "--profile", "smoke")
    assert result.returncode == 1
    assert f"another run is in progress on this box (process {os.getpid()})" in result.stderr
    assert "verified" not in result.stderr


@pytest.mark.parametrize("words", [["setup"], ["build"], ["verify"], ["run", "--dry-run"], ["run", "--resume", "some-run"]])
def test_nothing_is_built_beside_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.setenv("COROBENCH_LOCK", str(tmp_path / "lock"))
    with only_run():
        result = corobench(suite(tmp_path), *words)
    assert result.returncode == 1
    assert f"run is in progress on this box (process {os.getpid()})" in result.stderr
    assert not (tmp_path / ".build").exists()


def test_builds_share_the_box_and_keep_a_run_off_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COROBENCH_LOCK", str(tmp_path / "lock"))
    with no_run("build"):
        assert corobench(suite(tmp_path), "build").returncode == 0
        result = corobench(tmp_path, "run", "--profile", "smoke")
    assert result.returncode == 1
    assert "corobench build is in progress on this box (process " in result.stderr


def test_all_users_of_a_box_meet_at_one_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COROBENCH_LOCK", raising=False)
    usual = lock.path()
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    assert lock.path() == usual


def test_a_lock_can_be_read_by_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the umask of the user who came first."""
    monkeypatch.setenv("COROBENCH_LOCK", str(tmp_path / "lock"))
    before = os.umask(0o077)
    try:
        with only_run():
            assert (tmp_path / "lock").stat().st_mode & 0o044 == 0o044
    finally:
        os.umask(before)


def test_a_run_under_nohup_outlives_its_terminal(tmp_path: Path) -> None:
    words, env = command(suite(tmp_path), "run", "--profile", "quick", "--workloads", ",".join(FAST))
    ignoring = [
        sys.executable,
        "-c",
        "import os, signal, sys; signal.signal(1, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])",
    ]
    with subprocess.Popen([*ignoring, *words], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_for_lines(tmp_path, 2, process)
        process.send_signal(signal.SIGHUP)
        assert process.wait(patience.SECONDS) == 0
    measured_once(only(tmp_path), 3)


def test_a_closed_terminal_ends_a_build_with_its_tools(tmp_path: Path) -> None:
    """Also where no run has begun: what a tool has started must not stay behind."""
    (suite(tmp_path) / "planted" / "toolchain.toml").write_text(
        SLOW.format(python=sys.executable, flag=tmp_path / "planted" / "flag")
    )
    words, env = command(tmp_path, "build")
    with subprocess.Popen(words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        patience.until((tmp_path / "planted" / "flag").exists, while_true=lambda: process.poll() is None)
        process.send_signal(signal.SIGHUP)
        assert process.wait(patience.SECONDS) == 130
    patience.until(lambda: processes_of(tmp_path) == [])


def test_results_that_cannot_be_written_are_known_before_measuring(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = corobench(suite(tmp_path), "run", "--profile", "smoke", "--out", str(tmp_path / "file" / "below"))
    assert result.returncode == 1
    assert "results can't be written there: Not a directory; choose another folder with --out" in result.stderr
    assert "verified" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["run", "--runtimes", "plannted"], 2, "unknown runtime 'plannted'; did you mean 'planted'"),
        (["run", "--workloads", "spawn-chian"], 2, "unknown workload 'spawn-chian'; did you mean 'spawn-chain'"),
        (["run", "--tracks", "all-cpus"], 4, "nothing selected"),
        (["run", "--budget", "10"], 2, "'10' is not a duration; write 90s, 10m or 2h"),
        (["run", "--budget", "nans"], 2, "'nans' is no time that passes; write 90s, 10m or 2h"),
        (["run", "--budget", "infm"], 2, "'infm' is no time that passes; write 90s, 10m or 2h"),
        (["run", "--budget", "-5m"], 2, "'-5m' is no time that passes; write 90s, 10m or 2h"),
        (["run", "--runtimes", ""], 2, "names nothing; leave the option out for what the profile measures"),
        (["run", "--workloads", " , "], 2, "names nothing; leave the option out for what the profile measures"),
        (["run", "--resume", "some-run"], 2, "no run there yet"),
        *(
            (["run", "--resume", "x", *given], 2, f"leave out {given[0]} (only --budget may be given)")
            for given in (["--profile", "quick"], ["--runtimes", "planted"], ["--workloads", "spawn"], ["--tracks", "one-cpu"])
        ),
        *(
            (["run", "--resume", "x", *given], 2, f"leave out {given[0]} (only --budget may be given)")
            for given in (["--seed", "1"], ["--out", "x"], ["--beside", "."], ["--dry-run"], ["--priority"])
        ),
        (["run", "--profile", "defualt"], 2, "unknown profile 'defualt'; did you mean 'default'"),
        (["rnu"], 2, "unknown command 'rnu'; did you mean 'run'"),
        (["run", "--resume", "/nonexistent"], 2, "not a run"),
    ],
)
def test_wrong_input_gets_one_clear_line(tmp_path: Path, arguments: list[str], status: int, message: str) -> None:
    result = corobench(suite(tmp_path), *arguments)
    assert result.returncode == status
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_a_full_disk_keeps_what_was_measured(tmp_path: Path) -> None:
    words, env = command(suite(tmp_path), "run", "--profile", "quick", "--workloads", "spawn,baseline")
    limited = ["bash", "-c", 'ulimit -f 12; exec "$@"', "bash", *words]
    result = subprocess.run(limited, env=env, capture_output=True, text=True, timeout=patience.SECONDS, check=False)
    assert result.returncode == 1
    assert "cannot write: File too large; what was measured before is kept" in result.stderr
    before = store.read(only(tmp_path))
    assert before.invocations
    assert corobench(tmp_path, "run", "--resume", only(tmp_path).name).returncode == 0, "by its name, too"
    measured_once(only(tmp_path), 3)


def test_a_run_of_what_no_longer_exists_is_not_resumed(tmp_path: Path) -> None:
    words, env = command(suite(tmp_path), "run", "--profile", "quick", "--workloads", "spawn,baseline")
    assert interrupted(tmp_path, words, env, signal.SIGINT, 5) == 130
    (tmp_path / "runner" / "workloads" / "spawn.toml").unlink()
    result = corobench(tmp_path, "run", "--resume", str(only(tmp_path)))
    assert result.returncode == 2
    assert "can't be resumed: this checkout has no workload 'spawn' any longer" in result.stderr


def test_what_of_the_box_has_changed_is_told_and_kept(tmp_path: Path) -> None:
    words, env = command(suite(tmp_path), "run", "--profile", "quick", "--workloads", "spawn,baseline")
    assert interrupted(tmp_path, words, env, signal.SIGINT, 5) == 130
    header = only(tmp_path) / "run.json"
    facts = msgspec.json.decode(header.read_bytes())
    release = facts["box"]["kernel"]["release"]
    facts["box"]["kernel"]["release"] = "2.6.32"
    header.write_bytes(msgspec.json.encode(facts))
    result = corobench(tmp_path, "run", "--resume", str(only(tmp_path)))
    assert result.returncode == 0, result.stderr
    assert f"WARNING: kernel.release of this box was '2.6.32' when the run began and is '{release}' now" in result.stderr
    (resumed,) = [mark for mark in store.read(only(tmp_path)).marks if mark.event == "resumed"]
    assert resumed.values["box"]["kernel.release"] == ["2.6.32", release]


def test_a_dry_run_as_json(tmp_path: Path) -> None:
    words = ["run", "--dry-run", "--profile", "quick", "--workloads", "spawn,baseline", "--seed", "5"]
    plain, made = corobench(suite(tmp_path), *words), corobench(tmp_path, *words, "--json")
    told = msgspec.json.decode(made.stdout)
    assert told["order"] == plain.stdout.splitlines()
    assert (told["plan"]["seed"], sorted(told["plan"]["cases"])) == (5, sorted(told["order"]))
    assert not (tmp_path / "results").exists()


def test_a_run_that_was_preferred_says_so(tmp_path: Path) -> None:
    """Allowed or refused: it isn't like one without."""
    result = corobench(suite(tmp_path), "run", "--profile", "smoke", "--workloads", "baseline", "--priority", "--json")
    assert result.returncode == 0, result.stderr
    (folder,) = msgspec.json.decode(result.stdout)["runs"]
    assert store.read(Path(folder)).header.box["priority"]["nice"] == -10
