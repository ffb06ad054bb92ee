"""`run` and `verify`: the measuring half, as a pipeline."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec
from click.core import ParameterSource

from corobench import plan
from corobench.cli import called, completion, find_root, nearby, progress, say, selecting, setup
from corobench.cli.progress import human, too_short
from corobench.cli.report import find_run, this_box
from corobench.errors import RunFailed, UserError
from corobench.execute import begin, controls, process, verify
from corobench.execute.forecast import Basis, Durations, Forecast, durations
from corobench.execute.program import Program, track_cpus
from corobench.execute.server import server_cpus
from corobench.execute.session import Decide, Session, execute
from corobench.execute.verify import Verified
from corobench.execute.watchdog import Watchdog, sweep
from corobench.locks import no_run, only_run
from corobench.machine.doctor import Report, examine, lasting
from corobench.machine.facts import box_facts, changes
from corobench.plan import PROFILE, Plan, Selection
from corobench.results import log
from corobench.results.log import Line, Log, RunHeader, create, read, reopen
from corobench.suite import load
from corobench.suite.runtime import Suite
from corobench.suite.workload import TWIN, Value, parse_case
from corobench.toolchains.prepare import prepare
from corobench.toolchains.provision import helper, out_of_reach
from corobench.toolchains.tools import Missing, MissingTool, Prepared, Tool


def prepare_plan(
    suite: Suite, chosen: Selection, seed: int
) -> tuple[Plan, dict[str, Prepared | Missing]]:
    """The plan of a run, and its runtimes, which are made where they are not ready."""
    prepared = prepare(suite, setup.needed(suite, chosen), say)
    missing = {name: found for name, found in prepared.items() if isinstance(found, Missing)}
    return _plan(suite, chosen, seed, missing, setup.missing_tools(suite, chosen)), prepared


def foresee_plan(suite: Suite, chosen: Selection, seed: int) -> Plan:
    """The plan of a run as far as it can be told beside another one: nothing is made, so nobody
    knows which builds would fail.
    """
    runtimes = [suite.runtimes[name] for name in setup.needed(suite, chosen)]
    tools = setup.missing_tools(suite, chosen, fetch="never")
    return _plan(suite, chosen, seed, out_of_reach(suite, runtimes, say), tools)


def _plan(
    suite: Suite,
    chosen: Selection,
    seed: int,
    missing: Mapping[str, Missing | MissingTool],
    tools: Mapping[str, MissingTool],
) -> Plan:
    """The plan without the runtimes and the tools of workloads that can't be had, each told in a
    line.
    """
    for line in setup.gap_lines({**tools, **missing}):
        say(line)
    told = {name: f"{found.reason}; {found.help}" for name, found in {**tools, **missing}.items()}
    unmeasurable = {
        name: told[tool]
        for name, spec in suite.workloads.items()
        for tool in spec.tools
        if tool in tools
    }
    return plan.make_plan(
        suite,
        chosen,
        seed,
        {name: told[name] for name in missing},
        server_cpus(),
        unmeasurable,
        len(track_cpus("all-cpus")),
    )


def memory_file(suite: Suite) -> Path:
    return suite.root / ".build" / "verified.json"


def planned_programs(
    suite: Suite, pairs: list[begin.Key], prepared: dict[str, Prepared | Missing], mark: str
) -> dict[begin.Key, Program]:
    names = dict.fromkeys(name for _, workload in pairs for name in suite.workloads[workload].tools)
    return begin.programs(
        suite,
        prepared,
        pairs,
        mark,
        {name: tool.path for name, tool in _tools(suite, names).items()},
    )


def _tools(suite: Suite, names: Iterable[str]) -> dict[str, Tool]:
    return {name: tool for name in names if isinstance(tool := helper(suite, name, say), Tool)}


def helper_tools(suite: Suite, made: Plan) -> dict[str, Tool]:
    return _tools(suite, begin.helpers(suite, made))


def verify_plan(
    suite: Suite, made: Plan, prepared: dict[str, Prepared | Missing]
) -> list[Verified]:
    mark = begin.token()
    with Watchdog(mark):
        work = begin.jobs(
            suite,
            made.profile,
            prepared,
            planned_programs(suite, begin.pairs(made), prepared, mark),
        )
        return verify.verify(
            work, verify.Memory(memory_file(suite)), _say_verified, lambda: sweep(mark)
        )


def _say_verified(result: Verified) -> None:
    for problem in result.problems:
        say(f"REJECTED {problem}")
    if not result.remembered and not result.problems:
        say(f"verified {result.name}")


def is_broken(prepared: dict[str, Prepared | Missing]) -> bool:
    return any(isinstance(found, Missing) and found.broken for found in prepared.values())


_NAMED = 8  # names of a list that are said
_SOURCES = {
    "this box": "earlier runs on this box",
    "another box": "runs on another box, since none here has them",
    "like cases": "other cases of their workloads",
    "specs": "the nominal durations of their specs",
}


class Estimate(Value, frozen=True, kw_only=True):
    """`cases` are those of a block, A/A controls included; `blocks` the fewest and the most, unless
    the budget ends before.

    `block_s` and `least_s`: seconds of a block, and until the fewest blocks are done. `basis`: what
    these two rest on.
    """

    profile: str
    runtimes: list[str]
    workloads: list[str]
    tracks: list[str]
    cases: int
    blocks: list[int]
    block_s: float
    least_s: float
    budget_s: float
    basis: list[Basis]

    def lines(self) -> Iterator[str]:
        """The same for a person."""
        fewest, most = self.blocks
        tracks = " and ".join(self.tracks)
        blocks = (
            _counted(most, "block")
            if fewest == most
            else f"{fewest} to {most} blocks, until the numbers are precise enough"
        )
        yield (
            f"will measure: {_counted(self.cases, 'case')} a block on {tracks}, {blocks} "
            f"(profile {self.profile})"
        )
        yield f"  {_counted(len(self.runtimes), 'runtime')}: {_listed(self.runtimes)}"
        yield f"  {_counted(len(self.workloads), 'workload')}: {_listed(self.workloads)}"
        least = "" if fewest == most else "at least "
        yield (
            f"will take: {least}about {human(self.least_s)}; it stops before the time budget of "
            f"{human(self.budget_s)} is used"
        )
        yield f"  by {'; '.join(_rests_on(self.basis))}"
        if self.least_s > self.budget_s:
            yield f"  {too_short(int(self.budget_s / self.block_s), fewest, self.least_s)}"


def known_durations(suite: Suite, made: Plan) -> Durations:
    """What the runs under the suite's results tell, those of this box first."""
    return durations(suite, made, suite.root / "results", this_box())


