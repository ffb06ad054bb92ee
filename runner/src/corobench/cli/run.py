"""`run`, `verify`, `list`: the measuring half, as a pipeline."""

from __future__ import annotations

import os
import random
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from corobench import manifest, plan, store
from corobench.box import box_facts
from corobench.cli import progress
from corobench.cli.common import find_root, say, selecting, selection
from corobench.errors import RunFailed, UserError
from corobench.execute import begin, controls, scheduling, verify
from corobench.execute.lock import only_run
from corobench.execute.program import Program
from corobench.execute.served import server_cpus
from corobench.execute.session import Decide, Session, execute, spent
from corobench.execute.verify import Verified
from corobench.execute.watchdog import Watchdog, sweep
from corobench.model import Suite
from corobench.plan import PROFILE, Plan, Selection
from corobench.store import Failure, RunHeader
from corobench.toolchains.prepare import helper, prepare
from corobench.toolchains.values import Missing, Prepared, Tool


class Run(msgspec.Struct, frozen=True):
    """A run that is about to be measured: what of, and where it is written. `lines` are those of an earlier part."""

    suite: Suite
    header: RunHeader
    prepared: dict[str, Prepared | Missing]
    verified: list[Verified]
    log: store.Log
    lines: list[store.Line]
    folder: Path


class Duration(click.ParamType[float]):
    """`90s`, `10m`, `2h`."""

    name = "duration"

    def convert(self, value: object, param: click.Parameter | None, context: click.Context | None) -> float:
        text = str(value)
        try:
            seconds = float(text[:-1]) * {"s": 1, "m": 60, "h": 3600}[text[-1:]]
        except (ValueError, KeyError):
            self.fail(f"{text!r} is not a duration; write 90s, 10m or 2h", param, context)
        if seconds <= 0:
            self.fail("a duration must be positive", param, context)
        return seconds


@click.command("list")
@selecting
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
def list_command(
    profile: str, runtimes: list[str] | None, workloads: list[str] | None, tracks: list[str] | None, as_json: bool
) -> int:
    """List runtimes, workloads and the cases that a profile measures."""
    suite = manifest.load_suite(find_root())
    made = plan.make_plan(suite, selection(profile, runtimes, workloads, tracks), seed=0, cores=server_cpus())
    if as_json:
        click.echo(msgspec.json.encode({"runtimes": sorted(suite.runtimes), "workloads": sorted(suite.workloads), "plan": made}))
        return 0
    for name, runtime in suite.runtimes.items():
        click.echo(
            f"runtime   {name:32} {runtime.manifest.unit:16} {', '.join(runtime.variant.tracks):18} {runtime.variant.title}"
        )
    for name, workload in suite.workloads.items():
        click.echo(f"workload  {name:32} {workload.question}")
    for gap in made.gaps:
        click.echo(f"gap       {gap.workload + ' / ' + gap.runtime:32} {gap.reason}")
    click.echo(f"cases     {len(made.cases)} in profile {profile}, A/A controls included")
    return 0


@click.command("verify")
@selecting
@click.option("--fresh", is_flag=True, help="Verify again what is known to be right.")
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
def verify_command(
    profile: str, runtimes: list[str] | None, workloads: list[str] | None, tracks: list[str] | None, fresh: bool, as_json: bool
) -> int:
    """Run every program small and traced, and hold it to its spec."""
    suite = manifest.load_suite(find_root())
    made, prepared = _planned(suite, selection(profile, runtimes, workloads, tracks), seed=0)
    if fresh:
        _memory_file(suite).unlink(missing_ok=True)
    results = _verified(suite, made, prepared)
    if as_json:
        click.echo(msgspec.json.encode(results))
    bad = [result for result in results if result.problems]
    say(f"verify: {len(results) - len(bad)} of {len(results)} programs do what their specs ask")
    return 1 if bad or _broken(prepared) else 0


@click.command("run")
@selecting
@click.option(
    "--budget", type=Duration(), metavar="10m", help="Stop before this much time is used; the default is the profile's."
)
@click.option("--seed", type=int, help="Seed of the order; random by default, stored in the run.")
@click.option(
    "--resume",
    metavar="RUN",
    help="Go on with an interrupted run (a folder), or, with a larger --budget, with one that ran out of it.",
)
@click.option(
    "--beside",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="CHECKOUT",
    help="Measure another checkout in turns with this one, a block each, so that `compare` can pair the two runs.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="FOLDER", help="Where the run's folder is made; results/<box> by default."
)
@click.option("--dry-run", is_flag=True, help="Print the order of the first block and end.")
@click.option("--priority", is_flag=True, help="Raise this run's scheduling priority where the box allows it.")
def run_command(
    profile: str,
    runtimes: list[str] | None,
    workloads: list[str] | None,
    tracks: list[str] | None,
    budget: float | None,
    seed: int | None,
    resume: str | None,
    beside: Path | None,
    out: Path | None,
    dry_run: bool,
    priority: bool,
) -> int:
    """Measure. Prints the folder of the run, or of both."""
    suite = manifest.load_suite(find_root())
    if resume:
        return _resume(suite, Path(resume), budget)
    chosen = selection(profile, runtimes, workloads, tracks)
    seed = random.randrange(2**32) if seed is None else seed
    suites = [suite] if beside is None else [suite, manifest.load_suite(beside.resolve())]
    planned = [_planned(one, chosen, seed) for one in suites]
    if dry_run:
        click.echo("\n".join(plan.block_order(planned[0][0], 0)))
        return 0
    if priority:
        scheduling.enable(say)
    facts = box_facts()
    folder = _run_folder(out or suite.root / "results" / str(facts["name"]), profile)
    folders = [folder, folder.with_name(f"{folder.name}-beside")][: len(suites)]
    with only_run(), ExitStack() as logs:
        runs = []
        for one, (made, prepared), place in zip(suites, planned, folders, strict=True):
            verified = _verified(one, made, prepared)
            header = begin.header(one, made, prepared, verified, facts, place.name)
            log = logs.enter_context(closing(store.create(place, header)))
            runs.append(Run(one, header, prepared, verified, log, [], place))
        return _execute(runs, budget)


