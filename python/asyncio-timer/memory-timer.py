"""Memory of a timer: n handles of loop.call_later, none of which fires."""

import asyncio
from asyncio import TimerHandle

import asyncio_support
from harness import Program
from timer_tasks import HOUR, Timers, fired
from tracing import Tracing


def disarm(timer: TimerHandle) -> bool:
    timer.cancel()
    return timer.cancelled()


async def main(program: Program, trace: Tracing) -> None:
    loop = asyncio.get_running_loop()
    for lap in program.laps(most=1):
        timers = Timers[TimerHandle](program, trace)
        with lap:
            timers.live(lambda: loop.call_later(HOUR, fired))
            timers.cancel(disarm)
            await asyncio.sleep(0)  # asyncio drops cancelled timers in a turn of its loop
            timers.released()
        timers.record(lap)


if __name__ == "__main__":
    asyncio_support.run(Program("memory-timer", "n"), main)
