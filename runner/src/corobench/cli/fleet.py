"""`fleet`: campaigns over many boxes, from the client, on a box, and at the collector."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from corobench import plan
from corobench.cli import called, find_results, find_root, results_option, say
from corobench.cli.progress import human
from corobench.errors import RunFailed, UserError
from corobench.fleet import attempt, box, engines
from corobench.fleet.campaign import Job, jobs, load_campaign
from corobench.fleet.engines import local, slurm
from corobench.fleet.reconcile import Fleet, State
from corobench.results import publishable
from corobench.results.log import read
from corobench.suite import load

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)
campaign_argument = click.argument("campaign", type=_FILE, metavar="CAMPAIGN.toml")
json_option = click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
outbox_option = click.option(
    "--outbox", type=_FOLDER, required=True, metavar="FOLDER", help="Where sealed attempts wait."
)


@click.group("fleet")
def fleet_command() -> None:
    """Measure a campaign on many boxes, over a queue that exists already (docs/fleet.md)."""


def _fleet(file: Path) -> Fleet:
    campaign = load_campaign(file)
    return Fleet(campaign, engines.find(campaign), say)


@fleet_command.command("plan")
@campaign_argument
@json_option
def plan_command(campaign: Path, as_json: bool) -> int:
    """Say which runs a campaign asks for, and at most how long each class of boxes is busy."""
    found = load_campaign(campaign)
    engines.find(found)
    asked = jobs(found)
    suite = load.load_suite(find_root())
    for measure in found.measure:
        plan.make_plan(suite, measure.selection, 0)
    if as_json:
        click.echo(msgspec.json.encode(asked))
        return 0
    for key, job in asked.items():
        click.echo(f"{key}  {job.title}")
    for name in found.boxes:
        own = [job for job in asked.values() if job.box_class == name]
        hours = human(sum(job.budget_s for job in own))
        say(f"{name}: {len(own)} runs, at most {hours} of one box (without builds)")
    return 0


@fleet_command.command("submit")
@campaign_argument
@click.option("--again", is_flag=True, help="Also what failed, or was submitted too often.")
@json_option
def submit_command(campaign: Path, again: bool, as_json: bool) -> int:
    """Submit what is neither there nor under way; a second time it submits nothing twice."""
    return _show(_fleet(campaign).submit(again=again), as_json)


@fleet_command.command("status")
@campaign_argument
@json_option
def status_command(campaign: Path, as_json: bool) -> int:
    """Say where each run stands. Submits nothing."""
    return _show(_fleet(campaign).states(), as_json)


@fleet_command.command("run")
@campaign_argument
@click.option(
    "--every", default=30.0, show_default=True, metavar="S", help="Seconds between looks."
)
@results_option
def run_command(campaign: Path, every: float, named: Path | None) -> int:
    """Submit, wait and collect until every run has ended. It may be ended at any moment: the next
    one goes on.
    """
    fleet, results, told = _fleet(campaign), _results(named), ""
    while True:
        try:
            states = fleet.submit()
        except RunFailed as error:
            say(f"{error}; nothing is submitted until the queue answers")
        else:
            line = _line(states)
            if line != told:
                say(line)
            told = line
            if all(state.ended for state in states):
                return _collect(fleet, results)
        time.sleep(every)


@fleet_command.command("collect")
@campaign_argument
@results_option
def collect_command(campaign: Path, named: Path | None) -> int:
    """Put what came home into the results, and write which runs are of the campaign."""
    return _collect(_fleet(campaign), _results(named))


def _results(named: Path | None) -> Path:
    """Asked before anything is measured. A folder that is named may be a new one."""
    return find_results() if named is None else named.resolve()


def _collect(fleet: Fleet, results: Path) -> int:
    found = fleet.collect(results)
    for one in found:
        if one.run:
            click.echo(results / one.run)
            wrong = publishable.problems(read(results / one.run))
            for problem in wrong[:1]:
                more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
                say(f"{one.run}: not fit to be published: {problem}{more}")
        else:
            say(f"{one.key}: {one.word}{f': {one.reason}' if one.reason else ''}")
        for reason in one.refused:
            say(f"{one.key}: an attempt does not count: {reason}")
    say(f"next: {called()} report")
    return 0 if all(one.run for one in found) else 1


@fleet_command.command("cancel")
@campaign_argument
def cancel_command(campaign: Path) -> int:
    """End what is queued or running; what came home stays."""
    for key in _fleet(campaign).cancel():
        click.echo(key)
    return 0


@fleet_command.command("boxes")
@campaign_argument
def boxes_command(campaign: Path) -> int:
    """List the boxes of the queue, their classes, and why one takes no jobs."""
    found = load_campaign(campaign)
    for one in engines.find(found).boxes():
        classes = ",".join(one.classes) or "-"
        click.echo(f"{one.name:20} {classes:20} {one.state:12} {one.reason}".rstrip())
    return 0


@fleet_command.command("config")
@campaign_argument
@click.option("--controller", required=True, metavar="HOST", help="Where slurmctld runs.")
@click.option(
    "--out", type=_FOLDER, required=True, metavar="FOLDER", help="Where the files are written."
)
@click.option(
    "--user", default="corobench", show_default=True, help="Who measures: no root, no sudo."
)
def config_command(campaign: Path, controller: str, out: Path, user: str) -> int:
    """Write a Slurm configuration for the boxes of a campaign: slurm.conf, cgroup.conf, and what a
    box does before, after and between jobs.
    """
    site = slurm.Site(controller=controller, user=user)
    for file in slurm.write_configuration(load_campaign(campaign), site, out):
        click.echo(file)
    return 0


@fleet_command.command("qualify")
@campaign_argument
@click.option("--class", "name", required=True, metavar="CLASS", help="The box class of this box.")
@outbox_option
def qualify_command(campaign: Path, name: str, outbox: Path) -> int:
    """Say why this box must not measure now. Exit status 1 takes it out of the queue."""
    found = load_campaign(campaign)
    if name not in found.boxes:
        raise UserError(f"{campaign}: no box class {name!r}; known: {', '.join(found.boxes)}")
    kind = found.boxes[name]
    with box.alone(outbox, say):
        reasons = box.unfit(
            box.look(), found.commit, kind.facts, kind.tolerates, find_root(), outbox
        )
    for reason in reasons:
        click.echo(reason)
    return 1 if reasons else 0


@fleet_command.command("job", hidden=True)
@outbox_option
@click.option("--deliver", required=True, metavar="COMMAND")
def job_command(outbox: Path, deliver: str) -> int:
    """Measure the job on stdin, seal and deliver it: what a queue starts on a box."""
    try:
        job = msgspec.json.decode(sys.stdin.buffer.read(), type=Job)
    except msgspec.DecodeError as error:
        raise UserError(f"stdin holds no job: {error}") from error
    return box.work(job, find_root(), outbox.resolve(), deliver, say)


@fleet_command.command("deliver")
@outbox_option
@click.option("--deliver", required=True, metavar="COMMAND", help="What an attempt is piped into.")
def deliver_command(outbox: Path, deliver: str) -> int:
    """Send what waits in the outbox of this box. For the queue to call while the box is idle."""
    with box.alone(outbox.resolve(), None):
        return 1 if box.deliver_all(outbox.resolve(), deliver, say) else 0


@fleet_command.command("receive")
@click.argument("inbox", type=_FOLDER)
def receive_command(inbox: Path) -> int:
    """Store one attempt from stdin: the forced command of an ssh key that may do nothing else."""
    inbox.mkdir(parents=True, exist_ok=True)
    click.echo(attempt.receive(sys.stdin.buffer, inbox.resolve()))
    return 0


@fleet_command.command("worker", hidden=True)
@click.option("--wait-s", type=float, required=True)
@click.argument("folder", type=_FOLDER)
def worker_command(folder: Path, wait_s: float) -> int:
    """Take the jobs of the local queue one after another."""
    local.work(folder, wait_s, say)
    return 0


def _show(states: list[State], as_json: bool) -> int:
    if as_json:
        click.echo(msgspec.json.encode(states))
        return 0
    for state in states:
        click.echo(" ".join(_words(state)).rstrip())
    say(_line(states))
    return 0


def _words(state: State) -> Iterator[str]:
    yield f"{state.key}  {state.word:9}"
    yield state.job.title
    if state.box:
        yield f"({state.box})"
    if state.reason:
        yield f": {state.reason}"
    for place, reason in state.refused.items():
        yield f"; attempt {place[:8]} does not count: {reason}"


def _line(states: list[State]) -> str:
    counted = Counter(state.word for state in states)
    parts = [f"{n} {word}{_why(states, word)}" for word, n in counted.items()]
    return f"{len(states)} runs: {', '.join(parts)}"


def _why(states: list[State], word: str) -> str:
    """What those wait for that a queue holds, each reason once."""
    if word not in ("queued", "held"):
        return ""
    reasons = dict.fromkeys(one.reason for one in states if one.word == word and one.reason)
    return f" ({'; '.join(reasons)})" if reasons else ""