def estimate(plans: Sequence[Plan], known: Sequence[Durations], budget_s: float) -> Estimate:
    """Of a run, or of several that take turns and share a budget."""
    profile = PROFILE[plans[0].profile]
    forecasts = [
        Forecast(plan, profile, durations) for plan, durations in zip(plans, known, strict=True)
    ]
    cases = [parse_case(key) for plan in plans for key in plan.cases]
    return Estimate(
        profile=profile.name,
        runtimes=list(dict.fromkeys(case.runtime for case in cases)),
        workloads=list(dict.fromkeys(case.workload for case in cases)),
        tracks=list(dict.fromkeys(case.track for case in cases)),
        cases=len(cases),
        blocks=[profile.looks[0], profile.looks[-1]],
        block_s=round(sum(forecast.block_s() for forecast in forecasts), 3),
        least_s=round(sum(forecast.whole_s() for forecast in forecasts), 3),
        budget_s=budget_s,
        basis=[basis for durations in known for basis in durations.basis],
    )


def _rests_on(basis: Sequence[Basis]) -> Iterator[str]:
    for source, words in _SOURCES.items():
        of_it = sorted((one for one in basis if one.source == source), key=lambda one: -one.cases)
        if of_it:
            runs = list(dict.fromkeys(one.run for one in of_it if one.run))
            more = f" and {_counted(len(runs) - 1, 'more', 'more')}" if len(runs) > 1 else ""
            yield (
                f"{words}{f' ({runs[0]}{more})' if runs else ''}: "
                f"{_counted(sum(one.cases for one in of_it), 'case')}"
            )


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - _NAMED
    return ", ".join(names) if rest <= 1 else f"{', '.join(names[:_NAMED])} and {rest} more"


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


