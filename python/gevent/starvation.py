"""Starvation: how late small tasks run while series of CPU-bound jobs go on, and what the remedies make of it."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import runtime
from harness import Program
from launch import run
from pools import POOLS
from starvation_probes import PARAMETERS, PROBE_SECONDS, SMALL_NS, Load, Pool, Probes, Scene, burn
from tracing import Tracing
from waiting import Event

Job = Callable[[Load], object]


def naive(load: Load) -> None:
    load.work(load.job_ns)


def slices(load: Load) -> None:
    for ns in load.slices(load.job_ns):
        load.add(ns, burn(ns))
        runtime.pause()


def series(load: Load, job: Job) -> None:
    while load.going:
        runtime.join(runtime.spawn(job, load))
        load.end_job()


def send(probes: Probes, probe: Callable[[], object], answered: Event) -> None:
    """Sends the probes until the end, each when it is due whatever became of those before, and waits for the answers."""

    def answer(i: int) -> None:
        probe()
        probes.answer(i)

    sent = []
    for i in range(len(probes)):
        if (left := probes.left(i)) > 0:
            runtime.sleep(left)
        if probes.closed:
            break
        sent.append(runtime.spawn(answer, i))
    for task in sent:
        runtime.join(task)
    answered.set()


def play(scene: Scene, series_count: int, job: Job | None, pool: Pool | None) -> list[Any]:
    """Until all probes are answered, or to the cap; returns the tasks, which end soon after."""
    tasks = [runtime.spawn(series, scene.load, job) for _ in range(series_count)] if job else []
    answered = [Event()]
    tasks.append(runtime.spawn(send, scene.sleeping, lambda: runtime.sleep(PROBE_SECONDS), answered[0]))
    if scene.small and pool:
        answered.append(Event())
        tasks.append(runtime.spawn(send, scene.small, lambda: pool.execute(burn, SMALL_NS), answered[1]))
    for event in answered:
        event.wait(scene.left())
    scene.close()
    return tasks


def main(program: Program, _trace: Tracing) -> None:
    mode = program.word("mode")
    with POOLS.get(mode, nullcontext)() as pool:
        jobs: dict[str, Job | None] = {"idle": None, "naive": naive, "slices": slices}
        job = pool.work if pool else jobs[mode]
        for lap in program.laps(most=1):
            with lap:
                scene = Scene(program, pool)
                tasks = play(scene, program["series_count"], job, pool)
            for task in tasks:  # one that is still to use the pool has to do so before it closes
                runtime.join(task)
            scene.record(program, lap)


if __name__ == "__main__":
    run(Program("starvation", *PARAMETERS, choices={"mode": ("idle", "naive", "slices", *POOLS)}), main)
