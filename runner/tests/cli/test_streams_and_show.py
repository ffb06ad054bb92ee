"""The command line: whose numbers `show` tells, streams that are closed, and shells that complete
words.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import patience
import pytest
import report_runs
from planted import REPOSITORY
from runs import command

CASE = "spawn/n=10000/one-cpu/asyncio"
# What prints, with what it asks for here.
PRINTING = [
    ["--help"],
    ["run", "--help"],
    ["list"],
    ["list", "--json"],
    ["doctor"],
    ["show", "spawn"],
    ["show", CASE, "--json"],
    ["check", "2025-03-01-whole", "--json"],
    ["compare", "2025-03-01-whole", "2025-02-01-before"],
    ["run", "--dry-run", "--profile", "smoke", "--workloads", "spawn"],
    *(["export", "2025-03-01-whole", "--format", name] for name in ("json", "csv", "markdown")),
]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with three runs of this box and two of another one; programs are those of the
    repository.
    """
    made = tmp_path_factory.mktemp("checkout")
    for entry in REPOSITORY.iterdir():
        if entry.is_dir() and ((entry / "toolchain.toml").is_file() or entry.name == "runner"):
            (made / entry.name).symlink_to(entry)
    here = {"box": {"name": "testbox"}}
    some = {"runtimes": ["asyncio"], "workloads": ["spawn"], "created": "2025-03-02T10:00:00+00:00"}
    write = report_runs.write
    write(
        made / "results/testbox/2025-02-01-before",
        blocks=9,
        seed=2,
        created="2025-02-01T10:00:00+00:00",
        counted={"uvloop": 14_589},
        **here,
    )
    write(
        made / "results/testbox/2025-03-01-whole", blocks=9, failing=[("memory", "gevent")], **here
    )
    write(made / "results/testbox/2025-03-02-quick", profile="quick", blocks=3, **some, **here)  # type: ignore[arg-type]
    write(
        made / "results/otherbox/2025-04-01-newest",
        blocks=9,
        box={"name": "otherbox"},
        created="2025-04-01T10:00:00+00:00",
    )
    return made


