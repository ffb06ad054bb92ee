"""Sleep-zero: k tasks sleep m times each for no time at all."""

from collections.abc import Iterable

import runtime
from harness import Program
from launch import run
from tracing import Tracing


def task(turns: Iterable[int], nonce: int) -> int:
    """How often it woke, counted from the nonce on."""
    count = nonce
    for _ in turns:
        runtime.sleep(0)
        count += 1
    return count


def sleep_zero(k: int, m: int, nonce: int, trace: Tracing) -> tuple[int, int]:
    """Tasks that ended, and the sum of their counts."""
    start = trace.starts(runtime.spawn)
    tasks = [start(task, trace.turns(i, m), nonce) for i in range(k)]
    finished = checksum = 0
    for running in trace.collects(tasks):
        checksum += runtime.join(running)
        finished += 1
    return finished, checksum


def main(program: Program, trace: Tracing) -> None:
    k, m = program["k"], program["m"]
    for lap in program.laps():
        with lap:
            finished, checksum = sleep_zero(k, m, lap.nonce, trace)
        lap.record(ops=checksum - k * lap.nonce, finished=finished, checksum=checksum)


if __name__ == "__main__":
    run(Program("sleep-zero", "k", "m"), main)
