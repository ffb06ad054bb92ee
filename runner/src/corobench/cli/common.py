"""Options that several commands share, and where the checkout lies."""

from __future__ import annotations

import contextlib
import functools
import os
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from corobench.cli import complete
from corobench.errors import UserError
from corobench.model import PROFILES, TRACKS
from corobench.plan import Selection

_NAME = "corobench"
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


def called() -> str:
    """This command as the user can type it again, from the folder where they are."""
    words = Path(sys.argv[0])
    if words.name != _NAME or shutil.which(_NAME) == str(words):
        return _NAME
    return shlex.quote(nearby(words))


def nearby(path: Path) -> str:
    """A path as the user can type it: relative to the folder where they are, if it lies below."""
    path = path.absolute()
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


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
    """--profile, --runtimes, --workloads, --tracks and --points: the command gets them as the Selection `chosen`."""

    @functools.wraps(function)
    def selected(*arguments: Any, **options: Any) -> Any:
        asked = {name: options.pop(name) for name in Selection.__struct_fields__}
        return function(*arguments, chosen=Selection(**asked), **options)

    command: Any = selected
    named: dict[str, Any] = {"type": Names(), "metavar": "A,B"}
    for option in (
        click.option("--points", metavar="EXPRESSION", help="Only points at which this holds, as 'n <= 10_000'."),
        click.option(
            "--tracks",
            type=Names(),
            shell_complete=complete.tracks,
            metavar="A,B",
            help=f"Only these tracks: {', '.join(TRACKS)}.",
        ),
        click.option("--workloads", **named, shell_complete=complete.workloads, help="Only these workloads."),
        click.option(
            "--runtimes",
            type=Names(),
            shell_complete=complete.runtimes,
            metavar="A,B",
            help="Only these runtimes, or all; else the profile's.",
        ),
        click.option(
            "--profile",
            default="default",
            show_default=True,
            shell_complete=complete.profiles,
            metavar="|".join(PROFILES),
            help="How much is measured.",
        ),
    ):
        command = option(command)
    return cast(Function, command)
