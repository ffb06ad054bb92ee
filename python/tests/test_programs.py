"""Every program as a process; libraries that are not installed beside the tests are skipped."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import LANGUAGE, PATIENCE, Variant, lines, python, variants

NONCE = 1_234_567


@pytest.mark.parametrize(
    ("workload", "arguments", "ops", "evidence", "checksum"),
    [
        ("baseline", ["n=100"], 100, {"finished": 100}, lambda nonce: 100 * nonce + 4950),
        ("spawn", ["n=100"], 100, {"created": 100, "finished": 100}, lambda nonce: 100 * nonce + 4950),
        ("spawn", ["n=1"], 1, {"created": 1, "finished": 1}, lambda nonce: nonce),
        ("spawn-chain", ["n=100"], 100, {"finished": 100}, lambda nonce: 100 * nonce + 4950),
        ("switch", ["k=3", "m=5"], 15, {"finished": 3, "resumes": 15}, lambda nonce: 3 * nonce + 15),
        ("hand-off", ["m=50"], 100, {"finished": 2, "messages": 100}, lambda nonce: nonce + 100),
        ("ring", ["k=1", "rounds=2"], 2, {"finished": 1, "messages": 2}, lambda nonce: nonce + 2),
        ("ring", ["k=20", "rounds=3"], 60, {"finished": 20, "messages": 60}, lambda nonce: nonce + 60),
        ("io-switch", ["m=20"], 20, {"finished": 2, "messages": 40}, None),
        ("fan-in", ["p=1", "m=300"], 300, {"finished": 2, "messages": 300}, lambda nonce: 300 * nonce + 300),
        ("fan-in", ["p=20", "m=20"], 400, {"finished": 21, "messages": 400}, lambda nonce: 400 * nonce + 4200),
        (
            "channel",
            ["p=1", "c=1", "b=1", "m=30"],
            30,
            {"finished": 2, "messages": 30, "most": 30},
            lambda nonce: 30 * nonce + 435,
        ),
        (
            "select",
            ["k=8", "w=4", "m=5"],
            40,
            {"finished": 2, "messages": 40, "least": 5, "most": 5},
            lambda nonce: 40 * nonce + 780,
        ),
        ("wake-thread", ["m=20"], 20, {"finished": 2, "messages": 40, "threads": 2}, lambda nonce: nonce + 40),
        ("tree", ["n=1"], 1, {"finished": 1}, lambda nonce: nonce),
        ("tree", ["n=100"], 111, {"finished": 111}, lambda nonce: 100 * nonce + 4950),
        ("cancel", ["n=50"], 50, {"created": 50, "cancelled": 50, "finished": 50}, None),
        ("scope", ["n=1", "m=2"], 2, {"created": 2, "failed": 2, "cancelled": 0, "cleaned": 0}, lambda nonce: 2 * nonce + 1),
        ("scope", ["n=10", "m=3"], 30, {"created": 30, "failed": 3, "cancelled": 27, "cleaned": 27}, lambda nonce: 3 * nonce + 3),
        ("cancel-loaded", ["n=5", "k=3"], 5, {"created": 5, "cancelled": 5, "finished": 5, "active": 3}, None),
        ("sleep-zero", ["k=3", "m=5"], 15, {"finished": 3}, lambda nonce: 3 * nonce + 15),
        ("generator", ["n=50"], 50, {"finished": 1}, lambda nonce: nonce + 50),
    ],
)
def test_evidence(
    example: Variant,
    workload: str,
    arguments: list[str],
    ops: int,
    evidence: dict[str, int],
    checksum: Callable[[int], int] | None,
) -> None:
    said = lines(example.run(workload, *arguments, "iterations=2", f"nonce={NONCE}", stdin="\n\n"))
    hello, first, second, end = (line for line in said if line["type"] != "hold")
    assert (hello["type"], hello["runtime"], hello["workload"]) == ("hello", example.name, workload)
    assert hello["params"] == {key: int(value) for key, value in (argument.split("=") for argument in arguments)}
    for index, line in enumerate((first, second)):
        summed = {"checksum": checksum(NONCE + index)} if checksum else {}
        assert (line["index"], line["ops"], line["evidence"]) == (index, ops, evidence | summed)
        assert line["elapsed_ns"] > 0
    assert end == {"type": "end"}


@pytest.mark.parametrize(
    ("workload", "arguments", "ops", "most", "checksum"),
    [
        ("mutex", ["k=1", "m=50"], 50, 1, NONCE + 50),
        ("mutex", ["k=20", "m=50"], 1000, 1, NONCE + 1000),
        ("semaphore", ["k=1", "s=1", "m=50"], 50, 1, NONCE + 50),
        ("semaphore", ["k=20", "s=3", "m=50"], 1000, 3, 20 * NONCE + 1000),
    ],
)
def test_never_more_inside_than_may_be(
    example: Variant, workload: str, arguments: list[str], ops: int, most: int, checksum: int
) -> None:
    _, iteration, _ = lines(example.run(workload, *arguments, f"nonce={NONCE}"))
    passed = iteration["evidence"].pop("passed")
    finished = int(arguments[0].removeprefix("k="))
    expected = {"finished": finished, "most": most, "yields": ops if finished > 1 else 0, "checksum": checksum}
    assert (iteration["ops"], iteration["evidence"]) == (ops, expected)
    # A lone task is passed over by nobody, one of several by those who came first at least.
    assert 0 <= passed <= ops - ops // finished
    assert (passed == 0) == (finished == 1)


def test_without_a_nonce_it_is_0(example: Variant) -> None:
    """As in every program: the harness reads it. That each computes with it is what the runner verifies."""

    def checksums(*nonce: str) -> list[int]:
        said = lines(example.run("spawn", "n=10", *nonce))
        return [line["evidence"]["checksum"] for line in said if line["type"] == "iteration"]

    assert checksums() == checksums("nonce=0") != checksums("nonce=1")


def test_a_bad_nonce_is_status_2(example: Variant) -> None:
    done = example.run("spawn", "n=10", "nonce=-1")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "usage: nonce=-1 must be an integer of at least 0\n")


def test_count_starts_from_the_nonce_too(example: Variant) -> None:
    _, iteration, _ = lines(example.run("switch", "k=1", "m=5", "count=1", f"nonce={NONCE}"))
    assert iteration["ops"] == 5
    assert iteration["evidence"] == {"finished": 1, "resumes": 5, "checksum": NONCE + 5, "true_switches": 1}


def events(runtime: Variant, workload: str, *arguments: str, stdin: str = "\n\n") -> list[list[Any]]:
    traced: list[list[Any]] = lines(runtime.run(workload, *arguments, "trace=1", stdin=stdin))[-2]["events"]
    return traced


def units(traced: list[list[Any]], *kinds: str) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for kind, i, unit in traced:
        if kind in kinds:
            found.setdefault(i, set()).add(unit)
    return found


@pytest.fixture
def in_turn(example: Variant) -> Variant:
    if example.order == "any":
        pytest.skip(f"{example.name} promises no order")
    return example


def test_every_switch_is_a_true_one(in_turn: Variant) -> None:
    _, iteration, _ = lines(in_turn.run("switch", "k=3", "m=5", "count=1"))
    assert iteration["evidence"] == {"finished": 3, "resumes": 15, "checksum": 15, "true_switches": 15}


@pytest.mark.parametrize("k", [2, 3, 100, 1000])
def test_switch_is_round_robin(in_turn: Variant, k: int) -> None:
    assert [e[1] for e in events(in_turn, "switch", f"k={k}", "m=5") if e[0] == "run"] == list(range(k)) * 5


def test_hand_off_alternates(example: Variant) -> None:
    assert [e[1] for e in events(example, "hand-off", "m=50") if e[0] == "run"] == [0, 1] * 50


@pytest.mark.parametrize(("workload", "arguments"), [("hand-off", ["m=2"]), ("ring", ["k=2", "rounds=2"])])
def test_both_wait_for_the_token_when_the_clock_starts(runtime: Variant, workload: str, arguments: list[str]) -> None:
    runtime.skip_without(workload)
    lapped = [str(LANGUAGE / "tests/lapped.py"), str(runtime.program(workload)), *arguments, "trace=1"]
    *_, order = runtime.python(lapped).stdout.splitlines()
    *tasks, last = json.loads(order)
    assert (sorted(tasks), last) == (["task 0", "task 1"], "lap")


def test_a_token_goes_round_the_ring(example: Variant) -> None:
    assert [e[1] for e in events(example, "ring", "k=20", "rounds=3") if e[0] == "run"] == list(range(20)) * 3


def test_a_tree_is_started_by_its_own_nodes(in_turn: Variant) -> None:
    traced = events(in_turn, "tree", "n=100")
    starters, own = units(traced, "spawn"), units(traced, "run")
    parents = [0] * 10 + [1 + child // 10 for child in range(100)]
    assert all(starters[i + 1] == own[parent] for i, parent in enumerate(parents))


def test_what_is_cancelled_had_parked(example: Variant) -> None:
    kinds = [e[0] for e in events(example, "cancel", "n=20") if e[0] in ("park", "done")]
    assert kinds == ["park"] * 20 + ["done"] * 20


def test_a_scope_closes_when_all_have_ended(example: Variant) -> None:
    traced = events(example, "scope", "n=5", "m=2")
    own = units(traced, "run", "fail", "done")
    assert sorted(own) == list(range(10))
    assert len(set.union(*own.values())) == 10
    kinds = [kind for kind, _, _ in traced if kind in ("open", "run", "fail", "done", "close")]
    assert kinds == ["open", *["run"] * 5, "fail", *["done"] * 4, "close"] * 2
    assert [i for kind, i, _ in traced if kind == "fail"] == [4, 9]


def test_cancel_holds_before_all_and_after_all(example: Variant) -> None:
    said = lines(example.run("cancel", "n=5", "iterations=2", stdin="\n\n"))
    assert [line.get("point", line["type"]) for line in said] == ["hello", "base", "released", "iteration", "iteration", "end"]


@pytest.mark.parametrize("n", [2, 15, 110])
def test_a_tree_has_a_power_of_ten_leaves(example: Variant, n: int) -> None:
    done = example.run("tree", f"n={n}")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"usage: n={n} must be a power of ten\n")


SHIELDED = "with trio.CancelScope(shield=True):\n                    await trio.sleep(0.2)"


@pytest.mark.parametrize(
    ("name", "waits", "does_not"),
    [("trio", "await gate.wait()", SHIELDED), ("threads", "return gates[i].wait()", "return gates[i].wait(0)")],
)
def test_a_task_that_was_not_told_does_not_count_as_cancelled(name: str, waits: str, does_not: str, tmp_path: Path) -> None:
    variant = variants()[name]
    if variant.missing:
        pytest.skip(f"{variant.library} is not installed here")
    source = variant.program("cancel").read_text()
    assert source.count(waits) == 1
    changed = tmp_path / "cancel.py"
    changed.write_text(source.replace(waits, does_not))
    _, _, _, iteration, _ = lines(variant.python([str(changed), "n=5"], stdin="\n\n"))
    assert (iteration["evidence"]["cancelled"], iteration["evidence"]["finished"]) == (5, 0)


def test_all_are_started_before_any_is_collected(example: Variant) -> None:
    kinds = [e[0] for e in events(example, "spawn", "n=20") if e[0] in ("spawn", "spawned", "collect")]
    assert kinds == ["spawn", "spawned"] * 20 + ["collect"] * 20


def test_results_are_collected_under_the_numbers_of_their_tasks(example: Variant) -> None:
    collected = [e[1] for e in events(example, "spawn", "n=20", f"nonce={NONCE}") if e[0] == "collect"]
    assert collected == list(range(NONCE, NONCE + 20))


def test_chain_is_started_by_its_own_links(example: Variant) -> None:
    traced = events(example, "spawn-chain", "n=20")
    starters, own = units(traced, "spawn"), units(traced, "run")
    assert all(starters[i + 1] == own[i] for i in range(19))
    assert [e[1] for e in traced if e[0] == "run"] == list(range(20))
    if example.order == "round-robin":
        ran = [(e[0], e[1]) for e in traced if e[0] in ("run", "done")]
        assert ran == [(kind, i) for i in range(20) for kind in ("run", "done")]


@pytest.mark.parametrize("workload", ["memory", "memory-state"])
def test_memory_holds(example: Variant, workload: str) -> None:
    done = example.run(workload, "n=100", "trace=1", f"nonce={NONCE}", stdin="\n" * 5)
    _, *holds, iteration, trace, _ = lines(done)
    assert [(line["point"], line["units"]) for line in holds] == [
        ("base", 0),
        ("live", 100),
        ("live-collected", 100),
        ("released", 0),
        ("released-collected", 0),
    ]
    assert iteration["evidence"] == {"created": 100, "finished": 100, "checksum": 100 * NONCE + 4950}
    kinds = [event[0] for event in trace["events"] if event[0] in ("park", "hold", "done")]
    assert kinds == ["hold"] + ["park"] * 100 + ["hold"] * 2 + ["done"] * 100 + ["hold"] * 2
    for kind in ("spawn", "spawned", "run", "park", "done"):
        assert sorted(event[1] for event in trace["events"] if event[0] == kind) == list(range(NONCE, NONCE + 100))
    assert {event[1] for event in trace["events"] if event[0] == "hold"} == {-1}


def test_memory_ends_when_the_runner_is_gone(example: Variant) -> None:
    done = example.run("memory", "n=10", stdin="\n")
    assert done.returncode == 1
    assert "stdin ended at the hold 'live'" in done.stderr


@pytest.mark.parametrize(("mode", "finished"), [("bare", 0), ("first-task", 1)])
def test_startup(runtime: Variant, mode: str, finished: int) -> None:
    silent = runtime.run("startup", f"mode={mode}")
    assert (silent.returncode, silent.stdout, silent.stderr) == (0, "", "")
    hello, iteration, end = lines(runtime.run("startup", "report=1", f"mode={mode}"))
    assert (hello["params"], iteration["ops"], iteration["evidence"]) == ({"mode": mode}, 1, {"finished": finished})
    assert end == {"type": "end"}


@pytest.mark.parametrize("mode", ["bare", "first-task"])
def test_startup_imports_nothing_of_ours(runtime: Variant, mode: str) -> None:
    imported = runtime.python(["-X", "importtime", str(runtime.program("startup")), f"mode={mode}"]).stderr
    modules = {line.rpartition("|")[2].strip() for line in imported.splitlines()}
    assert not modules & {"harness", "tracing", "aio", "launch", "loop_run", "waiting", "starting"}
    if mode == "bare":
        assert not modules & {runtime.folder.name, "asyncio", "loop", "runtime", "json"}


@pytest.mark.parametrize("arguments", [[], ["mode=hot"], ["mode"], ["mode=bare", "report=2"], ["mode=bare", "trace=1"]])
def test_startup_refuses(runtime: Variant, arguments: list[str]) -> None:
    done = runtime.run("startup", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: ")


def test_a_bad_argument_is_status_2(example: Variant) -> None:
    """Of any program: the harness reads them all."""
    done = example.run("spawn", "q=1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: unknown key q;")


@pytest.mark.parametrize(
    ("workload", "arguments"),
    [
        ("spawn", ["n=3"]),
        ("spawn-chain", ["n=3"]),
        ("switch", ["k=3", "m=2"]),
        ("hand-off", ["m=2"]),
        ("ring", ["k=3", "rounds=2"]),
        ("io-switch", ["m=2"]),
        ("fan-in", ["p=2", "m=100"]),
        ("mutex", ["k=3", "m=5"]),
        ("scope", ["n=3", "m=2"]),
        ("semaphore", ["k=3", "s=2", "m=5"]),
        ("channel", ["p=2", "c=1", "b=1", "m=10"]),
        ("select", ["k=2", "w=1", "m=2"]),
        ("wake-thread", ["m=2"]),
        ("tree", ["n=10"]),
        ("timers", ["n=3", "lead=1"]),
        ("fizzbuzz", ["phase=yield", "n=3", "m=2"]),
        ("fizzbuzz-sleep", ["n=3", "m=2", "sleep_ms=1"]),
        ("cancel", ["n=3"]),
        ("cancel-loaded", ["n=3", "k=2"]),
        ("burst", ["n=3", "bursts=2", "idle_ms=1"]),
        ("ticker", ["k=2", "ticks=3", "period_us=1000"]),
        ("sleep-zero", ["k=3", "m=2"]),
        ("generator", ["n=3"]),
        ("memory", ["n=3"]),
        ("memory-state", ["n=3"]),
    ],
)
def test_an_error_in_a_task_is_status_1(runtime: Variant, workload: str, arguments: list[str]) -> None:
    runtime.skip_without(workload)
    done = runtime.python([str(LANGUAGE / "tests/planted.py"), str(runtime.program(workload)), *arguments], stdin="\n" * 5)
    assert done.returncode == 1
    assert '"end"' not in done.stdout
    assert "ValueError: planted" in done.stderr


def test_a_failed_write_is_status_1() -> None:
    asyncio = variants()["asyncio"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-s", "-P", str(asyncio.program("spawn")), "n=2"],
            env=asyncio.environment,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 1
    assert "No space left" in done.stderr


def test_the_probe_passes_over_an_interpreter_of_the_other_build() -> None:
    done = python(["-I", "-S", str(LANGUAGE / "probe.py"), "free-threaded"], {})
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "not free-threaded\n")


def test_the_probe_describes_this_interpreter() -> None:
    done = python(["-I", "-S", str(LANGUAGE / "probe.py")], {})
    version = ".".join(str(part) for part in sys.version_info[:3])
    assert done.stdout.startswith(f"python {version} rank ")
    assert Path(done.stdout.rpartition(" path ")[2].strip()).is_file()
