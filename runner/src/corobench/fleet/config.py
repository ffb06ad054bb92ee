"""A Slurm configuration for the boxes of a campaign, as files that an operator reads and installs.

Each setting that matters says why in the template. Nothing here is applied.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import jinja2

from corobench.errors import UserError
from corobench.fleet.campaign import Campaign

_TEMPLATES = Path(__file__).with_name("slurm")
_PROGRAMS = {"prolog", "health"}
_PLAIN = re.compile(r"[A-Za-z0-9._\[\],-]+")


def write(campaign: Campaign, controller: str, user: str, out: Path) -> list[Path]:
    """The files that were written. UserError for a box class of which the queue must know more."""
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
    for option, value in (("--controller", controller), ("--user", user)):
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
    for template in sorted(_TEMPLATES.glob("*.j2")):
        file = out / template.stem
        file.write_text(
            found.get_template(template.name).render(
                campaign=campaign, controller=controller, user=user
            )
        )
        file.chmod(0o755 if file.name in _PROGRAMS else 0o644)
        written.append(file)
    return written