_WIDEST = 100


def result_lines(run: log.Run, root: Path) -> Iterator[str]:
    """What is said of a run when it has ended; `root` is the checkout."""
    from corobench.report.terminal import found  # noqa: PLC0415  not before everything is measured

    yield ""
    yield from found(run, _table_width())
    yield ""
    yield from _next_steps(run, root)


def _table_width() -> int:
    """Of the table: that of the terminal, or of a page where there is none."""
    try:
        return min(_WIDEST, os.get_terminal_size(2).columns)
    except OSError:
        return _WIDEST


def _next_steps(run: log.Run, root: Path) -> Iterator[str]:
    """Where the page will be, and a command or two."""
    from corobench.report import runs  # noqa: PLC0415

    results = root / "results"
    reported = run.folder.parent.parent == results
    name = run.folder.name if reported else nearby(run.folder)
    if reported:
        page = results / "site" / runs.place(run.folder) / "index.html"
        yield f"page: {nearby(page)}, written by `{called()} report`"
    if not run.header.claims:
        yield f"next: {called()} run --profile default    (numbers that can be quoted)"
    elif enough := begin.further_budget(run):
        yield f"next: {called()} run --resume {name} --budget {enough}    (more precise numbers)"
    measured = {invocation.case for invocation in run.invocations}
    first = next((case for case in run.header.plan.cases if case in measured), None)
    if first is not None:
        yield f"next: {called()} show {first.removesuffix(TWIN)} --run {name}    (a case in full)"


class Run(msgspec.Struct, frozen=True):
    """A run that is about to be measured: what of, and where it is written.

    `lines` are those of an earlier part, `changed` what of the box is not as it was then. `known`:
    how long its cases should take.
    """

    suite: Suite
    header: RunHeader
    prepared: dict[str, Prepared | Missing]
    verified: list[Verified]
    log: Log
    lines: list[Line]
    folder: Path
    budget_s: float
    known: Durations
    changed: dict[str, tuple[object, object]] = {}


class Duration(click.ParamType[float]):
    """`90s`, `10m`, `2h`."""

    name = "duration"

    def convert(
        self, value: object, param: click.Parameter | None, context: click.Context | None
    ) -> float:
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
    "--budget",
    type=Duration(),
    metavar="10m",
    help="Stop before this much time has been used; by default the profile's budget.",
)
@click.option(
    "--seed",
    type=int,
    help="Seed for the order of the cases; random by default, and stored in the run.",
)
@click.option(
    "--resume",
    metavar="RUN",
    shell_complete=completion.runs,
    help=(
        "Continue an interrupted run (its folder or name) or, with a larger --budget, one that "
        "ran out of time."
    ),
)
@click.option(
    "--beside",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="CHECKOUT",
    help=(
        "Measure a second checkout as well, in turns workload by workload, so that `compare` can "
        "pair the two runs."
    ),
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
    help=(
        "Print the cases of the first block in order and say how long a run should take; build "
        "and measure nothing."
    ),
)
@click.option(
    "--priority",
    is_flag=True,
    help="Raise the scheduling priority of the programs, where this machine allows it.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="JSON on stdout: the folders of the runs or, with --dry-run, the plan.",
)
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
    """Measure. Prints the folder of the run, or of both; what they found is said on stderr, as all
    of its progress.
    """
    if resume is not None:
        _refuse_with_resume(context)
    suite = load.load_suite(find_root())
    seed = random.randrange(2**32) if seed is None else seed
    if dry_run:
        _print_order(suite, foresee_plan(suite, chosen, seed), budget, as_json)
        return 0
    # held from the first build on: what is compiled beside a run is measured with it
    with only_run():
        if resume is not None:
            return _resume(suite, resume, budget, as_json)
        suites = [suite] if beside is None else [suite, load.load_suite(beside.resolve())]
        planned = [prepare_plan(one, chosen, seed) for one in suites]
        budget_s = budget or PROFILE[chosen.profile].budget_s
        known = [known_durations(one, made) for one, (made, _) in zip(suites, planned, strict=True)]
        _say_estimate(estimate([made for made, _ in planned], known, budget_s))
        share = budget_s / len(suites)
        facts = _box(examine(), priority)
        folder = _run_folder(out or suite.root / "results" / str(facts["name"]), chosen.profile)
        folders = [folder, folder.with_name(f"{folder.name}-beside")][: len(suites)]
        with ExitStack() as logs:
            runs = []
            for one, (made, prepared), place, durations in zip(
                suites, planned, folders, known, strict=True
            ):
                verified = verify_plan(one, made, prepared)
                header = begin.header(
                    one,
                    made,
                    prepared,
                    verified,
                    facts,
                    place.name,
                    helper_tools(one, made),
                    share,
                    chosen,
                )
                log = logs.enter_context(closing(create(place, header)))
                runs.append(Run(one, header, prepared, verified, log, [], place, share, durations))
            sessions = _execute(runs)
        return _end(runs, sessions, as_json)