def _resume(suite: Suite, folder: Path, budget: float | None) -> int:
    run = store.read(folder)
    for warning in run.warnings:
        say(warning)
    _check_unfinished(run, budget)
    made = run.header.plan
    prepared = prepare(suite, [runtime for runtime, _ in begin.pairs(made)], say)
    with only_run():
        verified = _verified(suite, made, prepared)
        begin.check_same(run.header, begin.header(suite, made, prepared, verified, box_facts(), run.header.run))
        with closing(store.reopen(run)) as log:
            return _execute([Run(suite, run.header, prepared, verified, log, run.lines, folder)], budget)


def _check_unfinished(run: store.Run, budget: float | None) -> None:
    """A run that ended on its budget goes on with a larger one; one that was precise enough has nothing to go on with."""
    finished = [mark for mark in run.marks if mark.event == "finished"]
    if finished and (budget is None or finished[-1].values.get("precise", True)):
        raise UserError(f"{run.folder}: this run is finished ({finished[-1].reason}); nothing to resume")


def _planned(suite: Suite, chosen: Selection, seed: int) -> tuple[Plan, dict[str, Prepared | Missing]]:
    prepared = prepare(suite, plan.chosen(suite, chosen), say)
    missing = {name: f"{found.reason}; {found.help}" for name, found in prepared.items() if isinstance(found, Missing)}
    for name, reason in missing.items():
        say(f"MISSING {name}: {reason}")
    return plan.make_plan(suite, chosen, seed, missing, server_cpus()), prepared


def _memory_file(suite: Suite) -> Path:
    return suite.root / ".build" / "verified.json"


def _programs(suite: Suite, made: Plan, prepared: dict[str, Prepared | Missing], mark: str) -> dict[begin.Key, Program]:
    wanted = dict.fromkeys(name for _, workload in begin.pairs(made) for name in suite.workloads[workload].tools)
    tools = {name: tool.path for name in wanted if isinstance(tool := helper(suite, name, say), Tool)}
    return begin.programs(suite, prepared, begin.pairs(made), mark, tools)


def _verified(suite: Suite, made: Plan, prepared: dict[str, Prepared | Missing]) -> list[Verified]:
    mark = begin.token()
    with Watchdog(mark):
        work = begin.jobs(suite, made.profile, prepared, _programs(suite, made, prepared, mark))
        return verify.verify(work, verify.Memory(_memory_file(suite)), _say_verified)


def _say_verified(result: Verified) -> None:
    for problem in result.problems:
        say(f"REJECTED {problem}")
    if not result.remembered and not result.problems:
        say(f"verified {result.name}")


def _execute(runs: list[Run], budget: float | None) -> int:
    """Measures the runs, in turns where there are several: each then has its share of the budget."""
    mark, shown = begin.token(), progress.chosen()
    sessions = [_session(run, (budget or PROFILE[run.header.plan.profile].budget_s) / len(runs), mark, shown) for run in runs]
    with Watchdog(mark), closing(shown):
        try:
            for session, run in zip(sessions, runs, strict=True):
                _open(session, run, mark)
            reason = execute(sessions)
        except KeyboardInterrupt:
            say("interrupted; nothing measured is lost. Go on with:")
            for run in runs:
                say(f"  corobench run --resume {run.folder}")
            raise
        finally:
            sweep(mark)
    say(f"finished: {reason}")
    for run in runs:
        click.echo(run.folder)
    failed = sum(isinstance(line, Failure) for session in sessions for line in session.lines)
    if failed:
        say(f"{failed} invocations failed; the page shows each with its reason")
    return 1 if failed or any(_broken(run.prepared) for run in runs) else 0


def _session(run: Run, budget_s: float, mark: str, shown: progress.Plain) -> Session:
    return Session(
        plan=run.header.plan,
        profile=PROFILE[run.header.plan.profile],
        budget_s=budget_s,
        programs=_programs(run.suite, run.header.plan, run.prepared, mark),
        log=run.log,
        lines=run.lines,
        decide=_decide(run.header),
        progress=shown,
        spent_s=spent(run.lines),
    )


def _open(session: Session, run: Run, mark: str) -> None:
    """What a run's log begins with, or that it goes on."""
    if session.lines:
        session.mark("resumed")
    first = () if session.lines else controls.wake_ups(mark)
    for line in [*begin.refused(run.suite.root, run.header.plan, run.verified, session.lines), *first]:
        session.append(line)


def _decide(header: RunHeader) -> Decide:
    """Statistics reach the run loop as a function, asked only between blocks."""
    from corobench.statistics.stop import decide  # noqa: PLC0415  the measuring half doesn't hold it otherwise

    return decide(header)


def _broken(prepared: dict[str, Prepared | Missing]) -> bool:
    return any(isinstance(found, Missing) and found.broken for found in prepared.values())


def _run_folder(parent: Path, profile: str) -> Path:
    """A new folder's path under `parent`, which is known to be writable before anything is measured."""
    try:
        parent.mkdir(parents=True, exist_ok=True)
        probe = parent / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise RunFailed(
            f"{parent}: results can't be written there: {error.strerror}; choose another folder with --out"
        ) from error
    name = f"{datetime.now(UTC):%Y-%m-%dT%H%M%S}-{profile}"
    return parent / name


COMMANDS = [list_command, verify_command, run_command]
