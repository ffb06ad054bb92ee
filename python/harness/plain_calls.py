"""The baseline: a task's body as a plain function call, the same for every Python runtime."""

from harness import Program


def body(i: int) -> int:
    return i


def call(n: int) -> tuple[int, int]:
    """Results received and their sum."""
    finished = checksum = 0
    for i in range(n):
        checksum += body(i)
        finished += 1
    return finished, checksum


def measure(program: Program) -> None:
    n = program["n"]
    for lap in program.laps():
        with lap:
            finished, checksum = call(n)
        lap.record(ops=finished, finished=finished, checksum=checksum)
