"""What a trace holds, and that the tracing that is off hands back what it was given."""

import asyncio
from collections.abc import Callable, Coroutine
from threading import Lock
from typing import Any

import pytest

from tracing import AwaitedSpawns, Coroutines, Recorder, SwitchCounter, Tracing


def test_off_is_not_there() -> None:
    off = Tracing()
    assert off.starts(print) is print
    assert off.starts_any(print) is print
    assert off.body(print) is print
    assert off.receives(0, print) is print
    assert off.ends(0, print) is print
    lock = Lock()
    assert off.guards(0, lock) is lock
    assert off.scopes(print) is print
    assert off.turns(3, 4) == range(4)
    handles = [1, 2]
    assert off.collects(handles) is handles
    assert off.starts(print, 5) is print
    assert off.collects(handles, 5) is handles
    off.note("park", 1)
    assert off.events == []


def test_events_stand_in_the_order_of_what_happened() -> None:
    unit = "main"
    recorder = Recorder(lambda: unit)
    pending: list[int] = []

    def task(i: int) -> int:
        recorder.note("park", i)
        return i

    start, body = recorder.starts(pending.append), recorder.body(task)
    start(0)
    start(1)
    for i in pending:
        unit = f"unit-{i}"
        assert body(i) == i
    unit = "main"
    assert list(recorder.collects(pending)) == [0, 1]
    assert recorder.events == [
        ("spawn", 0, "main"),
        ("spawned", 0, "main"),
        ("spawn", 1, "main"),
        ("spawned", 1, "main"),
        ("run", 0, "unit-0"),
        ("park", 0, "unit-0"),
        ("done", 0, "unit-0"),
        ("run", 1, "unit-1"),
        ("park", 1, "unit-1"),
        ("done", 1, "unit-1"),
        ("collect", 0, "main"),
        ("collect", 1, "main"),
    ]


def test_a_lock_tells_when_it_is_asked_for_entered_and_left() -> None:
    recorder, lock = Recorder(lambda: "unit"), Lock()
    with recorder.guards(7, lock):
        assert lock.locked()
        assert recorder.events == [("ask", 7, "unit"), ("enter", 7, "unit")]
    assert not lock.locked()
    assert recorder.events[2:] == [("leave", 7, "unit")]


def test_an_awaited_lock_tells_that_too() -> None:
    recorder = Coroutines(lambda: "unit")

    async def enter() -> None:
        lock = asyncio.Lock()
        async with recorder.guards(7, lock):
            assert lock.locked()
        assert not lock.locked()

    asyncio.run(enter())
    assert recorder.events == [("ask", 7, "unit"), ("enter", 7, "unit"), ("leave", 7, "unit")]


def test_scopes_are_numbered_and_a_task_that_fails_is_told_apart() -> None:
    recorder = Recorder(lambda: "unit")

    def task(i: int) -> None:
        raise ValueError(i)

    def scope(i: int) -> str:
        with pytest.raises(ValueError, match=str(i)):
            recorder.body(task)(i)
        return f"closed {i}"

    opened = recorder.scopes(scope)
    assert [opened(5), opened(6)] == ["closed 5", "closed 6"]
    assert [(kind, i) for kind, i, _ in recorder.events] == [
        *(("open", 0), ("run", 5), ("fail", 5), ("close", 0)),
        *(("open", 1), ("run", 6), ("fail", 6), ("close", 1)),
    ]


def test_tasks_may_be_numbered_from_another_number_on() -> None:
    recorder = Recorder(lambda: "unit")
    start = recorder.starts(abs, 7)
    handles = [start(-1), start(-2)]
    assert list(recorder.collects(handles, 7)) == [1, 2]
    assert [(kind, i) for kind, i, _ in recorder.events] == [
        ("spawn", 7),
        ("spawned", 7),
        ("spawn", 8),
        ("spawned", 8),
        ("collect", 7),
        ("collect", 8),
    ]


def test_a_start_may_name_what_it_gives() -> None:
    recorder = Recorder(lambda: "unit")

    def start(i: int, *, name: str) -> str:
        return f"{name}-{i}"

    assert recorder.starts(start)(3, name="task") == "task-3"
    assert recorder.events == [("spawn", 0, "unit"), ("spawned", 0, "unit")]


def test_a_turn_is_recorded_when_it_has_ended() -> None:
    recorder = Recorder(lambda: "unit")
    turns = iter(recorder.turns(5, 2))
    next(turns)
    assert recorder.events == []
    next(turns)
    assert recorder.events == [("run", 5, "unit")]
    assert list(turns) == []
    assert recorder.events == [("run", 5, "unit"), ("run", 5, "unit"), ("done", 5, "unit")]


