"""Slurm: sbatch, squeue, scancel and sinfo, as they are installed; no database is asked. And the
configuration of a cluster that measures, as files that an operator reads and installs.

Read by --format and not as JSON, which has another shape in each release (22.05 gives a state as a
text, 23.02 as a list, and nests what sinfo says); the formats are the same since long.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Collection, Iterator, Mapping
from math import ceil
from pathlib import Path
from typing import Literal

import msgspec

from corobench.commands import run_tool
from corobench.errors import RunFailed, UserError
from corobench.fleet.box import RESTARTS
from corobench.fleet.campaign import Campaign, Job
from corobench.fleet.engines import Box, Live, script
from corobench.suite.workload import Value

_TIMEOUT_S = 30.0  # a command waits for a controller that is gone, each for itself
_PREFIX = "corobench:"
_PATH = "/usr/local/bin:/usr/bin:/bin"
_RUNNING = {"RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT"}
# of a pending job that waits for a person
_HELD = {"JobHeldAdmin", "JobHeldUser", "BadConstraints", "launch failed requeued held"}


class Settings(Value, frozen=True, kw_only=True):
    """The [engine] of a campaign. `conf`: the slurm.conf, where it isn't the system's; `output`:
    what a job said, on its box.
    """

    name: str
    partition: str = ""
    conf: str = ""
    account: str = ""
    output: str = "/tmp/corobench-%j.out"  # noqa: S108  Slurm opens it as the job's own user


class Slurm:
    def __init__(self, campaign: Campaign, settings: Settings) -> None:
        self._campaign = campaign
        self._settings = settings
        self._names = f"{_PREFIX}{campaign.name}:"

    def live(self) -> Mapping[str, Live]:
        lines = self._call("squeue", "--noheader", "--me", "--format=%j|%i|%T|%N|%r")
        return {key: live for line in lines if (found := self._read(line)) for key, live in [found]}

    def _read(self, line: str) -> tuple[str, Live] | None:
        """A line of squeue; None for one that isn't the campaign's."""
        name, number, state, box, reason = line.split("|", 4)
        if not name.startswith(self._names):
            return None
        told: Literal["queued", "running", "held"] = (
            "running" if state in _RUNNING else "held" if reason in _HELD else "queued"
        )
        live = Live(id=number, state=told, box=box, reason="" if reason == "None" else reason)
        return name.removeprefix(self._names), live

    def submit(self, job: Job) -> str:
        """`singleton` lets one of a name run at a time, so that what is submitted twice at once
        waits instead of measuring beside itself.
        """
        chosen = {
            "job-name": self._names + job.key,
            "nodes": 1,
            "constraint": job.box_class,
            "dependency": "singleton",
            "time": ceil(job.limit_s / 60),
            # not NONE, with which Slurm runs a login shell of the user first
            "export": f"PATH={_PATH}",
            "chdir": "/",
            "output": self._settings.output,
            **({"partition": self._settings.partition} if self._settings.partition else {}),
            **({"account": self._settings.account} if self._settings.account else {}),
        }
        restarts = f"{RESTARTS}=${{SLURM_RESTART_COUNT:-0}}"
        with tempfile.NamedTemporaryFile("w", suffix=".sh") as file:
            file.write(script(self._campaign, job, restarts))
            file.flush()
            options = [f"--{name}={value}" for name, value in chosen.items()]
            said = self._call(
                "sbatch", "--parsable", "--exclusive", "--requeue", *options, file.name
            )
        return said[-1].partition(";")[0]

    def cancel(self, keys: Collection[str]) -> None:
        if numbers := [live.id for key, live in self.live().items() if key in keys]:
            self._call("scancel", *numbers)

    def boxes(self) -> list[Box]:
        """One line a box and partition: a box of several is named once."""
        found = {}
        for line in self._call("sinfo", "--noheader", "--Node", "--format=%N|%T|%f|%E"):
            name, state, classes, reason = line.split("|", 3)
            silent = "does not answer" if state.endswith("*") else ""
            found[name] = Box(
                name=name,
                classes=[] if classes == "(null)" else classes.split(","),
                state=state.rstrip("*"),
                reason=silent if reason == "none" else reason,
            )
        return list(found.values())

    def _call(self, name: str, *arguments: str) -> list[str]:
        """The lines of a command. RunFailed, with what it said, where it failed or took too
        long.
        """
        env = dict(os.environ)
        if self._settings.conf:
            env["SLURM_CONF"] = self._settings.conf
        done = run_tool([name, *arguments], Path("/"), env, timeout_s=_TIMEOUT_S)
        if not done.ok:
            said = "; ".join(_told(done.errors))
            told = done.reason if done.exit_status == 127 or not said else said
            raise RunFailed(f"Slurm: {told}")
        return [line for line in done.output.splitlines() if line.strip()]


def _told(errors: str) -> Iterator[str]:
    """What a Slurm command complained of, without its own name before each line."""
    for line in errors.splitlines():
        if line.strip():
            yield line.partition(": error: ")[2] or line


def engine(campaign: Campaign) -> Slurm:
    try:
        return Slurm(campaign, msgspec.convert(campaign.engine, Settings))
    except msgspec.ValidationError as error:
        raise UserError(f"{campaign.file}: engine: {error}") from error


_TEMPLATES = Path(__file__).parents[1] / "slurm"
_PROGRAMS = {"prolog", "epilog", "health"}
_PLAIN = re.compile(r"[A-Za-z0-9._\[\],-]+")


class Site(Value, frozen=True, kw_only=True):
    """Where a configuration is for. `user` measures; `folder` holds the files, and that of the
    campaign, on each box.

    `become` starts a command as the user; `processes` lists what that user has running, a line each
    with a state as of ps, a number and a name.
    """

    controller: str
    user: str = "corobench"
    folder: str = "/etc/slurm"
    path: str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    become: str = "runuser -u {user} --"
    processes: str = "ps -u {user} -o stat=,pid=,comm="


def write_configuration(campaign: Campaign, site: Site, out: Path) -> list[Path]:
    """The files that were written; nothing is applied. UserError for a box class of which the queue
    must know more.
    """
    import jinja2  # noqa: PLC0415  no other command of a campaign needs it

    for name, box in campaign.boxes.items():
        for key, known in (
            ("hosts", bool(_PLAIN.fullmatch(box.hosts))),
            ("cpus", box.cpus > 0),
            ("memory_mb", box.memory_mb > 0),
        ):
            if not known:
                raise UserError(
                    f"{campaign.file}: boxes.{name}.{key}: a configuration needs it; "
                    "`slurmd -C` on the box says its CPUs and memory, and hosts are as "
                    "bench[01-10]"
                )
    for option, value in (("--controller", site.controller), ("--user", site.user)):
        if not _PLAIN.fullmatch(value):
            raise UserError(f"{option}: {value!r} is no name")
    found = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  no HTML; names are checked, the rest is quoted for a shell
    )
    found.filters["quoted"] = shlex.quote
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for template in sorted(_TEMPLATES.glob("[!_]*.j2")):
        file = out / template.stem
        text = found.get_template(template.name).render(
            campaign=campaign,
            site=site,
            become=site.become.format(user=site.user),
            processes=site.processes.format(user=site.user),
        )
        file.write_text(text)
        file.chmod(0o755 if file.name in _PROGRAMS else 0o644)
        written.append(file)
    return written
