"""`run`: the measuring half, as a pipeline."""

from __future__ import annotations

import math
import os
import random
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec
from click.core import ParameterSource

from corobench import manifest, plan, store
from corobench.box import box_facts
from corobench.changes import changes
from corobench.cli import complete, ending, progress, ready
from corobench.cli.common import called, find_root, nearby, say, selecting
from corobench.cli.estimate import Estimate, estimate, known_durations
from corobench.cli.runs import find_run
from corobench.doctor import Report, examine, lasting
from corobench.duration import Durations
from corobench.errors import RunFailed, UserError
from corobench.execute import begin, controls, resuming, scheduling
from corobench.execute.forecast import Forecast
from corobench.execute.lock import only_run
from corobench.execute.session import Decide, Session
from corobench.execute.turns import execute
from corobench.execute.verify import Verified
from corobench.execute.watchdog import Watchdog, sweep
from corobench.model import Suite
from corobench.plan import PROFILE, Plan
from corobench.store import RunHeader
from corobench.toolchains.prepare import prepare
from corobench.toolchains.values import Missing, Prepared


class Run(msgspec.Struct, frozen=True):
    """A run that is about to be measured: what of, and where it is written.

    `lines` are those of an earlier part, `changed` what of the box is not as it was then. `known`: how long its cases
    should take.
    """

    suite: Suite
    header: RunHeader
    prepared: dict[str, Prepared | Missing]
    verified: list[Verified]
    log: store.Log
    lines: list[store.Line]
    folder: Path
    budget_s: float
    known: Durations
    changed: dict[str, tuple[object, object]] = {}


class Duration(click.ParamType[float]):
    """`90s`, `10m`, `2h`."""

    name = "duration"

    def convert(self, value: object, param: click.Parameter | None, context: click.Context | None) -> float:
        text = str(value)
        try:
            seconds = float(text[:-1]) * {"s": 1, "m": 60, "h": 3600}[text[-1:]]
        except (ValueError, KeyError):
            self.fail(f"{text!r} is not a duration; write 90s, 10m or 2h", param, context)
        if not 0 < seconds < math.inf:
            self.fail(f"{text!r} is no time that passes; write 90s, 10m or 2h", param, context)
        return seconds


@click.command("run")
@selecting
@click.option(
    "--budget", type=Duration(), metavar="10m", help="Stop before this much time has been used; by default the profile's budget."
)
@click.option("--seed", type=int, help="Seed for the order of the cases; random by default, and stored in the run.")
@click.option(
    "--resume",
    metavar="RUN",
    shell_complete=complete.runs,
    help="Continue an interrupted run (its folder or name) or, with a larger --budget, one that ran out of time.",
)
@click.option(
    "--beside",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="CHECKOUT",
    help="Measure a second checkout as well, in turns workload by workload, so that `compare` can pair the two runs.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Create the run's folder here; by default in results/<box>.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Print the cases of the first block in order and say how long a run should take; build and measure nothing.",
)
@click.option("--priority", is_flag=True, help="Raise the scheduling priority of the programs, where this machine allows it.")
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout: the folders of the runs or, with --dry-run, the plan.")
@click.pass_context
def run_command(
    context: click.Context,
    chosen: plan.Selection,
    budget: float | None,
    seed: int | None,
    resume: str | None,
    beside: Path | None,
    out: Path | None,
    dry_run: bool,
    priority: bool,
    as_json: bool,
) -> int:
    """Measure. Prints the folder of the run, or of both; what they found is said on stderr, as all of its progress."""
    if resume is not None:
        _refuse_with_resume(context)
    suite = manifest.load_suite(find_root())
    seed = random.randrange(2**32) if seed is None else seed
    if dry_run:
        _print_order(suite, ready.foreseen(suite, chosen, seed), budget, as_json)
        return 0
    with only_run():  # held from the first build on: what is compiled beside a run is measured with it
        if resume is not None:
            return _resume(suite, resume, budget, as_json)
        suites = [suite] if beside is None else [suite, manifest.load_suite(beside.resolve())]
        planned = [ready.planned(one, chosen, seed) for one in suites]
        budget_s = budget or PROFILE[chosen.profile].budget_s
        known = [known_durations(one, made) for one, (made, _) in zip(suites, planned, strict=True)]
        _say_estimate(estimate([made for made, _ in planned], known, budget_s))
        share = budget_s / len(suites)
        facts = _box(examine(), priority)
        folder = _run_folder(out or suite.root / "results" / str(facts["name"]), chosen.profile)
        folders = [folder, folder.with_name(f"{folder.name}-beside")][: len(suites)]
        with ExitStack() as logs:
            runs = []
            for one, (made, prepared), place, durations in zip(suites, planned, folders, known, strict=True):
                verified = ready.verified(one, made, prepared)
                header = begin.header(one, made, prepared, verified, facts, place.name, ready.helpers(one, made), share)
                log = logs.enter_context(closing(store.create(place, header)))
                runs.append(Run(one, header, prepared, verified, log, [], place, share, durations))
            sessions = _execute(runs)
        return _end(runs, sessions, as_json)


def _box(seen: Report, priority: bool) -> dict[str, Any]:
    """What a run keeps of its box: the facts, and what `doctor` warns of."""
    return seen.box | {"warnings": lasting(seen)} | ({"priority": scheduling.enable(say)} if priority else {})


def _print_order(suite: Suite, made: Plan, budget: float | None, as_json: bool) -> None:
    budget_s = budget or PROFILE[made.profile].budget_s
    order, told = plan.block_order(made, 0), estimate([made], [known_durations(suite, made)], budget_s)
    click.echo(msgspec.json.encode({"order": order, "plan": made, "estimate": told}) if as_json else "\n".join(order))
    _say_estimate(told)


