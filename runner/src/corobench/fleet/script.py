"""The script of a job: all that a queue needs to know, with the job itself in it, so that nothing
has to lie on a box beforehand but a checkout.
"""

from __future__ import annotations

import shlex
import sys

import msgspec

from corobench.fleet.campaign import Campaign, Job

_END = "END_OF_JOB"


def script(campaign: Campaign, job: Job, restarts: str) -> str:
    """`restarts`: the assignment that says how often the queue has begun it before."""
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
