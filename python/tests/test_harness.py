"""The harness by itself: arguments, laps, lines, holds."""

import gc
import io
import json
from collections.abc import Callable, Iterator

import pytest

import harness
from harness import Program


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COROBENCH_RUNTIME", "asyncio")


def program(*arguments: str) -> Program:
    return Program("switch", "k", "m", flags=["count"], arguments=arguments)


def test_takes_parameters_and_shared_keys() -> None:
    made = program("m=3", "k=2", "iterations=5", "min_warm_ms=7", "trace=1")
    assert made.params == {"k": 2, "m": 3}
    assert (made["k"], made["count"], made.iterations, made.min_warm_ns, made.traced) == (2, 0, 5, 7_000_000, True)


def test_a_flag_is_echoed_only_where_it_was_given() -> None:
    assert program("m=3", "k=2", "count=1").params == {"k": 2, "m": 3, "count": 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["m=1"], "k is missing"),
        (["k=1", "m"], "'m' is not key=value"),
        (["k=1", "m=1", "q=1"], "unknown key q; known: k, m, count, iterations, min_warm_ms, trace, nonce"),
        (["k=1", "m=1", "k=1"], "k is given twice"),
        (["k=0", "m=1"], "k=0 must be an integer of at least 1"),
        (["k=-1", "m=1"], "k=-1 must be an integer of at least 1"),
        (["k=1.5", "m=1"], "k=1.5 must be an integer of at least 1"),
        (["k=", "m=1"], "k= must be an integer of at least 1"),
        (["k=²", "m=1"], "k=² must be an integer of at least 1"),
        (["k=1_0", "m=1"], "k=1_0 must be an integer of at least 1"),
        (["k=1", "m=1", "trace=2"], "trace=2 must be an integer from 0 to 1"),
        (["k=1", "m=1", "trace=no"], "trace=no must be an integer from 0 to 1"),
        (["k=1", "m=1", "count=2"], "count=2 must be an integer from 0 to 1"),
        (["k=1", "m=1", "iterations=0"], "iterations=0 must be an integer from 1 to 10000"),
        (["k=1", "m=1", "min_warm_ms=x"], "min_warm_ms=x must be an integer of at least 0"),
        (["k=1", "m=1", "nonce=-1"], "nonce=-1 must be an integer of at least 0"),
        (["k=1", "m=1", "nonce=N"], "nonce=N must be an integer of at least 0"),
    ],
)
def test_names_the_argument_that_is_wrong(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        program(*arguments)
    assert refused.value.code == 2
    assert capsys.readouterr() == ("", f"usage: {message}\n")


def mixed(*arguments: str) -> Program:
    words = {"wait": ("timer", "peer")}
    return Program("mixed", "c", "wait_us", zeros=["wait_us"], choices=words, companion=True, arguments=arguments)


def test_takes_words_zeros_and_the_port_of_a_companion() -> None:
    made = mixed("c=3", "wait_us=0", "wait=peer", "peer=40123")
    assert made.params == {"c": 3, "wait_us": 0, "wait": "peer"}
    assert (made["wait_us"], made.word("wait"), made.peer) == (0, "peer", 40123)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["c=1", "wait_us=0"], "wait is missing"),
        (["c=0", "wait_us=0", "wait=timer"], "c=0 must be an integer of at least 1"),
        (["c=1", "wait_us=-1", "wait=timer"], "wait_us=-1 must be an integer of at least 0"),
        (["c=1", "wait_us=0", "wait=clock"], "wait=clock must be one of timer, peer"),
        (["c=1", "wait_us=0", "wait=peer", "peer=65536"], "peer=65536 must be an integer from 1 to 65535"),
    ],
)
def test_names_the_word_or_port_that_is_wrong(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        mixed(*arguments)
    assert refused.value.code == 2
    assert capsys.readouterr() == ("", f"usage: {message}\n")


def test_a_companion_is_missed_when_it_is_asked_for() -> None:
    made = mixed("c=1", "wait_us=1", "wait=peer")
    with pytest.raises(SystemExit) as refused:
        _ = made.peer
    assert refused.value.code == 2


@pytest.fixture
def collector() -> Iterator[None]:
    yield
    gc.enable()


@pytest.mark.usefixtures("collector")
@pytest.mark.parametrize(("setting", "enabled"), [("on", True), ("off", False)])
def test_the_environment_sets_the_collector(monkeypatch: pytest.MonkeyPatch, setting: str, enabled: bool) -> None:
    monkeypatch.setenv("COROBENCH_GC", setting)
    program("k=1", "m=1")
    assert gc.isenabled() is enabled


def test_the_collector_is_on_or_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COROBENCH_GC", "false")
    with pytest.raises(SystemExit) as refused:
        program("k=1", "m=1")
    assert refused.value.code == 2


@pytest.mark.parametrize("n", ["1", "10", "1000"])
def test_takes_a_power_of_ten(n: str) -> None:
    assert Program("tree", "n", powers_of_ten=["n"], arguments=[f"n={n}"])["n"] == int(n)


@pytest.mark.parametrize("n", ["2", "15", "101"])
def test_refuses_what_is_no_power_of_ten(n: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        Program("tree", "n", powers_of_ten=["n"], arguments=[f"n={n}"])
    assert refused.value.code == 2
    assert capsys.readouterr() == ("", f"usage: n={n} must be a power of ten\n")


def test_wants_the_name_of_the_variant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COROBENCH_RUNTIME")
    with pytest.raises(SystemExit) as refused:
        program("k=1", "m=1")
    assert refused.value.code == 2


def count_laps(made: Program, most: int = harness.MOST_ITERATIONS, lap_ns: int = 1) -> int:
    laps = 0
    for lap in made.laps(most):
        lap.elapsed_ns, lap.cpu_ns = lap_ns, 0
        lap.record(ops=1)
        laps += 1
    return laps


def test_goes_on_until_both_limits_are_met() -> None:
    assert count_laps(program("k=1", "m=1")) == 1
    assert count_laps(program("k=1", "m=1", "iterations=5")) == 5
    # The first, cold one does not count: 1 + 10.
    assert count_laps(program("k=1", "m=1", "iterations=5", "min_warm_ms=10"), lap_ns=1_000_000) == 11
    assert count_laps(program("k=1", "m=1", "min_warm_ms=10")) == harness.MOST_ITERATIONS
    assert count_laps(program("k=1", "m=1", "iterations=5", "min_warm_ms=10", "trace=1")) == 1
    assert count_laps(program("k=1", "m=1", "iterations=5"), most=1) == 1


def nonces(made: Program) -> list[int]:
    found = []
    for lap in made.laps():
        lap.elapsed_ns, lap.cpu_ns = 1, 0
        lap.record(ops=1)
        found.append(lap.nonce)
    return found


def test_the_nonce_rises_by_one_with_each_iteration() -> None:
    assert nonces(program("k=1", "m=1", "iterations=3", "nonce=1000000")) == [1_000_000, 1_000_001, 1_000_002]
    assert nonces(program("k=1", "m=1", "iterations=3")) == [0, 1, 2]


def test_tasks_are_numbered_from_the_nonce_on() -> None:
    assert list(harness.Lap(7).numbers(3)) == [7, 8, 9]


def test_the_nonce_is_no_parameter_of_the_workload() -> None:
    assert program("k=1", "m=1", "nonce=5").params == {"k": 1, "m": 1}


def test_an_iteration_without_evidence_is_an_error() -> None:
    laps = program("k=1", "m=1").laps()
    with next(laps):
        pass
    with pytest.raises(RuntimeError, match="without a record"):
        next(laps)


def test_a_lap_is_timed_from_enter_to_exit(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    cpu, wall = iter([100, 900]), iter([1000, 1500])

    def clock(name: str, times: Iterator[int]) -> Callable[[], int]:
        def read() -> int:
            order.append(name)
            return next(times)

        return read

    monkeypatch.setattr(harness, "process_time_ns", clock("cpu", cpu))
    monkeypatch.setattr(harness, "monotonic_ns", clock("wall", wall))
    lap = harness.Lap()
    with lap:
        order.append("work")
    assert (lap.elapsed_ns, lap.cpu_ns) == (500, 800)
    assert order == ["cpu", "wall", "work", "wall", "cpu"]


def test_a_hold_inside_a_lap_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "process_time_ns", iter([10, 20, 50, 100]).__next__)
    monkeypatch.setattr(harness, "monotonic_ns", iter([1000, 1200, 1900, 2000]).__next__)
    lap = harness.Lap()
    with lap, lap.standing_still():
        pass
    assert (lap.elapsed_ns, lap.cpu_ns) == (300, 60)


def test_series_come_after_the_iterations_and_before_the_trace(capsys: pytest.CaptureFixture[str]) -> None:
    made = program("k=1", "m=1", "trace=1")
    count_laps(made)
    made.series("lateness", [3, 0, 12])
    made.series("small", [])
    assert capsys.readouterr().out == ""
    made.end()
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["type"] for line in lines] == ["iteration", "series", "series", "trace", "end"]
    assert lines[1:3] == [
        {"type": "series", "name": "lateness", "values": [3, 0, 12]},
        {"type": "series", "name": "small", "values": []},
    ]


def test_lines_are_written_after_the_last_iteration(capsys: pytest.CaptureFixture[str]) -> None:
    made = program("k=1", "m=1", "iterations=2", "trace=0")
    made.hello("1.0", {"gc": True})
    for lap in made.laps():
        with lap:
            pass
        lap.record(ops=7, finished=1)
        assert "iteration" not in capsys.readouterr().out
    made.end()
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["type"] for line in lines] == ["iteration", "iteration", "end"]
    assert [line.get("index") for line in lines] == [0, 1, None]
    assert lines[0]["evidence"] == {"finished": 1}
    assert lines[0]["ops"] == 7


def test_a_hold_waits_for_a_line_and_ends_with_stdin(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    made = program("k=1", "m=1")
    made.hold("live", 3)
    assert json.loads(capsys.readouterr().out) == {"type": "hold", "point": "live", "units": 3}
    with pytest.raises(SystemExit) as gone:
        made.hold("released", 0)
    assert gone.value.code == 1


def test_a_server_says_its_port_at_once_and_waits_apart(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    made = program("k=1", "m=1")
    made.serving(40123)
    hold = {"type": "hold", "point": "serving", "units": 0, "port": 40123}
    assert json.loads(capsys.readouterr().out) == hold
    made.serving(40123, launcher=True)
    assert json.loads(capsys.readouterr().out) == hold | {"launcher": True}
    made.wait_for_line("serving")
    with pytest.raises(SystemExit) as gone:
        made.wait_for_line("serving")
    assert gone.value.code == 1
