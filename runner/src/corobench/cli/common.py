"""Options that several commands share, and where the checkout lies."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from corobench.errors import UserError
from corobench.model import PROFILES, TRACKS
from corobench.plan import Selection

Function = TypeVar("Function", bound=Callable[..., Any])


def find_root() -> Path:
    """The checkout: COROBENCH_ROOT, else the nearest folder above with runner/workloads, else that of this package."""
    if named := os.environ.get("COROBENCH_ROOT"):
        return Path(named).resolve()
    for folder in (Path.cwd(), *Path.cwd().parents, *Path(__file__).parents):
        if (folder / "runner" / "workloads").is_dir():
            return folder.resolve()
    raise UserError("not inside a corobench checkout; set COROBENCH_ROOT to its folder")


def say(text: str) -> None:
    """A line of progress; where the terminal is gone, what was to be done goes on or ends all the same."""
    with contextlib.suppress(OSError):
        click.echo(text, err=True)


class Names(click.ParamType[list[str]]):
    """Comma-separated names, at least one."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> list[str]:
        if isinstance(value, list):
            return value
        names = [name.strip() for name in str(value).split(",") if name.strip()]
        if not names:
            self.fail("names nothing; leave the option out for what the profile measures", param, context)
        return names


def selecting(function: Function) -> Function:
    """--profile, --runtimes, --workloads and --tracks."""
    for option in (
        click.option("--tracks", type=Names(), metavar="A,B", help=f"Only these tracks: {', '.join(TRACKS)}."),
        click.option("--workloads", type=Names(), metavar="A,B", help="Only these workloads."),
        click.option("--runtimes", type=Names(), metavar="A,B", help="Only these runtimes, or all; else the profile's."),
        click.option("--profile", default="default", show_default=True, metavar="|".join(PROFILES), help="How much is measured."),
    ):
        function = option(function)
    return function


def selection(profile: str, runtimes: list[str] | None, workloads: list[str] | None, tracks: list[str] | None) -> Selection:
    return Selection(profile=profile, runtimes=runtimes, workloads=workloads, tracks=tracks)
