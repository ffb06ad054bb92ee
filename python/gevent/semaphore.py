"""Semaphore: k tasks want one of s permits, m times each, and give way while they have it."""

import runtime
import waiting
from critical_section import Room
from harness import Lap, Program
from launch import run
from tracing import Tracing


def task(i: int, m: int, permits: waiting.Semaphore, room: Room, trace: Tracing) -> tuple[int, int, int]:
    """Its permits, counted from the nonce on; the most tasks inside; the most permits of others between two of its own."""
    guard = trace.guards(i, permits)
    room.arrived.append(i)
    taken, most, passed, own = room.nonce, 0, 0, -1
    for _ in range(m):
        with guard:
            room.inside.append(i)
            most = max(most, len(room.inside))
            number = next(room.numbers)
            passed = max(passed, number - own - 1)
            if room.contended:
                runtime.pause()
                room.yields.append(i)
            own = number
            room.inside.pop()
        taken += 1
    return taken, most, passed


def share(k: int, s: int, m: int, lap: Lap, trace: Tracing) -> dict[str, int]:
    permits, room = waiting.Semaphore(s), Room(lap.nonce, contended=k > s)
    start, body = trace.starts(runtime.spawn), trace.body(task)
    for _ in range(s):
        permits.acquire()
    tasks = [start(body, i, m, permits, room, trace) for i in range(k)]
    while len(room.arrived) < k:  # threads may still be on their way where the CPU was taken from them
        waiting.settle()
    waiting.settle()  # back here, all of them wait for a permit
    with lap:
        for _ in range(s):
            permits.release()
        counts = [runtime.join(running) for running in tasks]
    return room.evidence(counts)


def main(program: Program, trace: Tracing) -> None:
    k, s, m = program["k"], program["s"], program["m"]
    for lap in program.laps():
        lap.record(**share(k, s, m, lap, trace))


if __name__ == "__main__":
    run(Program("semaphore", "k", "s", "m"), main)
