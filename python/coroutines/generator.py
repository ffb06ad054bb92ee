"""Generator: one generator is resumed n times by send, which hands a value in and gets one out."""

from collections.abc import Generator, Iterable

import loop_run
from generators import running
from harness import Program
from tracing import Recorder, Tracing


def adder(value: int, turns: Iterable[int]) -> Generator[int, int, int]:
    """Hands out one more than it was sent last."""
    for _ in turns:
        value = yield value
        value += 1
    return value


def resume(n: int, nonce: int, trace: Tracing) -> tuple[int, int]:
    """Generators that ended, and what the last one returned."""
    coroutine = trace.starts(adder)(nonce, trace.turns(0, n))
    value, send = next(coroutine), coroutine.send
    try:
        while True:
            value = send(value)
    except StopIteration as end:
        return 1, end.value


def main(program: Program, trace: Tracing) -> None:
    for lap in program.laps():
        with lap:
            finished, checksum = resume(program["n"], lap.nonce, trace)
        lap.record(ops=checksum - lap.nonce, finished=finished, checksum=checksum)


if __name__ == "__main__":
    program = Program("generator", "n")
    trace = Recorder(running) if program.traced else Tracing()
    program.hello(*loop_run.facts())
    main(program, trace)
    program.end(trace.events)
