"""Mutex: k tasks want one lock, m times each, and give way inside."""

from contextlib import ExitStack

import anyio
from anyio.lowlevel import checkpoint

import anyio_support
from critical_section import Section
from harness import Lap, Program
from tracing import Tracing


async def task(i: int, m: int, lock: anyio.Lock, section: Section, trace: Tracing) -> None:
    """Adds its acquisitions, and the most by others between two of them."""
    guard = trace.guards(i, lock)
    own = section.nonce
    acquired = passed = 0
    for _ in range(m):
        async with guard:
            value = section.enter()
            passed = max(passed, value - own)
            if section.contended:
                await checkpoint()
                section.yields += 1
            own = value + 1
            section.leave(own)
        acquired += 1
    section.counts.append((acquired, passed))


async def mutex(k: int, m: int, lap: Lap, trace: Tracing) -> dict[str, int]:
    lock, section = anyio.Lock(), Section(lap.nonce, contended=k > 1)
    with ExitStack() as timed:  # the clock starts within the task group and stops when it has closed
        async with anyio.create_task_group() as group:
            start, body = trace.starts(group.start_soon), trace.body(task)
            await lock.acquire()
            for i in range(k):
                start(body, i, m, lock, section, trace)
            await anyio_support.all_others_wait()
            timed.enter_context(lap)
            lock.release()
    return section.evidence(section.counts)


async def main(program: Program, trace: Tracing) -> None:
    k, m = program["k"], program["m"]
    for lap in program.laps():
        lap.record(**await mutex(k, m, lap, trace))


if __name__ == "__main__":
    anyio_support.run(Program("mutex", "k", "m"), main)
