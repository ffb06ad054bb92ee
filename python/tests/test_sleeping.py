"""Programs that sleep, and fizzbuzz, as processes."""

import pytest
from processes import Variant, lines, variants


@pytest.mark.parametrize("phase", ["base", "spawn", "yield"])
def test_fizzbuzz_adds_up(runtime: Variant, phase: str) -> None:
    _, iteration, _ = lines(runtime.run("fizzbuzz", f"phase={phase}", "n=100", "m=10"))
    assert (iteration["ops"], iteration["evidence"]) == (100, {"finished": 100, "steps": 1000, "checksum": 159373})


def test_fizzbuzz_holds_when_all_sleep(runtime: Variant) -> None:
    done = runtime.run("fizzbuzz-sleep", "n=50", "m=2", "sleep_ms=30", stdin="\n" * 2)
    _, base, live, iteration, lateness, _ = lines(done)
    assert [(line["point"], line["units"]) for line in (base, live)] == [("base", 0), ("live", 50)]
    assert iteration["ops"] == 100
    assert {key: iteration["evidence"][key] for key in ("finished", "steps", "most_alive")} == {
        "finished": 50,
        "steps": 100,
        "most_alive": 50,
    }
    assert (lateness["name"], len(lateness["values"])) == ("lateness", 50)


def test_timers_wake_after_their_deadlines(runtime: Variant) -> None:
    _, iteration, lateness, _ = lines(runtime.run("timers", "n=50", "lead=20"))
    assert iteration["evidence"] == {"created": 50, "finished": 50, "checksum": 1225, "early": 0}
    assert (lateness["name"], len(lateness["values"])) == ("lateness", 50)
    assert iteration["elapsed_ns"] >= 20_000_000 + 49 * 1_000_000_000 // 50 - 1_000_000


@pytest.mark.parametrize("name", [name for name in variants() if name.endswith("-timer")])
def test_bare_timers_hold_and_are_cancelled(name: str) -> None:
    variant = variants()[name]
    if variant.missing:
        pytest.skip(f"{variant.library} is not installed here")
    _, *holds, iteration, _ = lines(variant.run("memory-timer", "n=20", stdin="\n" * 5))
    assert [line["units"] for line in holds] == [0, 20, 20, 0, 0]
    assert iteration["evidence"] == {"created": 20, "finished": 20}
