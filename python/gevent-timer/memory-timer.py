"""Memory of a timer: n timers of the hub's loop with no greenlet behind them, none of which fires."""

from typing import Any

import gevent

from harness import Program
from launch import run
from timer_tasks import HOUR, Timers, fired
from tracing import Tracing


def arm() -> Any:
    timer = gevent.get_hub().loop.timer(HOUR)
    timer.start(fired)
    return timer


def disarm(timer: Any) -> bool:
    pending: bool = timer.active
    timer.close()
    return pending and not timer.active


def main(program: Program, trace: Tracing) -> None:
    for lap in program.laps(most=1):
        timers = Timers[Any](program, trace)
        with lap:
            timers.live(arm)
            timers.cancel(disarm)
            gevent.sleep(0)
            timers.released()
        timers.record(lap)


if __name__ == "__main__":
    run(Program("memory-timer", "n"), main)