def corobench(root: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    words, env = command(root, *arguments)
    return subprocess.run(
        words,
        env=env | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=patience.SECONDS,
        check=False,
    )


def test_show_takes_this_box_s_newest_run_and_says_so(root: Path) -> None:
    first, second, *_ = corobench(root, "show", CASE).stdout.splitlines()
    assert first == (
        "run 2025-03-02-quick of this box (testbox), 2025-03-02 10:00 UTC, quick run: no claims; "
        "the newest of 3 here that have it"
    )
    assert second.startswith("asyncio: spawn, n = 10,000")


def test_show_looks_for_the_case_in_older_runs_of_this_box(root: Path) -> None:
    """The newest one measured one runtime only, and there is a newer one of another box."""
    first, second, *_ = corobench(root, "show", "spawn/n=10000/one-cpu/go-p1").stdout.splitlines()
    assert first == (
        "run 2025-03-01-whole of this box (testbox), 2025-03-01 10:00 UTC; the newest of 2 "
        "here that have it"
    )
    assert second.startswith("go-p1: spawn")
    named = corobench(root, "show", CASE, "--run", "2025-02-01-before").stdout.splitlines()[0]
    assert named == "run 2025-02-01-before of this box (testbox), 2025-02-01 10:00 UTC"


def test_show_keeps_what_it_worked_out_and_needs_no_place_for_it(root: Path) -> None:
    cache = root / "results/.report-cache"
    shutil.rmtree(cache, ignore_errors=True)
    first = corobench(root, "show", CASE).stdout
    kept = {file: file.stat().st_mtime_ns for file in cache.glob("*.summary.json")}
    assert (corobench(root, "show", CASE).stdout, len(kept)) == (first, 1)
    assert {file: file.stat().st_mtime_ns for file in cache.glob("*.summary.json")} == kept
    shutil.rmtree(cache)
    cache.write_text("not a folder")
    assert corobench(root, "show", CASE).stdout == first
    cache.unlink()


def test_show_says_first_that_numbers_are_of_another_box(root: Path) -> None:
    shown = corobench(root, "show", CASE, COROBENCH_BOX="third-box")
    first = shown.stdout.splitlines()[0]
    assert first == (
        "ANOTHER BOX: run 2025-04-01-newest of otherbox, 2025-04-01 10:00 UTC; no run of this "
        f"box (third-box) has '{CASE}'"
    )
    named = corobench(
        root, "show", CASE, "--run", "otherbox/2025-04-01-newest"
    ).stdout.splitlines()[0]
    assert named == (
        "ANOTHER BOX: run 2025-04-01-newest of otherbox, 2025-04-01 10:00 UTC; this one is testbox"
    )
    told = corobench(root, "show", CASE, "--json", COROBENCH_BOX="third-box")
    data = msgspec.json.decode(told.stdout)
    assert (data["run"], data["box"], data["this_box"]) == ("2025-04-01-newest", "otherbox", False)
    assert "ANOTHER BOX" in told.stderr


def test_parts_of_a_case_give_a_line_for_each_number(root: Path) -> None:
    lines = corobench(root, "show", "spawn").stdout.splitlines()[1:]
    assert lines
    assert all(line.startswith("spawn/") for line in lines)
    both = corobench(root, "show", "switch/asyncio/").stdout.splitlines()[1:]
    assert both
    assert all(re.match("switch/[^/]+/one-cpu/asyncio +time ", line) for line in both)
    failed = corobench(root, "show", "memory/gevent").stdout
    assert "failed: " in failed
    assert corobench(root, "show", "hand-off/gevent").returncode == 0, (
        "what was not measured has its reason there"
    )


def test_a_case_in_full_has_its_counts(root: Path) -> None:
    where = ("--run", "2025-02-01-before")
    told = corobench(root, "show", "spawn/n=1000/one-cpu/uvloop", *where).stdout.splitlines()
    assert "  instructions an operation: 14,600" in told
    assert "  system-calls an operation: 1.00" in told
    gap = corobench(root, "show", "spawn/n=1000/one-cpu/gevent", *where).stdout.splitlines()
    assert "  instructions an operation: not counted: signal 11" in gap


def test_one_line_names_what_is_near_a_case_that_nobody_has(root: Path) -> None:
    for asked, hint in (
        ("spwan", "did you mean 'spawn'"),
        ("spawn/n=1001/one-cpu/asyncio", f"or '{CASE}'"),
        ("qqqqqqq", "a case is workload/point/track/runtime"),
    ):
        shown = corobench(root, "show", asked)
        assert (shown.returncode, shown.stdout) == (2, "")
        (line,) = shown.stderr.splitlines()
        assert line.startswith(f"corobench: no run has measured '{asked}'; ")
        assert hint in line


def test_a_run_of_another_box_is_never_taken_for_the_newest_in_silence(root: Path) -> None:
    own = corobench(root, "export", "--format", "csv")
    assert own.stderr == ""
    assert ",2025-03-02-quick," in own.stdout
    other = corobench(root, "export", "--format", "csv", COROBENCH_BOX="third-box")
    assert "taken is otherbox/2025-04-01-newest, of ANOTHER BOX" in other.stderr


@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_a_closed_pipe_is_no_error(root: Path, arguments: list[str]) -> None:
    """The reader is gone before anything is written, as with `| true`."""
    words, env = command(root, *arguments)
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        words,
        env=env,
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=patience.SECONDS,
        check=False,
    )
    os.close(writing)
    assert ended.returncode == 141
    assert ended.stderr == b""


