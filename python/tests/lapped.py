"""Runs a program (first argument), then says in which order its tasks first asked for the token and its first lap began."""

import json
import runpy
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import harness
import tracing

order: list[str] = []


def told(word: str) -> None:
    if word not in order:
        order.append(word)


class Lap(harness.Lap):
    def __enter__(self) -> harness.Lap:
        told("lap")
        return super().__enter__()


def asking(receives: Callable[..., Any]) -> Callable[..., Any]:
    """The recorder's `receives`, for a call that tells before it waits."""

    def wrapped(self: tracing.Recorder, i: int, receive: Callable[..., Any]) -> Any:
        def ask(*arguments: Any) -> Any:
            told(f"task {i}")
            return receive(*arguments)

        return receives(self, i, ask)

    return wrapped


def turning(turns: Callable[..., Iterable[int]]) -> Callable[..., Iterator[int]]:
    """The recorder's `turns`, of which the first begins with a wait."""

    def wrapped(self: tracing.Recorder, i: int, times: int) -> Iterator[int]:
        told(f"task {i}")
        yield from turns(self, i, times)

    return wrapped


if __name__ == "__main__":
    file = sys.argv.pop(1)
    harness.Lap = Lap  # type: ignore[misc]
    for kind in (tracing.Recorder, tracing.Coroutines):
        kind.receives = asking(kind.receives)  # type: ignore[method-assign]
    tracing.Recorder.turns = turning(tracing.Recorder.turns)  # type: ignore[method-assign]
    runpy.run_path(file, run_name="__main__")
    print(json.dumps(order))
