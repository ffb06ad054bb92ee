"""A real run, interrupted: no finished invocation is lost or doubled, no process survives, and it
can be gone on with.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, product
from pathlib import Path

import msgspec
import patience
import planted
import pytest
from runs import (
    FAST,
    command,
    corobench,
    interrupted,
    measured_once,
    only,
    processes_of,
    suite,
    wait_for_lines,
)

from corobench import cli
from corobench.machine.doctor import examine, lasting
from corobench.machine.proc import Host
from corobench.plan import first_to_go
from corobench.results import log
from corobench.suite.workload import parse_case

# How the lines of a run begin, in this order.
ENDING = [
    *("will measure: 4 cases a block", "will take: about", "block 1 of 3: ", "finished: "),
    *("One CPU", "planted  ", "median of 3", "page: ", "next: "),
]

SLOW = """
title = "Planted"
minimum = "3.11"
help = "install Python"
[find]
candidates = ["{python}"]
probe = ["{{candidate}}", "-c", "import pathlib, time; pathlib.Path('{flag}').touch(); time.sleep(1000)"]
pattern = 'Python (?P<version>[0-9.]+)'
"""


@pytest.mark.parametrize(
    ("how", "lines"),
    [
        *product([signal.SIGINT, signal.SIGKILL], [1, 5, 11]),
        (signal.SIGTERM, 5),
        (signal.SIGHUP, 5),
    ],
)
def test_interrupted_at_any_moment_and_resumed(
    tmp_path: Path, how: signal.Signals, lines: int
) -> None:
    words, env = command(
        suite(tmp_path), "run", "--profile", "quick", "--workloads", ",".join(FAST), "--seed", "5"
    )
    assert interrupted(tmp_path, words, env, how, lines) == (-9 if how == signal.SIGKILL else 130)
    patience.until(lambda: processes_of(tmp_path) == [])
    before = log.read(only(tmp_path))
    resumed = corobench(tmp_path, "run", "--resume", str(only(tmp_path)))
    assert resumed.returncode == 0, resumed.stderr
    after = log.read(only(tmp_path))
    assert after.lines[: len(before.lines)] == before.lines
    measured_once(only(tmp_path), 3)
    again = corobench(tmp_path, "run", "--resume", str(only(tmp_path)))
    assert (again.returncode, "is finished" in again.stderr) == (2, True)


def test_two_checkouts_take_turns_and_are_compared_by_block(tmp_path: Path) -> None:
    first, second = suite(tmp_path / "first"), suite(tmp_path / "second")
    asked = [
        "--profile",
        "quick",
        "--workloads",
        "baseline,spawn",
        "--seed",
        "5",
        "--budget",
        "10m",
    ]
    result = corobench(first, "run", *asked, "--beside", str(second))
    assert result.returncode == 0, result.stderr
    folders = [Path(line) for line in result.stdout.splitlines()]
    assert [folder.name.endswith("-beside") for folder in folders] == [False, True]
    assert {log.read(folder).header.budget_s for folder in folders} == {300}
    for folder in folders:
        measured_once(folder, 3)
    assert set(turns(folders)) == {
        (
            block,
            workload,
            tuple(folder.name for folder in first_to_go(folders, workload, block, seed=5)),
        )
        for block in range(3)
        for workload in ("baseline", "spawn")
    }
    compared = corobench(first, "compare", *map(str, folders), "--json")
    assert '"interleaved":true' in compared.stdout.replace(" ", ""), compared.stderr


def turns(folders: list[Path]) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Block, workload and the runs that had their turns at it one after the other."""
    runs = {folder.name: log.read(folder) for folder in folders}
    told = sorted(
        (i.started, name, i.block, i.case.split("/")[0])
        for name, run in runs.items()
        for i in run.invocations
    )
    for (block, workload), those in groupby(told, key=lambda one: one[2:]):
        yield block, workload, tuple(name for name, _ in groupby(one[1] for one in those))


def test_a_broken_program_does_not_stop_the_others(tmp_path: Path) -> None:
    broken = planted.cheat(
        "spawn-chain", "from harness import Program\n", "raise SystemExit('broken on purpose')\n"
    )
    result = corobench(
        suite(tmp_path, spawn_chain=broken),
        "run",
        "--profile",
        "smoke",
        "--workloads",
        "spawn,spawn-chain",
    )
    assert result.returncode == 1
    assert "REJECTED planted/spawn-chain/n=2: exit status 1: broken on purpose" in result.stderr
    run = log.read(only(tmp_path))
    assert {line.case.split("/")[0] for line in run.invocations} == {"spawn"}
    assert {(line.kind, line.case.split("/")[0]) for line in run.failures} == {
        ("verify", "spawn-chain")
    }
    assert "broken on purpose" in run.failures[0].reason


