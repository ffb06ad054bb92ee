"""Semaphore: k tasks want one of s permits, m times each, and give way while they have it."""

from contextlib import ExitStack

import trio
from trio.testing import wait_all_tasks_blocked

import trio_support
from critical_section import Room
from harness import Lap, Program
from tracing import Tracing


async def task(i: int, m: int, permits: trio.Semaphore, room: Room, trace: Tracing) -> None:
    """Adds its permits, counted from the nonce on; the most tasks inside; the most permits of others between two of its own."""
    guard = trace.guards(i, permits)
    taken, most, passed, own = room.nonce, 0, 0, -1
    for _ in range(m):
        async with guard:
            room.inside.append(i)
            most = max(most, len(room.inside))
            number = next(room.numbers)
            passed = max(passed, number - own - 1)
            if room.contended:
                await trio.lowlevel.checkpoint()
                room.yields.append(i)
            own = number
            room.inside.pop()
        taken += 1
    room.counts.append((taken, most, passed))


async def share(k: int, s: int, m: int, lap: Lap, trace: Tracing) -> dict[str, int]:
    permits, room = trio.Semaphore(s), Room(lap.nonce, contended=k > s)
    with ExitStack() as timed:  # the clock starts within the nursery and stops when it has closed
        async with trio.open_nursery() as nursery:
            start, body = trace.starts(nursery.start_soon), trace.body(task)
            for _ in range(s):
                await permits.acquire()
            for i in range(k):
                start(body, i, m, permits, room, trace)
            await wait_all_tasks_blocked()
            timed.enter_context(lap)
            for _ in range(s):
                permits.release()
    return room.evidence(room.counts)


async def main(program: Program, trace: Tracing) -> None:
    k, s, m = program["k"], program["s"], program["m"]
    for lap in program.laps():
        lap.record(**await share(k, s, m, lap, trace))


if __name__ == "__main__":
    trio_support.run(Program("semaphore", "k", "s", "m"), main)
