"""Mutex: k tasks want one lock, m times each, and give way inside."""

import loop
from critical_section import Section
from harness import Lap, Program
from loop_run import run
from tracing import Tracing


async def task(i: int, m: int, lock: loop.Lock, section: Section, trace: Tracing) -> tuple[int, int]:
    """Its acquisitions, and the most by others between two of them."""
    guard = trace.guards(i, lock)
    own = section.nonce
    acquired = passed = 0
    for _ in range(m):
        async with guard:
            value = section.enter()
            passed = max(passed, value - own)
            if section.contended:
                await loop.sleep(0)
                section.yields += 1
            own = value + 1
            section.leave(own)
        acquired += 1
    return acquired, passed


async def mutex(k: int, m: int, lap: Lap, trace: Tracing) -> dict[str, int]:
    lock, section = loop.Lock(), Section(lap.nonce, contended=k > 1)
    start, body = trace.starts(loop.create_task), trace.body(task)
    await lock.acquire()
    tasks = [start(body(i, m, lock, section, trace)) for i in range(k)]
    await loop.sleep(0)  # back here, all of them wait for the lock
    with lap:
        lock.release()
        # gather, so that the failure of one task does not leave the root waiting for those that want its lock.
        counts = await loop.gather(*tasks)
    return section.evidence(counts)


async def main(program: Program, trace: Tracing) -> None:
    k, m = program["k"], program["m"]
    for lap in program.laps():
        lap.record(**await mutex(k, m, lap, trace))


if __name__ == "__main__":
    run(Program("mutex", "k", "m"), main)