def test_a_program_that_fails_only_when_measured_is_given_up(tmp_path: Path) -> None:
    late = planted.cheat(
        "spawn",
        '    n = program["n"]\n',
        "    n = program[\"n\"]\n    if n > 100:\n        raise SystemExit('late')\n",
    )
    result = corobench(
        suite(tmp_path, spawn=late), "run", "--profile", "quick", "--workloads", "spawn,baseline"
    )
    assert result.returncode == 1
    run = log.read(only(tmp_path))
    assert {line.case.split("/")[0] for line in run.invocations} == {"baseline"}
    assert set(Counter(line.case for line in run.failures).values()) == {2}
    assert {line.exit_status for line in run.failures} == {1}


def test_a_program_that_fails_once_has_its_number_and_a_flag(tmp_path: Path) -> None:
    """A neighbour may cost one invocation; that is no failure of the run, and stands beside the
    number.
    """
    flag = tmp_path / "failed-once"
    once = planted.cheat(
        "spawn",
        '    n = program["n"]\n',
        f'    n = program["n"]\n    import pathlib\n    flag = pathlib.Path({str(flag)!r})\n'
        "    if n > 100 and not flag.exists():\n        flag.touch()\n        raise "
        "SystemExit('once')\n",
    )
    result = corobench(
        suite(tmp_path, spawn=once), "run", "--profile", "quick", "--workloads", "spawn"
    )
    assert result.returncode == 0, result.stderr
    run = log.read(only(tmp_path))
    assert [failure.exit_status for failure in run.failures] == [1]
    assert run.failures[0].case in {line.case for line in run.invocations}
    assert "failed" in result.stderr


