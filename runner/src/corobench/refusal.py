"""Why a runtime is not measured at a setting that the others have."""

from __future__ import annotations

from typing import NamedTuple


class Refusal(NamedTuple):
    """Why a runtime doesn't take a setting; `of_size`: the number is not among those that it takes, else the word."""

    reason: str
    of_size: bool


def refused(name: str, value: int | str, values: list[int | str], beyond: str) -> Refusal:
    """For a value that is none of those that are listed. `beyond`: what the manifest says of sizes that are larger than these."""
    most = largest(values)
    if not isinstance(value, int) or most is None:
        return Refusal(f"it has no {name} {value!r}", of_size=False)
    if value > most:
        return Refusal(f"{beyond} (measured up to {most:,})", of_size=True)
    return Refusal(f"it is not measured at {name} = {value:,}", of_size=True)


def largest(values: list[int | str]) -> int | None:
    """The largest size among listed values; None of words."""
    return max((one for one in values if isinstance(one, int)), default=None)
