"""Single invocations as a log holds them."""

from __future__ import annotations

from typing import Any

import msgspec

from corobench.results import log

MS = 1_000_000


def invocation(
    block: int = 0,
    elapsed: list[int] | None = None,
    other: float = 0.0,
    steal: float = 0.0,
    **witness: Any,
) -> log.Invocation:
    """Of 200 ms, with so many cores used by others, and such a share stolen."""
    times = elapsed or [2 * MS] * 21
    wall, own = 200 * MS, 150 * MS
    found = log.Witness(
        wall_ns=wall,
        user_ns=own,
        system_ns=0,
        voluntary=0,
        involuntary=0,
        minor_faults=0,
        major_faults=0,
        busy_ns=own + int(other * wall),
        steal_ns=int(steal * wall),
    )
    return log.Invocation(
        case="spawn/n=1/one-cpu/go",
        block=block,
        position=0,
        started="",
        witness=msgspec.structs.replace(found, **witness),
        iterations=[log.Iteration(t, t, 100) for t in times],
        evidence={},
        settings={},
        version="1",
        language_version="1",
    )