def test_the_first_line_is_all_that_head_wants(root: Path) -> None:
    words, env = command(root, "list", "--json")
    told = subprocess.run(
        ["bash", "-c", 'set -o pipefail; "$@" | head -c 5', "bash", *words],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.stdout == '{"run'
    assert told.returncode in (0, 141), "head may read all before it ends"
    assert told.stderr == ""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("arguments", [["list"], ["doctor"], ["show", CASE], ["rnu"]], ids=" ".join)
def test_closed_streams_are_no_traceback(root: Path, arguments: list[str], closed: str) -> None:
    words, env = command(root, *arguments)
    told = subprocess.run(
        ["bash", "-c", f'"$@" {closed}', "bash", *words],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == (2 if arguments == ["rnu"] else 0)
    assert "Traceback" not in told.stderr
    assert (told.stdout == "") is (">&-" in closed.split() or arguments == ["rnu"])


def test_a_full_disk_is_one_line(root: Path) -> None:
    words, env = command(root, "list")
    with Path("/dev/full").open("wb") as full:
        told = subprocess.run(
            words, env=env, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert told.returncode == 1
    assert told.stderr == "corobench: [Errno 28] No space left on device\n"


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
    ids=["C", "ascii", "latin-1"],
)
def test_no_encoding_is_a_traceback(root: Path, environment: dict[str, str]) -> None:
    for arguments in (
        ["list"],
        ["show", "spawn"],
        ["compare", "2025-03-01-whole", "2025-02-01-before"],
        ["doctor"],
    ):
        words, env = command(root, *arguments)
        told = subprocess.run(
            words, env=env | environment, capture_output=True, timeout=patience.SECONDS, check=False
        )
        assert told.returncode == 0, told.stderr
    for name in ("csv", "markdown", "json"):
        words, env = command(root, "export", "--format", name)
        told = subprocess.run(
            words, env=env | environment, capture_output=True, timeout=patience.SECONDS, check=False
        )
        assert told.returncode == 0, told.stderr
        assert told.stdout.decode("utf-8"), "a file is UTF-8 in every locale"


def test_letters_that_a_terminal_lacks_are_replaced(root: Path) -> None:
    words, env = command(root, "show", CASE)
    told = subprocess.run(
        words, env=env | {"PYTHONIOENCODING": "latin-1"}, capture_output=True, check=False
    )
    shown = told.stdout.decode("latin-1")
    assert re.search(r"time: [0-9.]+ µs \([0-9.]+-[0-9.]+\)", shown), "the dash of an interval"


def completed(
    root: Path, shell: str, words: str, place: int | str, **environment: str
) -> list[str]:
    """What a shell is offered, as its function asks for it."""
    asked = {
        "_COROBENCH_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(place),
    }
    code = "import sys; sys.argv[0] = 'corobench'; from corobench.cli import main; main()"
    _, env = command(root)
    told = subprocess.run(
        [sys.executable, "-c", code],
        env=env | asked | environment,
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, told.stderr) == (0, "")
    lines = [line for line in told.stdout.splitlines() if line]
    return lines if shell == "zsh" else [line.partition(",")[2] for line in lines]


@pytest.mark.parametrize(
    ("words", "place", "offered"),
    [
        ("corobench sho", 1, {"show"}),
        ("corobench run --runt", 2, {"--runtimes"}),
        ("corobench run --runtimes uvl", 3, {"uvloop"}),
        ("corobench verify --runtimes asyncio,uvl", 3, {"asyncio,uvloop"}),
        ("corobench build --workloads spawn,spa", 3, {"spawn,spawn-chain"}),
        ("corobench list --tracks ", 3, {"one-cpu", "all-cpus"}),
        ("corobench run --tracks = one", 4, {"one-cpu"}),
        ("corobench setup --profile q", 3, {"quick"}),
        ("corobench export --format c", 3, {"csv"}),
        ("corobench export 2025-03-01", 2, {"2025-03-01-whole"}),
        ("corobench compare 2025-03-01-whole 2025-02", 3, {"2025-02-01-before"}),
        ("corobench run --resume 2025-04", 3, {"2025-04-01-newest"}),
        ("corobench show spawn/n = 10000/one-cpu/asy", 4, {"10000/one-cpu/asyncio"}),
        ("corobench show spawn/n =", 3, {"10000/one-cpu/asyncio"}),
        (f"corobench show {CASE} --run 2025-03-02", 4, {"2025-03-02-quick"}),
    ],
)
def test_bash_completes(root: Path, words: str, place: int, offered: set[str]) -> None:
    """Bash takes words apart at `=`."""
    found = completed(root, "bash", words, place)
    assert offered <= {*found}
    begun = words.rpartition(" ")[2]
    assert all(begun == "=" or name.startswith(begun) for name in found)


def test_zsh_and_fish_complete_words_with_commas(root: Path) -> None:
    key = "switch/k=100,m=20/one-cpu/asyncio"
    assert key in completed(root, "zsh", "corobench show switch/k=100,", 2)
    assert key in completed(root, "fish", "corobench show switch/k=100,", "switch/k=100,")
    _, env = command(root)
    code = "import sys; sys.argv[0] = 'corobench'; from corobench.cli import main; main()"
    source = subprocess.run(
        [sys.executable, "-c", code],
        env=env | {"_COROBENCH_COMPLETE": "fish_source"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert 'string split --max 1 "," $completion' in source, (
        "fish keeps what stands behind the comma of a name"
    )


def test_outside_of_a_checkout_nothing_is_offered(root: Path) -> None:
    for words, place in (
        ("corobench run --workloads ", 3),
        ("corobench run --runtimes ", 3),
        ("corobench show ", 2),
    ):
        assert completed(root, "bash", words, place, COROBENCH_ROOT="/nonexistent") == []


def test_completing_loads_no_statistics(root: Path) -> None:
    """A tab key waits for nobody."""
    code = (
        "import sys; sys.argv[0] = 'corobench'; from corobench.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n"
        "    print([m for m in sys.modules if m.startswith(('corobench.statistics', "
        "'corobench.report', 'rich'))])"
    )
    _, env = command(root)
    asked = {
        "_COROBENCH_COMPLETE": "bash_complete",
        "COMP_WORDS": "corobench show ",
        "COMP_CWORD": "2",
    }
    told = subprocess.run(
        [sys.executable, "-c", code], env=env | asked, capture_output=True, text=True, check=True
    )
    assert told.stdout.splitlines()[-1] == "[]"