def test_a_run_under_nohup_outlives_its_terminal(tmp_path: Path) -> None:
    words, env = command(
        suite(tmp_path), "run", "--profile", "quick", "--workloads", ",".join(FAST)
    )
    ignoring = [
        sys.executable,
        "-c",
        "import os, signal, sys; signal.signal(1, signal.SIG_IGN); os.execv(sys.argv[1], "
        "sys.argv[1:])",
    ]
    with subprocess.Popen(
        [*ignoring, *words], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
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
    with subprocess.Popen(
        words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        patience.until(
            (tmp_path / "planted" / "flag").exists, while_true=lambda: process.poll() is None
        )
        process.send_signal(signal.SIGHUP)
        assert process.wait(patience.SECONDS) == 130
    patience.until(lambda: processes_of(tmp_path) == [])


def test_results_that_cannot_be_written_are_known_before_measuring(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = corobench(
        suite(tmp_path), "run", "--profile", "smoke", "--out", str(tmp_path / "file" / "below")
    )
    assert result.returncode == 1
    assert (
        "results can't be written there: Not a directory; choose another folder with --out"
        in result.stderr
    )
    assert "verified" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (
            ["run", "--runtimes", "plannted"],
            2,
            "unknown runtime 'plannted'; did you mean 'planted'",
        ),
        (
            ["run", "--workloads", "spawn-chian"],
            2,
            "unknown workload 'spawn-chian'; did you mean 'spawn-chain'",
        ),
        (["run", "--tracks", "all-cpus"], 4, "nothing selected"),
        (["run", "--budget", "10"], 2, "'10' is not a duration; write 90s, 10m or 2h"),
        (["run", "--budget", "nans"], 2, "'nans' is no time that passes; write 90s, 10m or 2h"),
        (["run", "--budget", "infm"], 2, "'infm' is no time that passes; write 90s, 10m or 2h"),
        (["run", "--budget", "-5m"], 2, "'-5m' is no time that passes; write 90s, 10m or 2h"),
        (
            ["run", "--runtimes", ""],
            2,
            "names nothing; leave the option out for what the profile measures",
        ),
        (
            ["run", "--workloads", " , "],
            2,
            "names nothing; leave the option out for what the profile measures",
        ),
        (["run", "--resume", "some-run"], 2, "no run there yet"),
        *(
            (
                ["run", "--resume", "x", *given],
                2,
                f"leave out {given[0]} (only --budget may be given)",
            )
            for given in (
                ["--profile", "quick"],
                ["--runtimes", "planted"],
                ["--workloads", "spawn"],
                ["--tracks", "one-cpu"],
            )
        ),
        *(
            (
                ["run", "--resume", "x", *given],
                2,
                f"leave out {given[0]} (only --budget may be given)",
            )
            for given in (
                ["--seed", "1"],
                ["--out", "x"],
                ["--beside", "."],
                ["--dry-run"],
                ["--priority"],
            )
        ),
        (["run", "--profile", "defualt"], 2, "unknown profile 'defualt'; did you mean 'default'"),
        (["rnu"], 2, "unknown command 'rnu'; did you mean 'run'"),
        (["run", "--resume", "/nonexistent"], 2, "not a run"),
    ],
)
def test_wrong_input_gets_one_clear_line(
    tmp_path: Path, arguments: list[str], status: int, message: str
) -> None:
    result = corobench(suite(tmp_path), *arguments)
    assert result.returncode == status
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_a_full_disk_keeps_what_was_measured(tmp_path: Path) -> None:
    words, env = command(
        suite(tmp_path), "run", "--profile", "quick", "--workloads", "spawn,baseline"
    )
    limited = ["bash", "-c", 'ulimit -f 12; exec "$@"', "bash", *words]
    result = subprocess.run(
        limited, env=env, capture_output=True, text=True, timeout=patience.SECONDS, check=False
    )
    assert result.returncode == 1
    assert "cannot write: File too large; what was measured before is kept" in result.stderr
    before = log.read(only(tmp_path))
    assert before.invocations
    assert corobench(tmp_path, "run", "--resume", only(tmp_path).name).returncode == 0, (
        "by its name, too"
    )
    measured_once(only(tmp_path), 3)


def test_a_dry_run_as_json(tmp_path: Path) -> None:
    words = [
        "run",
        "--dry-run",
        "--profile",
        "quick",
        "--workloads",
        "spawn,baseline",
        "--seed",
        "5",
    ]
    plain, made = corobench(suite(tmp_path), *words), corobench(tmp_path, *words, "--json")
    told = msgspec.json.decode(made.stdout)
    assert told["order"] == plain.stdout.splitlines()
    assert (told["plan"]["seed"], sorted(told["plan"]["cases"])) == (5, sorted(told["order"]))
    assert told["estimate"]["cases"] == len(told["order"])
    assert [basis["source"] for basis in told["estimate"]["basis"]] == ["specs"]
    assert "will take: about " in plain.stderr
    assert "the nominal durations of their specs" in plain.stderr
    assert not (tmp_path / "results").exists()


def test_a_run_says_what_comes_where_it_is_and_what_it_found(tmp_path: Path) -> None:
    """On stderr; stdout is the folder alone. A second run knows from the first how long it
    takes.
    """
    words = ["run", "--profile", "quick", "--workloads", "spawn,baseline"]
    first = corobench(suite(tmp_path), *words)
    assert first.returncode == 0, first.stderr
    assert first.stdout.splitlines() == [str(only(tmp_path))]
    said = first.stderr.splitlines()
    places = [next(i for i, line in enumerate(said) if line.startswith(words)) for words in ENDING]
    assert places == sorted(places)
    assert "\r" not in first.stderr
    again = corobench(tmp_path, *words, "--dry-run", "--json")
    (basis,) = msgspec.json.decode(again.stdout)["estimate"]["basis"]
    assert (basis["source"], basis["run"]) == ("this box", f"testbox/{only(tmp_path).name}")


def test_a_run_that_was_preferred_says_so(tmp_path: Path) -> None:
    """Allowed or refused: it isn't like one without. What doctor warns of stands in every run."""
    result = corobench(
        suite(tmp_path),
        "run",
        "--profile",
        "smoke",
        "--workloads",
        "baseline",
        "--priority",
        "--json",
    )
    assert result.returncode == 0, result.stderr
    (folder,) = msgspec.json.decode(result.stdout)["runs"]
    box = log.read(Path(folder)).header.box
    assert box["priority"]["nice"] == -10
    assert [said.partition(":")[0] for said in box["warnings"]] == [
        said.partition(":")[0] for said in lasting(examine())
    ]


def test_each_invocation_has_its_witness(tmp_path: Path) -> None:
    result = corobench(
        suite(tmp_path), "run", "--profile", "smoke", "--workloads", "spawn,baseline"
    )
    assert result.returncode == 0, result.stderr
    run, host = log.read(only(tmp_path)), Host()
    assert run.invocations
    for line in run.invocations:
        seen = line.witness
        assert seen.wall_ns > sum(iteration.elapsed_ns for iteration in line.iterations)
        assert seen.user_ns + seen.system_ns >= sum(
            iteration.cpu_ns for iteration in line.iterations
        )
        assert min(seen.voluntary, seen.minor_faults) > 0
        assert None not in (
            seen.busy_ns,
            seen.steal_ns,
            seen.box_cpus,
            seen.here_busy_ns,
            seen.here_steal_ns,
            seen.load,
        )
        assert seen.here_cpus == len(run.header.box["tracks"][parse_case(line.case).track])
        assert (seen.pressure_ns is None) is (host.text("/proc/pressure/cpu") is None)


def test_errors_of_the_system_are_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        raise OSError(28, "No space left on device", "/results/a-file")

    monkeypatch.setattr(cli.corobench, "main", fail)
    with pytest.raises(SystemExit) as ended:
        cli.main(["list"])
    assert (ended.value.code, capsys.readouterr().err) == (
        1,
        "corobench: /results/a-file: No space left on device\n",
    )
