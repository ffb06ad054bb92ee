"""Cancel: n parked greenlets are killed, clean up and are joined."""

import gevent
from gevent.event import Event

import green
from harness import Lap, Program
from tracing import Tracing


def cancel(n: int, lap: Lap, trace: Tracing) -> tuple[int, int, int]:
    """Greenlets created, clean-ups that ran, greenlets that ended as killed."""
    gate = Event()
    cleaned = finished = 0

    def task(i: int) -> None:
        nonlocal cleaned
        trace.note("park", i)
        try:
            gate.wait()
        finally:
            cleaned += 1

    start, body = trace.starts(gevent.spawn), trace.body(task)
    tasks = [start(body, i) for i in range(n)]
    gevent.sleep(0)  # back here, all of them wait
    with lap:
        gevent.killall(tasks)
        for running in tasks:
            finished += isinstance(running.get(), gevent.GreenletExit)
    return len(tasks), cleaned, finished


def main(program: Program, trace: Tracing) -> None:
    n = program["n"]
    for lap in program.laps():
        created, cancelled, finished = cancel(n, lap, trace)
        lap.record(ops=finished, created=created, cancelled=cancelled, finished=finished)


if __name__ == "__main__":
    green.run(Program("cancel", "n"), main)
