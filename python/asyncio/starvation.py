"""Starvation: how late small tasks run while series of CPU-bound jobs go on, and what three remedies make of it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import asyncio_support
from harness import Program
from starvation_probes import PARAMETERS, PROBE_SECONDS, SMALL_NS, Load, Pool, Probes, Scene, burn, workers
from tracing import Tracing

Job = Callable[[Load], Coroutine[Any, Any, None]]
Task = asyncio.Task[None]


async def naive(load: Load) -> None:
    load.work(load.job_ns)


async def slices(load: Load) -> None:
    for ns in load.slices(load.job_ns):
        load.add(ns, burn(ns))
        await asyncio.sleep(0)


def outside(pool: Pool) -> Job:
    """The job in a pool."""

    async def job(load: Load) -> None:
        await pool.work(load)

    return job


@asynccontextmanager
async def pool_of(mode: str) -> AsyncIterator[Pool | None]:
    """The pool of a mode, if it has one; what it executes is awaited."""
    if mode == "thread":
        yield Pool(asyncio.to_thread)
    elif mode == "process":
        with workers() as (processes, tally):
            yield Pool(partial(asyncio.get_running_loop().run_in_executor, processes), tally)
    else:
        yield None


async def series(load: Load, job: Job) -> None:
    while load.going:
        await asyncio.create_task(job(load))
        load.end_job()


async def send(probes: Probes, probe: Callable[[], Awaitable[object]]) -> None:
    """Sends the probes until the end, each when it is due whatever became of those before, and waits for the answers."""

    async def answer(i: int) -> None:
        await probe()
        probes.answer(i)

    sent = []
    for i in range(len(probes)):
        if (left := probes.left(i)) > 0:
            await asyncio.sleep(left)
        if probes.closed:
            break
        sent.append(asyncio.create_task(answer(i)))
    for task in sent:
        await task


async def play(scene: Scene, series_count: int, job: Job | None, pool: Pool | None) -> list[Task]:
    """Until all probes are answered, or to the cap; returns the tasks, which end soon after."""
    load = [asyncio.create_task(series(scene.load, job)) for _ in range(series_count)] if job else []
    probes = [asyncio.create_task(send(scene.sleeping, partial(asyncio.sleep, PROBE_SECONDS)))]
    if scene.small and pool:
        probes.append(asyncio.create_task(send(scene.small, partial(pool.execute, burn, SMALL_NS))))
    await asyncio.wait(probes, timeout=scene.left())
    scene.close()
    return [*load, *probes]


async def main(program: Program, _trace: Tracing) -> None:
    mode = program.word("mode")
    async with pool_of(mode) as pool:
        jobs: dict[str, Job | None] = {"idle": None, "naive": naive, "slices": slices}
        job = outside(pool) if pool else jobs[mode]
        for lap in program.laps(most=1):
            with lap:
                scene = Scene(program, pool)
                tasks = await play(scene, program["series_count"], job, pool)
            # One that is still to use the pool has to do so before it closes.
            await asyncio.gather(*tasks)
            scene.record(program, lap)


if __name__ == "__main__":
    modes = ("idle", "naive", "slices", "thread", "process")
    asyncio_support.run(Program("starvation", *PARAMETERS, choices={"mode": modes}), main)
