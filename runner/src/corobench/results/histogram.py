"""A series of samples as a histogram: small enough for the log, fine enough for percentiles.

Buckets are log-linear as in HdrHistogram (Tene 2012): every power of two is cut into 64 equal
parts, so that a bucket's middle is within 0.8 % of everything in it; what is below 128 ns is kept
exactly.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from functools import cache, cached_property
from itertools import accumulate
from typing import Annotated

import msgspec

_BITS = 6
_EXACT = 1 << (_BITS + 1)
_NS = 1e-9
Count = Annotated[int, msgspec.Meta(ge=0, lt=1 << 62)]
# that of the largest count is number 3,647
Bucket = Annotated[int, msgspec.Meta(ge=0, lt=1 << 12)]


class Distribution(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True
):
    """Samples in nanoseconds: how many, their sum, the least and the largest, and [bucket, count]
    in rising order.
    """

    count: Count
    sum_ns: Count
    least_ns: Count
    most_ns: Count
    buckets: list[tuple[Bucket, Count]]

    def quantile(self, share: float) -> float:
        """The smallest sample (in seconds) that at least this share of the samples does not exceed;
        NaN without samples.
        """
        rank = max(1, math.ceil(share * self.count - 1e-9))
        place = bisect_left(self._reached, rank)
        if place == len(self.buckets):
            return math.nan
        bucket, _ = self.buckets[place]
        return min(max(_middle(bucket), self.least_ns), self.most_ns) * _NS

    @cached_property
    def _reached(self) -> list[int]:
        """How many samples each bucket and those below it hold; a chart asks for twenty
        quantiles.
        """
        return list(accumulate(count for _, count in self.buckets))

    def mean(self) -> float:
        """Seconds; exact. NaN without samples."""
        return self.sum_ns / self.count * _NS if self.count else math.nan

    def largest(self) -> float:
        """Seconds; exact."""
        return self.most_ns * _NS

    def total(self) -> float:
        """Seconds; exact."""
        return self.sum_ns * _NS


def histogram_of(samples: Iterable[int]) -> Distribution:
    """The distribution of samples in nanoseconds (non-negative integers)."""
    return weighted(Counter(samples).items())


def weighted(samples: Iterable[tuple[int, int]]) -> Distribution:
    """The distribution of samples given as [nanoseconds, how often]; a value that is given several
    times counts each time.
    """
    counts: Counter[int] = Counter()
    for value, count in samples:
        counts[value] += count
    buckets: Counter[int] = Counter()
    for value, count in counts.items():
        buckets[_bucket(value)] += count
    return Distribution(
        count=sum(counts.values()),
        sum_ns=sum(value * count for value, count in counts.items()),
        least_ns=min(counts, default=0),
        most_ns=max(counts, default=0),
        buckets=sorted(buckets.items()),
    )


def inconsistency(samples: Distribution) -> str | None:
    """What can't be true of a distribution, in words; None for one that can be."""
    buckets, counts = [one for one, _ in samples.buckets], [count for _, count in samples.buckets]
    if sum(counts) != samples.count or 0 in counts:
        return f"has boxes that do not add up to its {samples.count} samples"
    if buckets != sorted(set(buckets)):
        return "has boxes that are not in rising order"
    if not buckets:
        return None
    if (_bucket(samples.least_ns), _bucket(samples.most_ns)) != (buckets[0], buckets[-1]):
        return "has a least or largest sample outside of its boxes"
    least = sum(_first(one) * count for one, count in samples.buckets)
    most = sum((_first(one + 1) - 1) * count for one, count in samples.buckets)
    if not least <= samples.sum_ns <= most:
        return f"has a sum of {samples.sum_ns:,} ns; its boxes hold {least:,} to {most:,}"
    return None


@cache
def _first(bucket: int) -> int:
    """The least value of a bucket (ns)."""
    shift = max(0, (bucket >> _BITS) - 1)
    return (bucket - (shift << _BITS)) << shift


def pooled(parts: Iterable[Distribution]) -> Distribution:
    """Several distributions as one."""
    found = [part for part in parts if part.count]
    buckets: Counter[int] = Counter()
    for part in found:
        buckets.update(dict(part.buckets))
    return Distribution(
        count=sum(part.count for part in found),
        sum_ns=sum(part.sum_ns for part in found),
        least_ns=min((part.least_ns for part in found), default=0),
        most_ns=max((part.most_ns for part in found), default=0),
        buckets=sorted(buckets.items()),
    )


def _bucket(value: int) -> int:
    shift = max(0, value.bit_length() - _BITS - 1)
    return (shift << _BITS) + (value >> shift)


def _middle(bucket: int) -> float:
    if bucket < _EXACT:
        return float(bucket)
    return (_first(bucket) + _first(bucket + 1) - 1) / 2


def edges(bucket: int) -> tuple[float, float]:
    """The seconds that a bucket begins and ends with, for a chart."""
    return _first(bucket) * _NS, _first(bucket + 1) * _NS