def test_a_receive_is_recorded_when_it_returns() -> None:
    recorder = Recorder(lambda: "unit")
    assert recorder.receives(1, recorder.events.copy)() == []
    assert recorder.events == [("run", 1, "unit")]


def test_a_task_without_a_number_is_given_one() -> None:
    recorder = Recorder(lambda: "unit")

    def at_once(function: Callable[..., int], *arguments: int) -> int:
        return function(*arguments)

    start = recorder.starts_any(at_once)
    assert [start(max, 3, 4), start(abs, -5)] == [4, 5]
    kinds = ["spawn", "run", "done", "spawned"]
    assert recorder.events == [(kind, i, "unit") for i in (0, 1) for kind in kinds]


class Kernel:
    """A runtime whose own spawn is awaited; the tasks run when they are joined."""

    def __init__(self) -> None:
        self.running = "root"

    async def spawn(self, function: Callable[..., Coroutine[Any, Any, int]], *arguments: int, name: str) -> Any:
        await asyncio.sleep(0)  # others have their turn before the task has been started

        async def join() -> int:
            self.running = name
            result = await function(*arguments)
            self.running = "root"
            return result

        return join


def test_a_spawn_that_is_awaited_has_spawned_when_it_returns() -> None:
    kernel = Kernel()
    recorder = AwaitedSpawns(lambda: kernel.running)

    async def task(i: int) -> int:
        return i

    async def root() -> list[int]:
        start, body = recorder.starts(kernel.spawn, 7), recorder.body(task)
        tasks = [await start(body, i, name=f"unit-{i}") for i in (7, 8)]
        return [await join() for join in recorder.collects(tasks, 7)]

    assert asyncio.run(root()) == [7, 8]
    assert recorder.events == [
        ("spawn", 7, "root"),
        ("spawned", 7, "root"),
        ("spawn", 8, "root"),
        ("spawned", 8, "root"),
        ("run", 7, "unit-7"),
        ("done", 7, "unit-7"),
        ("collect", 7, "root"),
        ("run", 8, "unit-8"),
        ("done", 8, "unit-8"),
        ("collect", 8, "root"),
    ]


def test_two_spawns_that_are_awaited_at_once_keep_their_numbers() -> None:
    kernel = Kernel()
    recorder = AwaitedSpawns(lambda: kernel.running)

    async def task(i: int) -> int:
        return i

    async def root() -> None:
        start = recorder.starts(kernel.spawn)
        await asyncio.gather(start(task, 0, name="a"), start(task, 1, name="b"))

    asyncio.run(root())
    assert [(kind, i) for kind, i, _ in recorder.events] == [("spawn", 0), ("spawn", 1), ("spawned", 0), ("spawned", 1)]


def test_a_task_without_a_number_is_given_one_by_an_awaited_spawn() -> None:
    recorder = AwaitedSpawns(lambda: "unit")

    async def at_once(function: Callable[..., Coroutine[Any, Any, int]], *arguments: int) -> int:
        return await function(*arguments)

    async def larger(first: int, second: int) -> int:
        return max(first, second)

    async def root() -> list[int]:
        start = recorder.starts_any(at_once)
        return [await start(larger, 3, 4), await start(larger, -5, -6)]

    assert asyncio.run(root()) == [4, -5]
    kinds = ["spawn", "run", "done", "spawned"]
    assert recorder.events == [(kind, i, "unit") for i in (0, 1) for kind in kinds]


def test_a_task_that_is_cancelled_ends_too() -> None:
    recorder = Recorder(lambda: "unit")

    def task(i: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        recorder.body(task)(7)
    assert recorder.events == [("run", 7, "unit"), ("done", 7, "unit")]


def resumed(*order: int) -> int:
    counter = SwitchCounter()
    turns = counter.over(lambda i, times: range(times))
    tasks = {i: iter(turns(i, order.count(i))) for i in set(order)}
    for task in tasks.values():
        next(task)  # up to its first yield
    for i in order:
        next(tasks[i], None)
    return counter.true_switches


def test_true_switches_change_the_task() -> None:
    assert resumed(0, 0, 0) == 1
    assert resumed(0, 1, 0, 1) == 4
    assert resumed(0, 0, 1, 1) == 2
    assert resumed(0, 1, 1, 2, 0) == 4
