"""What servers answer: the page of http, and the result of webmatrix."""

import time
from collections.abc import Callable, Iterable
from functools import reduce
from operator import xor
from typing import Any

from cpu_work import START, xorshift32

BODY = b"Blah\n"
HEADERS = [("Content-Type", "text/html"), ("Content-Length", str(len(BODY)))]


def wsgi(_environ: dict[str, Any], start_response: Callable[[str, list[tuple[str, str]]], object]) -> Iterable[bytes]:
    start_response("200 OK", HEADERS)
    return [BODY]


def evaluate(values: Iterable[int], rounds: int, wait_us: int) -> int:
    """The start state xor all values, so many rounds later; then it blocks, in whatever time.sleep is by now, for the wait."""
    state = xorshift32(reduce(xor, values, START), rounds)
    if wait_us:
        time.sleep(wait_us / 1e6)
    return state
