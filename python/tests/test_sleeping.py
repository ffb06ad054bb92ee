"""Programs that sleep, and fizzbuzz, as processes."""

import json

import pytest
from processes import Variant, lines, variants

import ticks
from fizzbuzz_steps import Sleepers
from harness import Lap, Program


@pytest.mark.parametrize("phase", ["base", "spawn", "yield"])
def test_fizzbuzz_adds_up(runtime: Variant, phase: str) -> None:
    _, iteration, _ = lines(runtime.run("fizzbuzz", f"phase={phase}", "n=100", "m=10"))
    assert (iteration["ops"], iteration["evidence"]) == (100, {"finished": 100, "steps": 1000, "checksum": 159373})


def test_fizzbuzz_holds_when_all_sleep(runtime: Variant) -> None:
    """They sleep for an hour, and the runner is gone at the second hold: however slowly they start, none wakes before."""
    done = runtime.run("fizzbuzz-sleep", "n=50", "m=2", "sleep_ms=3600000", stdin="\n")
    assert done.returncode == 1
    assert "stdin ended at the hold 'live'" in done.stderr
    _, *holds = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(hold["type"], hold["point"], hold["units"]) for hold in holds] == [("hold", "base", 0), ("hold", "live", 50)]


def test_fizzbuzz_sleeps_after_every_step(runtime: Variant) -> None:
    _, base, live, iteration, lateness, _ = lines(runtime.run("fizzbuzz-sleep", "n=50", "m=2", "sleep_ms=30", stdin="\n" * 2))
    assert [line["point"] for line in (base, live)] == ["base", "live"]
    evidence = iteration["evidence"]
    assert (iteration["ops"], evidence["finished"], evidence["steps"]) == (100, 50, 100)
    # The first may be through before the last has started.
    assert live["units"] <= evidence["most_alive"] <= 50
    assert (lateness["name"], len(lateness["values"])) == ("lateness", 50)


def test_sleepers_count_the_most_that_were_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COROBENCH_RUNTIME", "asyncio")
    rang: list[int] = []
    program = Program("fizzbuzz-sleep", "n", "sleep_ms", arguments=["n=3", "sleep_ms=1"])
    sleepers = Sleepers(program, lambda: rang.append(sleepers.alive))
    for i in (0, 1):
        sleepers.lie_down(i)
    sleepers.wake(0)
    sleepers.lie_down(0)  # once more: it is no other
    assert (sleepers.alive, sleepers.most_alive, rang) == (2, 2, [])
    sleepers.lie_down(2)
    assert (sleepers.alive, sleepers.most_alive, rang) == (3, 3, [3])
    sleepers.leave()
    assert (sleepers.alive, sleepers.most_alive, rang) == (2, 3, [3])


def test_timers_wake_after_their_deadlines(runtime: Variant) -> None:
    _, iteration, lateness, _ = lines(runtime.run("timers", "n=50", "lead=20"))
    assert iteration["evidence"] == {"created": 50, "finished": 50, "checksum": 1225, "early": 0}
    assert (lateness["name"], len(lateness["values"])) == ("lateness", 50)
    assert iteration["elapsed_ns"] >= 500_000_000, "half of what the deadlines are spread over"


def test_a_burst_tells_when_each_of_its_tasks_first_ran(runtime: Variant) -> None:
    _, iteration, start, _ = lines(runtime.run("burst", "n=5", "bursts=3", "idle_ms=2", "nonce=1000"))
    evidence, values = iteration["evidence"], start["values"]
    assert (iteration["ops"], evidence["created"], evidence["finished"]) == (15, 15, 15)
    assert evidence["checksum"] == 15 * 1000 + 105
    assert len(values) == 15
    assert evidence["last_ns"] == sum(max(values[first : first + 5]) for first in (0, 5, 10))


def test_a_ticker_ticks_while_all_others_yield(runtime: Variant) -> None:
    _, iteration, lateness, _ = lines(runtime.run("ticker", "k=3", "ticks=10", "period_us=1000"))
    evidence = iteration["evidence"]
    assert (iteration["ops"], evidence["finished"], evidence["active"]) == (10, 4, 3)
    assert evidence["yields"] >= 3
    assert len(lateness["values"]) == 10
    assert iteration["elapsed_ns"] >= 8_000_000, "the last is due after 10 ms; some timers are 1.5 ms early"


def test_no_late_tick_moves_the_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([1_000, 1_500_000, 3_201_000, 3_201_000, 3_201_000])
    monkeypatch.setattr(ticks, "monotonic_ns", lambda: next(clock))
    monkeypatch.setenv("COROBENCH_RUNTIME", "asyncio")
    program = Program("ticker", *ticks.PARAMETERS, arguments=["k=1", "ticks=2", "period_us=1000"])
    one, lap = ticks.Ticks(program), Lap()
    one.start()
    assert one.left(0) == pytest.approx(-0.000499)
    one.take(0)
    assert one.left(1) == pytest.approx(-0.0012)
    one.take(1)
    kept: dict[str, list[int]] = {}
    monkeypatch.setattr(program, "series", lambda name, values: kept.update({name: list(values)}))
    one.record(program, lap, 2, [7, 0])
    assert kept == {"lateness": [2_200_000, 1_200_000]}
    assert (lap.ops, lap.evidence) == (2, {"finished": 3, "active": 1, "yields": 7})


@pytest.mark.parametrize("name", [name for name in variants() if name.endswith("-timer")])
def test_bare_timers_hold_and_are_cancelled(name: str) -> None:
    variant = variants()[name]
    if variant.missing:
        pytest.skip(f"{variant.library} is not installed here")
    _, *holds, iteration, _ = lines(variant.run("memory-timer", "n=20", stdin="\n" * 5))
    assert [line["units"] for line in holds] == [0, 20, 20, 0, 0]
    assert iteration["evidence"] == {"created": 20, "finished": 20}
