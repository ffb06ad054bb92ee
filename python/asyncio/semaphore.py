"""Semaphore: k tasks want one of s permits, m times each, and give way while they have it."""

import loop
from critical_section import Room
from harness import Lap, Program
from loop_run import run
from tracing import Tracing


async def task(i: int, m: int, permits: loop.Semaphore, room: Room, trace: Tracing) -> tuple[int, int, int]:
    """Its permits, counted from the nonce on; the most tasks inside; the most permits of others between two of its own."""
    guard = trace.guards(i, permits)
    taken, most, passed, own = room.nonce, 0, 0, -1
    for _ in range(m):
        async with guard:
            room.inside.append(i)
            most = max(most, len(room.inside))
            number = next(room.numbers)
            passed = max(passed, number - own - 1)
            if room.contended:
                await loop.sleep(0)
                room.yields.append(i)
            own = number
            room.inside.pop()
        taken += 1
    return taken, most, passed


async def share(k: int, s: int, m: int, lap: Lap, trace: Tracing) -> dict[str, int]:
    permits, room = loop.Semaphore(s), Room(lap.nonce, contended=k > s)
    start, body = trace.starts(loop.create_task), trace.body(task)
    for _ in range(s):
        await permits.acquire()
    tasks = [start(body(i, m, permits, room, trace)) for i in range(k)]
    await loop.sleep(0)  # back here, all of them wait for a permit
    with lap:
        for _ in range(s):
            permits.release()
        # gather, so that the failure of one task does not leave the root waiting for those that want its permit.
        counts = await loop.gather(*tasks)
    return room.evidence(counts)


async def main(program: Program, trace: Tracing) -> None:
    k, s, m = program["k"], program["s"], program["m"]
    for lap in program.laps():
        lap.record(**await share(k, s, m, lap, trace))


if __name__ == "__main__":
    run(Program("semaphore", "k", "s", "m"), main)
