"""The queues that a campaign may use, behind four verbs; each is a module here and nothing else.

A queue says what is under way. It never says that a result is there: the collector does.
"""

from __future__ import annotations

import importlib
import pkgutil
import shlex
import sys
from collections.abc import Collection, Mapping
from typing import Literal, Protocol

import msgspec

from corobench.errors import UserError, unknown
from corobench.fleet.campaign import Campaign, Job
from corobench.suite.workload import Value

_END = "END_OF_JOB"


class Live(Value, frozen=True, kw_only=True):
    """A job that the queue knows. `held`: it won't start before somebody does something."""

    id: str
    state: Literal["queued", "running", "held"]
    box: str = ""
    reason: str = ""


class Box(Value, frozen=True, kw_only=True):
    """A box as the queue sees it; `reason`: why it takes no jobs, where it takes none."""

    name: str
    classes: list[str]
    state: str
    reason: str = ""


class Engine(Protocol):
    """RunFailed, of each verb, where the queue can't be asked: then nothing is known, and nothing
    may be submitted.
    """

    def live(self) -> Mapping[str, Live]:
        """The campaign's jobs that are queued or running, by key."""

    def submit(self, job: Job) -> str:
        """Queues a job once more; the queue's own number for it."""

    def cancel(self, keys: Collection[str]) -> None:
        """Ends jobs, queued or running."""

    def boxes(self) -> list[Box]:
        """All boxes of the queue."""


def names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def find(campaign: Campaign) -> Engine:
    """The campaign's queue. UserError for one that doesn't exist, or settings that it hasn't."""
    name = str(campaign.engine["name"])
    if name not in names():
        raise UserError(f"{campaign.file}: engine.name: {unknown('engine', name, names())}")
    module = importlib.import_module(f"{__name__}.{name}")
    engine: Engine = module.engine(campaign)
    return engine


def script(campaign: Campaign, job: Job, restarts: str) -> str:
    """All that a queue needs to know of a job, which is in it: nothing has to lie on a box
    beforehand but a checkout. `restarts`: the assignment that says how often the queue has begun it
    before.
    """
    box = campaign.boxes[job.box_class]
    deliver = campaign.deliver or shlex.join(
        [sys.executable, "-P", "-m", "corobench", "fleet", "receive", str(campaign.inbox_folder)]
    )
    command = [
        f"{box.checkout}/.venv/bin/corobench",
        *("fleet", "job", "--outbox", box.outbox, "--deliver", deliver),
    ]
    return (
        "#!/bin/sh\n"
        f"export {restarts}\n"
        f"cd {shlex.quote(box.checkout)} || exit 1\n"
        f"exec {shlex.join(command)} <<'{_END}'\n"
        f"{msgspec.json.encode(job, order='sorted').decode()}\n"
        f"{_END}\n"
    )
