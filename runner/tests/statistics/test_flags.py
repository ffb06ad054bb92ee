"""Every flag: data that raises it, at its level and in words, and data that doesn't."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest
from invocations import MS, invocation

from corobench.results import log
from corobench.statistics import estimates, flags
from corobench.statistics.samples import Series
from corobench.statistics.types import Estimate, Flag
from corobench.suite import variables
from corobench.suite.workload import Kind, parse_case

_FAILURE = log.Failure(
    case="spawn/n=1/one-cpu/go",
    block=0,
    position=0,
    started="",
    kind="exit",
    reason="",
    exit_status=1,
    stderr="",
    wall_ns=1,
)


def sample(
    n: int = 25, spread: float = 0.02, change: Callable[[int], float] = lambda block: 1.0
) -> dict[int, float]:
    rng = random.Random(4)
    return {block: change(block) * rng.lognormvariate(0, spread) for block in range(n)}


def raised(
    values: dict[int, float] | None = None,
    invocations: list[log.Invocation] | None = None,
    kind: Kind = "timed",
    failures: int = 0,
    retried: int = 0,
    disagreement: float | None = None,
    step_ns: float = flags.TIMER_STEP_NS,
) -> dict[str, Flag]:
    values = values or sample()
    measured = invocations if invocations is not None else [invocation(b) for b in range(25)]
    part = Series(
        case=parse_case("spawn/n=1/one-cpu/go"),
        invocations=dict(enumerate(measured)),
        failures=[_FAILURE] * failures,
        retried=retried,
    )
    found = flags.of_case(
        kind, values, estimates.serial_median_interval(values), [part], disagreement, step_ns
    )
    return {flag.name: flag for flag in found}


def test_a_sound_case_has_none() -> None:
    assert raised() == {}


@pytest.mark.parametrize(("n", "few"), [(8, True), (9, False)])
def test_few(n: int, few: bool) -> None:
    assert ("few" in raised(sample(n))) is few


@pytest.mark.parametrize(("spread", "level"), [(0.02, None), (0.4, "amber"), (1.1, "red")])
def test_wide(spread: float, level: str | None) -> None:
    found = raised(sample(25, spread)).get("wide")
    assert (found and found.level) == level


@pytest.mark.parametrize(
    ("width", "level"), [(0.099, None), (0.101, "amber"), (0.249, "amber"), (0.251, "red")]
)
def test_wide_thresholds(width: float, level: str | None) -> None:
    typical = Estimate(center=1.0, low=1 - width, high=1 + width, n=25, confidence=0.957)
    found = {flag.name: flag for flag in flags.of_case("memory", sample(), typical, [])}.get("wide")
    assert (found and found.level) == level


@pytest.mark.parametrize(
    ("cores", "share", "flagged"),
    [(0.5, 0.24, True), (0.5, 0.2, False), (0.14, 1.0, False), (0.16, 1.0, True), (1.0, 1.0, True)],
)
def test_other_cpu(cores: float, share: float, flagged: bool) -> None:
    """The limit is 0.1 cores beyond one tick, which is 0.05 cores of a 200 ms invocation; in over
    20 % of invocations.
    """
    measured = [invocation(b, other=cores if b < share * 25 else 0.0) for b in range(25)]
    found = raised(invocations=measured)
    assert ("other-cpu" in found) is flagged
    assert all(flag.level == "red" for flag in found.values())


def test_one_tick_of_others_is_no_load() -> None:
    brief = [invocation(b, wall_ns=30 * MS, user_ns=22 * MS, busy_ns=32 * MS) for b in range(25)]
    assert raised(invocations=brief) == {}


def test_a_box_that_tells_nothing_raises_nothing() -> None:
    assert raised(invocations=[invocation(b, busy_ns=None, steal_ns=None) for b in range(25)]) == {}


@pytest.mark.parametrize(("steal", "flagged"), [(0.009, False), (0.011, True)])
def test_steal(steal: float, flagged: bool) -> None:
    assert (
        "steal" in raised(invocations=[invocation(b, steal=steal) for b in range(25)])
    ) is flagged


def test_what_is_hardly_over_its_limit_says_so_instead_of_the_same_figure_twice() -> None:
    stolen, more = (
        raised(invocations=[invocation(b, steal=steal) for b in range(25)])["steal"]
        for steal in (0.0101, 0.034)
    )
    assert stolen.text == "the hypervisor took just over 1 % of the time (limit 1 %)"
    assert more.text == "the hypervisor took 3.4 % of the time (limit 1 %)"
    others = raised(sample(49), [invocation(b, other=0.5 if b < 10 else 0.0) for b in range(49)])[
        "other-cpu"
    ]
    assert (
        others.text
        == "other programs used over 0.1 cores in just over 20 % of invocations (limit 20 %)"
    )
    ladder = raised(disagreement=0.101)["not linear"]
    assert ladder.text == (
        "the upper half of the ladder differs from the lower by just over 10 % (limit 10 %): "
        "see the curve"
    )
    ratio = Estimate(center=1.0203, low=1.01, high=1.03, n=25, confidence=0.957)
    assert (
        "differs from itself by just over 2 % (limit 2 %) and" in flags.control_failed(ratio).text
    )
    typical = Estimate(center=1.0, low=0.899, high=1.101, n=25, confidence=0.957)
    (wide,) = flags.of_case("memory", sample(), typical, [])
    assert wide.text == "the interval is just over ±10 % wide (limit 10 %)"


def test_drift() -> None:
    assert "drift" in raised(sample(change=lambda block: 1 + 0.01 * block))
    assert "drift" not in raised(sample(change=lambda block: 1 + 0.001 * block))
    assert "drift" not in raised(sample(change=lambda block: 1.2 if block == 3 else 1.0))


def test_drift_that_does_not_matter() -> None:
    assert "drift" not in raised(sample(spread=0.0001, change=lambda block: 1 + 0.001 * block))


def test_modes() -> None:
    assert "modes" in raised(sample(change=lambda block: 1.3 if block % 5 in (1, 3) else 1.0))
    assert "modes" not in raised(sample(change=lambda block: 1.3 if block == 7 else 1.0))
    assert "modes" not in raised(
        sample(spread=0.0001, change=lambda block: 1.02 if block % 2 else 1.0)
    )


def test_one_mode_is_rarely_called_two() -> None:
    rng = random.Random(9)
    called = sum(
        "modes" in raised({b: 1 + rng.gammavariate(2, 0.03) for b in range(n)})
        for n in (9, 12, 25)
        for _ in range(200)
    )
    assert called <= 18


def settling(start: float) -> list[int]:
    return [3 * MS, *(int(2 * MS * (1 + start * 0.8**i)) for i in range(20))]


def test_not_steady() -> None:
    assert "not steady" in raised(invocations=[invocation(b, settling(0.6)) for b in range(25)])
    assert (
        "faster"
        in raised(invocations=[invocation(b, settling(0.6)) for b in range(25)])["not steady"].text
    )
    assert (
        "slower"
        in raised(invocations=[invocation(b, settling(-0.5)) for b in range(25)])["not steady"].text
    )
    assert "not steady" not in raised(invocations=[invocation(b, settling(0.1)) for b in range(25)])
    assert "not steady" not in raised(
        invocations=[invocation(b, settling(0.6 if b < 10 else 0.0)) for b in range(25)]
    )


def test_by_how_much_a_number_may_be_off() -> None:
    """Modes 30 % apart; iterations whose last third is 1 / 1.5 times as long as the first."""
    modes = raised(sample(change=lambda block: 1.3 if block % 5 in (1, 3) else 1.0))["modes"]
    assert modes.margin == pytest.approx(0.3, rel=0.1)
    pace = [3 * MS, *[3 * MS] * 7, *[2 * MS] * 14]
    trend = raised(invocations=[invocation(b, pace) for b in range(25)])["not steady"]
    assert trend.margin == pytest.approx(0.5)
    drift = raised(sample(change=lambda block: 1 + 0.01 * block))["drift"]
    assert drift.margin == pytest.approx(0.24 / 1.12, rel=0.1)


def test_one_flag_without_a_margin_keeps_a_number_out() -> None:
    modes = Flag(name="modes", level="red", text="", margin=0.3)
    wide = Flag(name="wide", level="red", text="", margin=0.25)
    steal = Flag(name="steal", level="red", text="")
    few = Flag(name="steadiness", level="amber", text="")
    assert flags.margin([modes, wide, few]) == 0.3
    assert flags.margin([modes, steal]) is None
    assert flags.margin([few]) is None
    assert [flag.level for flag in flags.placed([modes, steal, few])] == ["amber", "red", "amber"]


def test_the_cold_iteration_is_no_unsteadiness() -> None:
    assert raised(invocations=[invocation(b, [90 * MS] + [2 * MS] * 20) for b in range(25)]) == {}


@pytest.mark.parametrize(
    ("warm", "flagged"),
    [([MS] * 19, True), ([MS] * 20, False), ([4_000] * 6_000, True), ([6_000] * 4_000, False)],
)
def test_region_too_short(warm: list[int], flagged: bool) -> None:
    """Under 20 ms of warm work, or iterations under 100 timer steps; the cold iteration doesn't
    count.
    """
    assert (
        "short" in raised(invocations=[invocation(b, [50 * MS, *warm]) for b in range(9)])
    ) is flagged


@pytest.mark.parametrize(("step_ns", "flagged"), [(50, False), (99, False), (101, True)])
def test_the_step_is_that_of_the_harness(step_ns: float, flagged: bool) -> None:
    """Iterations of 10 us are 100 steps of 100 ns."""
    found = raised(
        invocations=[invocation(b, [MS, *[10_000] * 3_000]) for b in range(9)], step_ns=step_ns
    )
    assert ("short" in found) is flagged


@pytest.mark.parametrize(("warm", "level"), [(5, "amber"), (6, None)])
def test_steadiness_that_few_iterations_cannot_show(warm: int, level: str | None) -> None:
    found = raised(invocations=[invocation(b, [90 * MS] + [20 * MS] * warm) for b in range(9)])
    assert {name: flag.level for name, flag in found.items()} == (
        {"steadiness": level} if level else {}
    )


@pytest.mark.parametrize(
    ("seconds", "level"),
    [(0.04, "red"), (0.05, "amber"), (0.19, "amber"), (0.20, None), (3.0, None)],
)
def test_times_that_the_kernel_counts_in_ticks(seconds: float, level: str | None) -> None:
    measured = [
        msgspec.structs.replace(
            invocation(b), observed={"server_user": seconds, "server_cpu": 0.001}
        )
        for b in range(9)
    ]
    assert variables.in_ticks("server_user / requests") == ["server_user"]
    assert variables.in_ticks("server_cpu / requests") == []
    found = list(flags.in_ticks(["server_user"], measured))
    assert [(flag.name, flag.level) for flag in found] == ([("short", level)] if level else [])


@pytest.mark.parametrize(("disagreement", "flagged"), [(0.11, True), (0.09, False), (None, False)])
def test_not_linear(disagreement: float | None, flagged: bool) -> None:
    assert ("not linear" in raised(disagreement=disagreement)) is flagged


def test_failed_and_retried() -> None:
    found = raised(failures=2, retried=1)
    assert found["failed"].text == "2 invocations failed"
    assert found["retried"].text == "1 invocation was repeated"
    assert {flag.level for flag in found.values()} == {"red"}


def test_control() -> None:
    ratio = Estimate(center=1.03, low=1.01, high=1.05, n=25, confidence=0.957)
    assert flags.control_failed(ratio).level == "red"
    assert "3.0 %" in flags.control_failed(ratio).text
    assert flags.run_marked(["spawn"]).level == "amber"


def test_bytes_do_not_depend_on_load() -> None:
    loaded = [invocation(b, [MS], other=1.5, steal=0.5) for b in range(25)]
    assert raised(kind="memory", invocations=loaded) == {}
    assert set(raised(kind="startup", invocations=loaded)) == {"other-cpu", "steal"}


def test_trust() -> None:
    red, wide, amber = (
        Flag(name=name, level=level, text="")
        for name, level in (("drift", "red"), ("wide", "red"), ("wide", "amber"))
    )
    assert flags.trusted([amber])
    assert not flags.trusted([wide])
    assert flags.trusted([wide], except_precision=True)
    assert not flags.trusted([red], except_precision=True)
