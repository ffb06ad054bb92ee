"""A campaign over planted boxes: a small checkout whose one runtime is measured in a second, and the
command by which every box calls it.
"""

from __future__ import annotations

import io
import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal

import msgspec
import planted
import report_runs
from checkouts import REPOSITORY

from corobench.errors import RunFailed
from corobench.fleet import attempt
from corobench.fleet.attempt import Attempt
from corobench.fleet.campaign import SPEED, Campaign, Job, jobs, load_campaign
from corobench.fleet.engines import Box, Live
from corobench.machine.doctor import CHECKS
from corobench.results import log
from corobench.toolchains.tools import uv

COROBENCH = """#!/bin/sh
# Each box has an outbox, a lock and a name of its own, though all are on one machine.
box=${{SLURMD_NODENAME:-${{COROBENCH_BOX:-testbox}}}}
for word; do
	case $word in {outbox}) word={outbox}/$box ;; esac
	set -- "$@" "$word"
	shift
done
export COROBENCH_ROOT={root} COROBENCH_BOX="$box" COROBENCH_LOCK={root}/lock.$box PYTHONPATH={source}
export COROBENCH_UV={uv}
exec {python} -P -m corobench "$@"
"""


def checkout(root: Path) -> str:
    """A clean checkout under `root` with one planted runtime and its own .venv/bin/corobench; its
    commit.
    """
    planted.plant(root, {"spawn": planted.honest("spawn")})
    planted.shorten(root)
    (root / ".gitignore").write_text(".venv\n.build\n.toolchain\n.corobench\nlock*\nresults\n")
    command = root / ".venv/bin/corobench"
    command.parent.mkdir(parents=True)
    command.write_text(
        COROBENCH.format(
            root=shlex.quote(str(root)),
            outbox=root.parent / "outbox",
            source=REPOSITORY / "runner/src",
            python=sys.executable,
            uv=uv(REPOSITORY),
        )
    )
    command.chmod(0o755)
    name = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    for words in (("init", "-q"), ("add", "-A"), (*name, "commit", "-q", "-m", "planted")):
        subprocess.run(["git", *words], cwd=root, check=True)
    told = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=root, check=True, capture_output=True, text=True
    )
    return told.stdout.strip()


def write(
    folder: Path,
    commit: str,
    engine: dict[str, str],
    classes: tuple[str, ...] = ("classa",),
    repetitions: int = 1,
    deliver: str = "",
    patience_s: float = 60.0,
    hosts: Mapping[str, str] | None = None,
    **box: object,
) -> Campaign:
    """A campaign file in `folder`, whose boxes are the checkout in `folder/checkout`; as loaded."""
    lines = ['title = "Planted boxes"', f'commit = "{commit}"', f"deliver = {json.dumps(deliver)}"]
    lines += [f"patience_s = {patience_s}"]
    lines += ["[engine]", *(f"{name} = {json.dumps(value)}" for name, value in engine.items())]
    for name in classes:
        settings = {
            "checkout": str(folder / "checkout"),
            "outbox": str(folder / "outbox"),
            "tolerates": [*CHECKS, SPEED],
            **({"hosts": hosts[name]} if hosts else {}),
            **box,
        }
        lines += [f"[boxes.{name}]", *(f"{k} = {json.dumps(v)}" for k, v in settings.items())]
    lines += ["[[measure]]", 'profile = "smoke"', f"repetitions = {repetitions}"]
    file = folder / "planted.toml"
    file.write_text("\n".join(lines) + "\n")
    return load_campaign(file)


AT = "2026-01-01T10:00:00.000+00:00"


def job_of(tmp_path: Path, **facts: object) -> Job:
    campaign = write(tmp_path, "a" * 40, {"name": "local"}, **facts)
    return next(iter(jobs(campaign).values()))


def sealed(
    folder: Path,
    job: Job,
    outcome: Literal["measured", "failed"] = "measured",
    at: str = AT,
    name: str = "run-1",
    box: str | None = None,
    made: Path | None = None,
) -> Attempt:
    """An attempt as a box seals it, with a run that the job asked for: one of three blocks, or a
    copy of that in `made`. `box`: its name, where it matters.
    """
    run = folder / attempt.RUN / name
    if made is None:
        report_runs.write(run, blocks=3)
    else:
        shutil.copytree(made, run)
    header = log.read_header(run)
    own = msgspec.structs.replace(
        header,
        run=name,
        commit=job.commit,
        selection=job.selection,
        plan=msgspec.structs.replace(header.plan, seed=job.seed),
        box={**header.box, "class": job.box_class, **({"name": box} if box else {})},
    )
    (run / "run.json").write_bytes(msgspec.json.encode(own))
    (folder / attempt.LOG).write_text("measured\n")
    of_it = Attempt(
        id=attempt.new_id(), job=job, box=own.box, started=AT, sealed=at, outcome=outcome
    )
    attempt.seal(folder, of_it)
    return of_it


def sent(folder: Path) -> io.BytesIO:
    stream = io.BytesIO()
    attempt.send(folder, stream)
    stream.seek(0)
    return stream


class Queue:
    """An engine that keeps what it is given until a test takes it away."""

    def __init__(self) -> None:
        self.there: dict[str, Live] = {}
        self.submitted: list[Job] = []
        self.reachable = True

    def live(self) -> Mapping[str, Live]:
        if not self.reachable:
            raise RunFailed("Slurm: the controller does not answer")
        return self.there

    def submit(self, job: Job) -> str:
        self.submitted.append(job)
        self.there[job.key] = Live(id=str(len(self.submitted)), state="queued")
        return self.there[job.key].id

    def cancel(self, keys: Collection[str]) -> None:
        for key in keys:
            del self.there[key]

    def boxes(self) -> list[Box]:
        return []
