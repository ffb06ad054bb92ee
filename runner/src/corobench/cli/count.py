"""`count`: what the operations of a finished run take, in events in place of time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager
from queue import SimpleQueue

import click
import msgspec

from corobench.cli import Names, called, completion, find_root, nearby, say
from corobench.cli.measure import planned_programs, ready_again
from corobench.cli.report import find_run
from corobench.errors import UserError, unknown
from corobench.execute import begin, counting
from corobench.execute.program import Program
from corobench.execute.verify import end_all
from corobench.execute.watchdog import Watchdog, sweep
from corobench.locks import only_run
from corobench.machine.facts import box_facts
from corobench.machine.proc import Host, usable
from corobench.results import log
from corobench.results.log import EVENTS, Count, Event
from corobench.suite import load
from corobench.suite.runtime import Suite
from corobench.suite.workload import parse_case
from corobench.toolchains.provision import helper


@click.command("count")
@click.argument("name", metavar="[RUN]", required=False, shell_complete=completion.runs)
@click.option(
    "--runtimes",
    type=Names(),
    shell_complete=completion.runtimes,
    metavar="A,B",
    help="Only these of the run's runtimes.",
)
@click.option(
    "--workloads",
    type=Names(),
    shell_complete=completion.workloads,
    metavar="A,B",
    help="Only these of the run's workloads.",
)
@click.option("--again", is_flag=True, help="Also what was counted before.")
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout: the records.")
def count_command(
    name: str | None,
    runtimes: list[str] | None,
    workloads: list[str] | None,
    again: bool,
    as_json: bool,
) -> int:
    """Count the instructions, system calls, context switches, page faults and allocations of what
    a finished run measured on one CPU, and add them to it; the newest run where none is named.

    Counts are the same on a busy box.
    """
    suite = load.load_suite(find_root())
    # a build beside it would change what is counted
    with only_run():
        run = log.read(find_run(suite.root / "results", name))
        _check_finished(run)
        known = {} if again else {key: line.told for key, line in run.counts.items()}
        chosen = _chosen(run, runtimes, workloads, known)
        programs, mark = _programs(suite, run, chosen)
        found = _count(suite, run, programs, mark, chosen, known)
    if as_json:
        click.echo(msgspec.json.encode(found))
    say(f"count: {len(found)} cases counted; {called()} report shows them")
    return 0


def _check_finished(run: log.Run) -> None:
    if run.finished is None:
        raise UserError(
            f"{run.folder}: this run is not finished; go on with it first: "
            f"{called()} run --resume {nearby(run.folder)}"
        )


def _chosen(
    run: log.Run,
    runtimes: list[str] | None,
    workloads: list[str] | None,
    known: Mapping[str, set[Event]],
) -> dict[str, float]:
    """The cases that are left to count, with the seconds that an operation took. UserError where
    none can be. `known`: case -> the events that are not to be counted again.
    """
    every = counting.counted_cases(run)
    cases = {key: parse_case(key) for key in every}
    if not every:
        raise UserError(
            f"{run.folder}: of what this run measured nothing is counted; specs say what is "
            "(counted = true at a point), on one CPU"
        )
    for kind, asked, there in (
        ("runtime", runtimes, {case.runtime for case in cases.values()}),
        ("workload", workloads, {case.workload for case in cases.values()}),
    ):
        for one in asked or []:
            if one not in there:
                raise unknown(kind, one, there)
    return {
        key: seconds
        for key, seconds in every.items()
        if not known.get(key, set()).issuperset(EVENTS)
        and (runtimes is None or cases[key].runtime in runtimes)
        and (workloads is None or cases[key].workload in workloads)
    }


def _programs(
    suite: Suite, run: log.Run, keys: Iterable[str]
) -> tuple[dict[begin.Key, Program], str]:
    """What is counted, as it was when the run was made. UserError where it isn't; what is not
    counted may be another by now.
    """
    part = msgspec.structs.replace(run.header.plan, cases=[*keys])
    prepared, _ = ready_again(suite, run.header, box_facts, "counted", part)
    mark = begin.token()
    return planned_programs(suite, begin.pairs(part), prepared, mark), mark


def _count(
    suite: Suite,
    run: log.Run,
    programs: Mapping[begin.Key, Program],
    mark: str,
    chosen: Mapping[str, float],
    known: Mapping[str, set[Event]],
) -> list[Count]:
    """Counts on every CPU at once; each case is on the disk when it is said. `known` as in
    `_chosen`.
    """
    ways = counting.counters({name: helper(suite, name, say) for name in counting.TOOLS}, Host())
    missed = [way for way in ways if isinstance(way, counting.Missed)]
    for way in missed:
        then = "; then: count --again" if way.mends else ""
        say(f"count: no {', '.join(way.events)}: {way.reason}{then}")
    said = {event for way in missed for event in way.events}
    free: SimpleQueue[int] = SimpleQueue()
    for cpu in sorted(usable()):
        free.put(cpu)

    counted: list[Count] = []
    unseen: dict[str, set[Event]] = {}  # what can't be counted of a language: the page tells why

    def one(key: str) -> Count:
        case, cpu = parse_case(key), free.get()
        try:
            point = run.header.plan.points[f"{case.workload}/{case.point}"]
            program = programs[case.runtime, case.workload]
            task = counting.Task(key, program, point, chosen[key])
            told = known.get(key, set())
            asked = (way for way in ways if not told.issuperset(way.events))
            suited = [counting.suited(way, program) for way in asked]
            unseen[key] = {
                event for way in suited if isinstance(way, counting.Missed) for event in way.events
            }
            left = [counting.hopeless(way, case.runtime, tuple(counted)) or way for way in suited]
            return counting.count(task, frozenset({cpu}), left)
        finally:
            free.put(cpu)

    from corobench.statistics.counts import count_line  # noqa: PLC0415  a run doesn't hold it

    try:
        with Watchdog(mark), _appending(run) as target, ThreadPoolExecutor(free.qsize()) as threads:
            futures = [threads.submit(one, key) for key in chosen]
            try:
                for future in as_completed(futures):
                    found = future.result()
                    target.append(found)
                    counted.append(found)
                    text = count_line(run.header, found, said | unseen[found.case])
                    say(f"[{len(counted)}/{len(chosen)}] {text}")
            finally:
                for future in futures:
                    future.cancel()
                end_all(futures, lambda: sweep(mark))
    except KeyboardInterrupt:
        say(
            f"Interrupted. What was counted is saved; go on with: {called()} count "
            f"{nearby(run.folder)}"
        )
        raise
    return counted


@contextmanager
def _appending(run: log.Run) -> Iterator[log.Log]:
    """The run's log, unpacked while lines are added to it."""
    with closing(log.reopen(run)) as target:
        try:
            yield target
        finally:
            log.pack(run.folder)
