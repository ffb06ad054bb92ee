"""What a campaign costs: a thousand boxes and two thousand runs; and what the queue's agent takes
of a box that measures.

    PYTHONPATH=src:tests/support python bench/fleet.py [--boxes 1000] [--runs 2000] [--agent-s 120]

The boxes are simulated: a queue in memory, and runs made once and sealed for each. The agent is
real: slurmd and slurmstepd beside a job that sleeps, by the kernel's own counts.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import fleets
import report_runs
import slurm
from needed import tool

from corobench.execute.memory import peak_bytes
from corobench.fleet import attempt
from corobench.fleet.campaign import Campaign, load_campaign, records
from corobench.fleet.reconcile import Fleet
from corobench.report.pages import compare
from corobench.report.runs import collect

T = TypeVar("T")

SHAPE = "{:52} {:>10}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boxes", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--agent-s", type=float, default=120.0, help="0: not the agent")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        campaign_of_many(Path(folder), arguments.boxes, arguments.runs)
        if arguments.agent_s:
            agent(Path(folder) / "agent", arguments.agent_s)
    return 0


def campaign_of_many(folder: Path, boxes: int, runs: int) -> None:
    classes = tuple(f"class-{number:04}" for number in range(boxes))
    campaign = fleets.write(
        folder, "a" * 40, {"name": "local"}, classes, repetitions=-(-runs // boxes)
    )
    queue = fleets.Queue()

    def fleet() -> Fleet:
        return Fleet(campaign, queue, lambda _text: None)

    print(f"{boxes:,} boxes, {len(fleet().jobs):,} runs")
    timed("read the campaign", lambda: load_campaign(Path(campaign.file)))
    timed("submit all", lambda: fleet().submit())
    timed("submit again: nothing", lambda: fleet().submit())
    made = report_runs.write(folder / "made/box/run", blocks=9, workloads=["baseline", "spawn"])
    sealed = [folder / "sealed" / str(number) for number in range(len(queue.submitted))]
    for place, job in zip(sealed, queue.submitted, strict=True):
        fleets.sealed(place, job, name=f"run-{place.name}", box=job.box_class, made=made)
    timed("receive all", lambda: [receive(one, campaign) for one in sealed])
    timed("status: each attempt is checked once", lambda: fleet().states())
    timed("status again", lambda: fleet().states())
    results = folder / "results"
    timed("collect", lambda: fleet().collect(results))
    timed("collect again", lambda: fleet().collect(results))
    entries = timed("summaries of all runs", lambda: collect(results, folder / "kept"))
    site = folder / "site"
    timed(
        "the campaign's page",
        lambda: compare.write_campaigns(records(results), entries, site, False),
    )
    page = site / "campaigns/planted.html"
    print(SHAPE.format("the campaign's page, kB", f"{page.stat().st_size / 1000:,.0f}"))
    peak = peak_bytes(os.getpid()) / 2**20
    print(SHAPE.format("highest resident memory of all this, MiB", f"{peak:,.0f}"))


def timed(what: str, work: Callable[[], T]) -> T:
    started, cpu = time.monotonic(), time.process_time()
    made = work()
    wall, cpu = time.monotonic() - started, time.process_time() - cpu
    print(SHAPE.format(what, f"{wall:.2f} s"), f"(CPU {cpu:.2f} s)", flush=True)
    return made


def receive(folder: Path, campaign: Campaign) -> None:
    with tempfile.TemporaryFile() as stream:
        attempt.send(folder, stream)
        stream.seek(0)
        answer = attempt.receive(stream, campaign.inbox_folder)
    assert answer.startswith("STORED"), answer


def agent(folder: Path, seconds: float) -> None:
    """What slurmd and slurmstepd use while a job sleeps on their box."""
    commit = fleets.checkout(folder / "checkout")
    campaign = fleets.write(
        folder,
        commit,
        {"name": "slurm"},
        ("classa", "classb"),
        hosts=slurm.HOSTS,
        cpus=1,
        memory_mb=100,
        deliver="true",
    )
    with slurm.running(folder, tool("slurm"), campaign) as cluster:
        cluster.call(
            "sbatch", "--nodelist=b1", "--output=/dev/null", f"--wrap=sleep {seconds + 30:g}"
        )
        while not (steps := _step_daemons(cluster)):
            time.sleep(0.2)
        time.sleep(5)  # what starting a job takes is no part of measuring
        pids = [cluster.pid("b1"), *steps]
        before = [_used(pid) for pid in pids]
        time.sleep(seconds)
        after = [_used(pid) for pid in pids]
    cpu = sum(now[0] - then[0] for now, then in zip(after, before, strict=True))
    switches = sum(now[1] - then[1] for now, then in zip(after, before, strict=True))
    print(f"slurmd and slurmstepd ({len(pids)} processes) beside a job, over {seconds:g} s")
    print(SHAPE.format("CPU time a minute, ms", f"{cpu / seconds * 60 * 1000:.2f}"))
    print(SHAPE.format("share of one CPU, %", f"{cpu / seconds * 100:.4f}"))
    print(SHAPE.format("context switches a minute", f"{switches / seconds * 60:.0f}"))


def _step_daemons(cluster: slurm.Cluster) -> list[int]:
    return [
        pid
        for pid in cluster.steps("b1")
        if Path(f"/proc/{pid}/comm").read_text().startswith("slurmstepd")
    ]


def _used(pid: int) -> tuple[float, int]:
    """CPU seconds of all threads, by the scheduler's nanoseconds, and their context switches."""
    cpu, switches = 0.0, 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        cpu += int((task / "schedstat").read_text().split()[0]) / 1e9
        for line in (task / "status").read_text().splitlines():
            if line.partition(":")[0] in ("voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"):
                switches += int(line.split()[1])
    return cpu, switches


if __name__ == "__main__":
    os.environ.setdefault("COROBENCH_BOX", "testbox")
    sys.exit(main())
