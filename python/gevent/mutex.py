"""Mutex: k tasks want one lock, m times each, and give way inside."""

import runtime
import waiting
from critical_section import Section
from harness import Lap, Program
from launch import run
from tracing import Tracing


def task(i: int, m: int, lock: waiting.Lock, section: Section, trace: Tracing) -> tuple[int, int]:
    """Its acquisitions, and the most by others between two of them."""
    guard = trace.guards(i, lock)
    section.arrived.append(i)
    own = section.nonce
    acquired = passed = 0
    for _ in range(m):
        with guard:
            value = section.enter()
            passed = max(passed, value - own)
            if section.contended:
                runtime.pause()
                section.yields += 1
            own = value + 1
            section.leave(own)
        acquired += 1
    return acquired, passed


def mutex(k: int, m: int, lap: Lap, trace: Tracing) -> dict[str, int]:
    lock, section = waiting.Lock(), Section(lap.nonce, contended=k > 1)
    start, body = trace.starts(runtime.spawn), trace.body(task)
    lock.acquire()
    tasks = [start(body, i, m, lock, section, trace) for i in range(k)]
    while len(section.arrived) < k:  # threads may still be on their way where the CPU was taken from them
        waiting.settle()
    waiting.settle()  # back here, all of them wait for the lock
    with lap:
        lock.release()
        counts = [runtime.join(running) for running in tasks]
    return section.evidence(counts)


def main(program: Program, trace: Tracing) -> None:
    k, m = program["k"], program["m"]
    for lap in program.laps():
        lap.record(**mutex(k, m, lap, trace))


if __name__ == "__main__":
    run(Program("mutex", "k", "m"), main)
