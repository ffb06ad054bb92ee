"""Base units into shown ones: one unit a column, at most three significant digits, never more than
the interval supports.

Base units stay inside (s, B, plain ratios); only what is shown is scaled (after golang/perf
benchunit/scale.go).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import lru_cache

import msgspec

from corobench.statistics.types import Estimate

SIGNIFICANT = 3
_LEAST_OF_A_RANGE = 2
# words that are kept: a number stands on several pages and in several exports of its run
_SHOWN = 8192
NONE = DASH = "\N{EN DASH}"
SINGLE = "one value"
BOUND = "lower bound"
_OVER = "over "
TIMES = "\N{MULTIPLICATION SIGN}"
_LADDERS: dict[str, list[tuple[float, str]]] = {
    "s": [(1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms"), (1.0, "s")],
    "B": [(1.0, "B"), (1024.0, "KiB"), (1024.0**2, "MiB"), (1024.0**3, "GiB")],
    "1/s": [(1.0, "/s"), (1e3, "k/s"), (1e6, "M/s")],
    "1": [(1.0, "")],
    "": [(1.0, TIMES)],
}
_COMFORTABLE = 1.2  # log10 of the middle of the range that reads well: about 0.1 to 1,000


class Scale(msgspec.Struct, frozen=True):
    """How a column is shown: value / factor, with this symbol."""

    factor: float
    symbol: str


ONE = Scale(1.0, "")  # of a plain ratio


def scale_of(values: Iterable[float], unit: str) -> Scale:
    """The one unit in which all of these read best: neither end far from a handful of digits.

    A unit that is not known (neither time nor bytes nor a ratio) is shown as it is.
    """
    sizes = [math.log10(abs(v)) for v in values if v and math.isfinite(v)]
    ladder = _LADDERS.get(unit, [(1.0, unit)])
    if not sizes:
        return Scale(*ladder[0])

    def strain(step: tuple[float, str]) -> float:
        return max(
            abs(end - math.log10(step[0]) - _COMFORTABLE) for end in (min(sizes), max(sizes))
        )

    return Scale(*min(ladder, key=strain))


def scale_of_estimates(estimates: Iterable[Estimate | None], unit: str) -> Scale:
    """The unit of a column of estimates."""
    return scale_of((e.center for e in estimates if e is not None), unit)


def decimals(center: float, half_width: float) -> int:
    """Digits after the point (negative: before it) that a value with this half-width deserves; both
    in shown units.
    """
    if not center or not math.isfinite(center):
        return 0
    size = _magnitude(center)
    if math.isfinite(half_width) and half_width > 0:
        place = min(math.floor(math.log10(half_width)), size)
        return -max(place, size - SIGNIFICANT + 1)
    return SIGNIFICANT - 1 - size


def plain(value: float, digits: int) -> str:
    """A number with this many decimals and thousands separators."""
    return f"{round(value, digits):,.{max(digits, 0)}f}"


@lru_cache(_SHOWN)
def show(estimate: Estimate | None, scale: Scale) -> str:
    """The centre, without the unit; of what is known to be higher only `over 3,410`."""
    if estimate is None or not math.isfinite(estimate.center):
        return NONE
    center, low, high = (v / scale.factor for v in (estimate.center, estimate.low, estimate.high))
    return f"{_OVER if estimate.bound else ''}{plain(center, decimals(center, (high - low) / 2))}"


def show_alike(estimates: Iterable[Estimate], scale: Scale) -> list[str]:
    """The ends of a range, with as many significant digits as the one that deserves fewest of them.

    A second digit stays where it is deserved: an end that deserves one alone would turn 140 into
    100.
    """
    known = list(estimates)
    fewest = max(
        _LEAST_OF_A_RANGE, min((_significant(one, scale) for one in known), default=SIGNIFICANT)
    )
    return [_to_digits(one, scale, min(fewest, _significant(one, scale))) for one in known]


def _significant(estimate: Estimate, scale: Scale) -> int:
    """The significant digits that a value deserves; as many as there may be for one that has no
    size.
    """
    center, low, high = (v / scale.factor for v in (estimate.center, estimate.low, estimate.high))
    if not center or not math.isfinite(center):
        return SIGNIFICANT
    return decimals(center, (high - low) / 2) + _magnitude(center) + 1


def _to_digits(estimate: Estimate, scale: Scale, significant: int) -> str:
    center = estimate.center / scale.factor
    if not center or not math.isfinite(center):
        return show(estimate, scale)
    return f"{_OVER if estimate.bound else ''}{plain(center, significant - 1 - _magnitude(center))}"


def _magnitude(value: float) -> int:
    return math.floor(math.log10(abs(value)))


def show_beside(estimate: Estimate | None, row: Estimate | None, scale: Scale) -> str:
    """The centre with the digits of the row that it stands in: a floor, never above its median by
    rounding alone.
    """
    if (
        estimate is None
        or row is None
        or not math.isfinite(estimate.center)
        or not math.isfinite(row.center)
    ):
        return show(estimate, scale)
    center, low, high = (v / scale.factor for v in (row.center, row.low, row.high))
    return plain(estimate.center / scale.factor, decimals(center, (high - low) / 2))


@lru_cache(_SHOWN)
def show_interval(estimate: Estimate | None, scale: Scale) -> str:
    """Low to high with the digits of the centre, rounded outwards so that it never claims more than
    was found.

    One value has no interval, and its own digits from both sides would look like a narrow one; a
    bound has one side.
    """
    if estimate is None or not all(
        map(math.isfinite, (estimate.center, estimate.low, estimate.high))
    ):
        return NONE
    if estimate.bound:
        return BOUND
    if estimate.n == 1:
        return SINGLE
    center, low, high = (v / scale.factor for v in (estimate.center, estimate.low, estimate.high))
    digits = decimals(center, (high - low) / 2)
    step = 10.0**-digits
    ends = ((low, math.floor), (high, math.ceil))
    return DASH.join(plain(_outwards(end, step, away), digits) for end, away in ends)


def _outwards(value: float, step: float, direction: Callable[[float], int]) -> float:
    steps = value / step
    nearest = round(steps)
    # 8.1 / 0.1 is 80.99...: not a reason to round up
    if math.isclose(steps, nearest, rel_tol=1e-9, abs_tol=1e-9):
        return nearest * step
    return direction(steps) * step


def bare(value: float | None, unit: str) -> str:
    """A single number without an interval, with its own unit: three significant digits."""
    if value is None or not math.isfinite(value):
        return NONE
    scale = scale_of([value], unit)
    shown = value / scale.factor
    return f"{plain(shown, decimals(shown, 0))} {scale.symbol}".rstrip()


def percent(fraction: float) -> str:
    """A share with two significant digits at most."""
    value = fraction * 100
    digits = (
        0 if abs(value) >= 10 or not value else min(2, 1 - math.floor(math.log10(abs(value))) - 1)
    )
    return f"{value:.{max(digits, 0)}f} %"
