"""Why a runtime is not measured at a setting that the others have."""

from __future__ import annotations

from typing import NamedTuple


class Refusal(NamedTuple):
    """Why a runtime doesn't take a setting; `of_size`: the number is not among those that it takes, else the word."""

    reason: str
    of_size: bool


def beyond(name: str, value: int | str, values: list[int | str]) -> str:
    """What is said of a value where the manifest gives no reason."""
    most = max((one for one in values if isinstance(one, int)), default=None)
    if not isinstance(value, int) or most is None:
        return f"it has no {name} {value!r}"
    if value > most:
        return f"{name} = {value:,} is beyond it: it is measured up to {most:,}"
    return f"it is not measured at {name} = {value:,}"