def _say_estimate(told: Estimate) -> None:
    for line in told.lines():
        say(line)


def _refuse_with_resume(context: click.Context) -> None:
    """A resumed run is the one that was begun: an option that asks for another would be ignored."""
    given = [
        option.opts[0]
        for option in context.command.params
        if option.name not in ("resume", "budget", "as_json")
        and context.get_parameter_source(option.name or "") is not ParameterSource.DEFAULT
    ]
    if given:
        raise UserError(
            f"--resume goes on with the run as it was begun: leave out {', '.join(given)} (only --budget may be given)"
        )


def _resume(suite: Suite, name: str, budget: float | None, as_json: bool) -> int:
    named = Path(name)
    folder = named if named.is_absolute() or named.is_dir() else find_run(suite.root, name)
    run = store.read(folder)
    for warning in run.warnings:
        say(warning)
    resuming.check_unfinished(run, budget)
    resuming.check_known(run.header, suite)
    made = run.header.plan
    prepared = prepare(suite, [runtime for runtime, _ in begin.pairs(made)], say)
    facts = box_facts() | ({"priority": scheduling.enable(say)} if "priority" in run.header.box else {})
    now = begin.header(suite, made, prepared, [], facts, run.header.run, ready.helpers(suite, made))
    resuming.check_same(run.header, now)
    changed = changes(run.header.box, now.box)
    for fact, (before, after) in changed.items():
        say(f"WARNING: {fact} of this box was {before!r} when the run began and is {after!r} now; the run will say so")
    verified = ready.verified(suite, made, prepared)
    budget_s = budget or resuming.budget_s(run)
    with closing(store.reopen(run)) as log:
        known = known_durations(suite, made)
        _say_rest(run, known, budget_s)
        runs = [Run(suite, run.header, prepared, verified, log, run.lines, folder, budget_s, known, changed)]
        sessions = _execute(runs)
    return _end(runs, sessions, as_json)


def _say_rest(run: store.Run, known: Durations, budget_s: float) -> None:
    """What a run that goes on has before it."""
    made, complete = run.header.plan, _complete(run.lines)
    forecast = Forecast(made, PROFILE[made.profile], known, complete)
    blocks, left_s = forecast.left(complete, made.cases, budget_s - resuming.spent(run.lines))
    say(f"goes on with block {complete + 1} of {blocks}: about {progress.human(left_s)} left")


def _complete(lines: list[store.Line]) -> int:
    """The blocks that are done."""
    return sum(isinstance(line, store.Mark) and line.event == "block-complete" for line in lines)


def _execute(runs: list[Run]) -> list[Session]:
    """Measures the runs, in turns where there are several."""
    mark = begin.token()
    with Watchdog(mark), closing(progress.chosen()) as shown:
        sessions = [_session(run, mark, shown, len(runs)) for run in runs]
        try:
            for session, run in zip(sessions, runs, strict=True):
                _open(session, run, mark)
            reason = execute(sessions)
        except KeyboardInterrupt:
            say("Interrupted. Completed measurements are saved; resume with:")
            for run in runs:
                say(f"  {called()} run --resume {nearby(run.folder)}")
            raise
        finally:
            sweep(mark)
    say(f"finished: {reason}")
    return sessions


def _end(runs: list[Run], sessions: list[Session], as_json: bool) -> int:
    """Everything is measured: packs the logs, shows what they hold, and prints where they lie."""
    measured = [
        store.Run(folder=run.folder, header=run.header, lines=session.lines, warnings=[])
        for run, session in zip(runs, sessions, strict=True)
    ]
    for run in measured:
        store.pack(run.folder)
        for line in ending.lines(run, runs[0].suite.root):
            say(line)
    folders = [str(run.folder) for run in runs]
    click.echo(msgspec.json.encode({"runs": folders}) if as_json else "\n".join(folders))
    return 1 if any(map(_has_lost_a_case, measured)) or any(ready.is_broken(run.prepared) for run in runs) else 0


def _has_lost_a_case(run: store.Run) -> bool:
    """Whether a case failed each time. One that failed in a block and gave numbers in others has a flag that says so."""
    measured = {invocation.case for invocation in run.invocations}
    return any(failure.case not in measured for failure in run.failures)


def _session(run: Run, mark: str, shown: progress.Plain, sides: int) -> Session:
    planned = begin.pairs(run.header.plan)
    pairs = [*planned, *controls.null_programs(run.suite, dict.fromkeys(runtime for runtime, _ in planned))]
    profile = PROFILE[run.header.plan.profile]
    return Session(
        plan=run.header.plan,
        profile=profile,
        budget_s=run.budget_s,
        programs=ready.programs(run.suite, pairs, run.prepared, mark),
        log=run.log,
        lines=run.lines,
        decide=_decide(run.header),
        progress=shown,
        forecast=Forecast(run.header.plan, profile, run.known, _complete(run.lines)),
        sides=sides,
        spent_s=resuming.spent(run.lines),
    )


def _open(session: Session, run: Run, mark: str) -> None:
    """What a run's log begins with, or that it goes on."""
    if session.lines:
        session.mark("resumed", values={"budget_s": run.budget_s, **({"box": run.changed} if run.changed else {})})
    with session.counted():
        first = () if session.lines else controls.wake_ups(mark, run.suite.root)
    for line in [*begin.refused(run.suite.root, run.header.plan, run.verified, session.lines), *first]:
        session.append(line)


def _decide(header: RunHeader) -> Decide:
    """Statistics reach the run loop as a function, asked only between blocks."""
    from corobench.statistics.stop import decide  # noqa: PLC0415  the measuring half doesn't hold it otherwise

    return decide(header)


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


COMMANDS = [run_command]