def _box(seen: Report, priority: bool) -> dict[str, Any]:
    """What a run keeps of its box: the facts, and what `doctor` warns of."""
    return (
        seen.box
        | {"warnings": lasting(seen)}
        | ({"priority": process.enable_priority(say)} if priority else {})
    )


def _print_order(suite: Suite, made: Plan, budget: float | None, as_json: bool) -> None:
    budget_s = budget or PROFILE[made.profile].budget_s
    order, told = (
        plan.block_order(made, 0),
        estimate([made], [known_durations(suite, made)], budget_s),
    )
    click.echo(
        msgspec.json.encode({"order": order, "plan": made, "estimate": told})
        if as_json
        else "\n".join(order)
    )
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
            f"--resume goes on with the run as it was begun: leave out {', '.join(given)} (only "
            "--budget may be given)"
        )


def _resume(suite: Suite, name: str, budget: float | None, as_json: bool) -> int:
    named = Path(name)
    folder = (
        named if named.is_absolute() or named.is_dir() else find_run(suite.root / "results", name)
    )
    run = read(folder)
    for warning in run.warnings:
        say(warning)
    begin.check_unfinished(run, budget)
    made = run.header.plan
    prepared, now = ready_again(
        suite, run.header, lambda: _facts_of(run.header), "resumed", run.header.plan
    )
    changed = changes(run.header.box, now.box)
    for fact, (before, after) in changed.items():
        say(
            f"WARNING: {fact} of this box was {before!r} when the run began and is {after!r} now; "
            "the run will say so"
        )
    verified = verify_plan(suite, made, prepared)
    budget_s = budget or begin.budget_of(run)
    with closing(reopen(run)) as log:
        known = known_durations(suite, made)
        _say_rest(run, known, budget_s)
        runs = [
            Run(
                suite,
                run.header,
                prepared,
                verified,
                log,
                run.lines,
                folder,
                budget_s,
                known,
                changed,
            )
        ]
        sessions = _execute(runs)
    return _end(runs, sessions, as_json)


def _facts_of(header: RunHeader) -> dict[str, Any]:
    """Those of the box now, with the priority that the run asked for."""
    asked = "priority" in header.box
    return box_facts() | ({"priority": process.enable_priority(say)} if asked else {})


def ready_again(
    suite: Suite, header: RunHeader, facts: Callable[[], dict[str, Any]], action: str, made: Plan
) -> tuple[dict[str, Prepared | Missing], RunHeader]:
    """The runtimes of a run's plan or of a part of it (`made`), made ready once more, and what its
    header would be now. UserError where something is not as it was when the run began, so that it
    can't be `action` ("resumed").
    """
    begin.check_known(made, header.run, suite, action)
    prepared = prepare(suite, [runtime for runtime, _ in begin.pairs(made)], say)
    tools = helper_tools(suite, made)
    now = begin.header(suite, made, prepared, [], facts(), header.run, tools)
    begin.check_same(header, now, begin.helpers(suite, made), action)
    return prepared, now


