"""Spawn chain: each task starts the next one and ends; the root waits for the last."""

import runtime
from harness import Program
from launch import run
from tracing import Tracing
from waiting import Event


def chain(numbers: range, trace: Tracing) -> tuple[int, int]:
    """Tasks that ran, and the sum of their numbers."""
    end = Event()
    finished = checksum = 0
    stop = numbers.stop

    def link(i: int) -> None:
        nonlocal finished, checksum
        checksum += i
        finished += 1
        if i + 1 < stop:
            start(body, i + 1)
        else:
            end.set()

    start, body = trace.starts(runtime.spawn, numbers.start), trace.body(link)
    start(body, numbers.start)
    end.wait()
    return finished, checksum


def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            finished, checksum = chain(lap.numbers(n), trace)
        lap.record(ops=finished, finished=finished, checksum=checksum)


if __name__ == "__main__":
    run(Program("spawn-chain", "n"), main)