def _say_rest(run: log.Run, known: Durations, budget_s: float) -> None:
    """What a run that goes on has before it."""
    made, complete = run.header.plan, run.complete
    forecast = Forecast(made, PROFILE[made.profile], known, complete)
    blocks, left_s = forecast.left(complete, made.cases, budget_s - begin.spent_s(run.lines))
    say(f"goes on with block {complete + 1} of {blocks}: about {progress.human(left_s)} left")


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
        log.Run(folder=run.folder, header=run.header, lines=session.lines, warnings=[])
        for run, session in zip(runs, sessions, strict=True)
    ]
    for run in measured:
        log.pack(run.folder)
        for line in result_lines(run, runs[0].suite.root):
            say(line)
    folders = [str(run.folder) for run in runs]
    click.echo(msgspec.json.encode({"runs": folders}) if as_json else "\n".join(folders))
    return (
        1
        if any(map(_has_lost_a_case, measured)) or any(is_broken(run.prepared) for run in runs)
        else 0
    )


def _has_lost_a_case(run: log.Run) -> bool:
    """Whether a case failed each time. One that failed in a block and gave numbers in others has a
    flag that says so.
    """
    measured = {invocation.case for invocation in run.invocations}
    return any(failure.case not in measured for failure in run.failures)


def _session(run: Run, mark: str, shown: progress.Plain, sides: int) -> Session:
    planned = begin.pairs(run.header.plan)
    pairs = [
        *planned,
        *controls.null_programs(run.suite, dict.fromkeys(runtime for runtime, _ in planned)),
    ]
    profile = PROFILE[run.header.plan.profile]
    return Session(
        plan=run.header.plan,
        profile=profile,
        budget_s=run.budget_s,
        programs=planned_programs(run.suite, pairs, run.prepared, mark),
        log=run.log,
        lines=run.lines,
        decide=_decide(run.header),
        progress=shown,
        forecast=Forecast(run.header.plan, profile, run.known, log.complete(run.lines)),
        sides=sides,
        spent_s=begin.spent_s(run.lines),
    )


def _open(session: Session, run: Run, mark: str) -> None:
    """What a run's log begins with, or that it goes on."""
    if session.lines:
        session.mark(
            "resumed",
            values={"budget_s": run.budget_s, **({"box": run.changed} if run.changed else {})},
        )
    with session.counted():
        first = () if session.lines else controls.wake_ups(mark, run.suite.root)
    for line in [
        *begin.refused(run.suite.root, run.header.plan, run.verified, session.lines),
        *first,
    ]:
        session.append(line)


def _decide(header: RunHeader) -> Decide:
    """Statistics reach the run loop as a function, asked only between blocks."""
    from corobench.statistics.stopping import decide  # noqa: PLC0415  the measuring half doesn't hold it otherwise

    return decide(header)


def _run_folder(parent: Path, profile: str) -> Path:
    """A new folder's path under `parent`, which is known to be writable before anything is
    measured.
    """
    try:
        parent.mkdir(parents=True, exist_ok=True)
        probe = parent / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise RunFailed(
            f"{parent}: results can't be written there: {error.strerror}; choose another "
            "folder with --out"
        ) from error
    name = f"{datetime.now(UTC):%Y-%m-%dT%H%M%S}-{profile}"
    return parent / name


@click.command("verify")
@selecting
@click.option("--fresh", is_flag=True, help="Verify again what is known to be right.")
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
def verify_command(chosen: plan.Selection, fresh: bool, as_json: bool) -> int:
    """Run every program small and traced, and hold it to its spec."""
    suite = load.load_suite(find_root())
    with no_run("verify"):
        made, prepared = prepare_plan(suite, chosen, seed=0)
        if fresh:
            memory_file(suite).unlink(missing_ok=True)
        results = verify_plan(suite, made, prepared)
    if as_json:
        click.echo(msgspec.json.encode(results))
    bad = [result for result in results if result.problems]
    say(f"verify: {len(results) - len(bad)} of {len(results)} programs do what their specs ask")
    return 1 if bad or is_broken(prepared) else 0
