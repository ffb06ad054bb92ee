"""The command line: the only layer that prints or exits. stdout is data, stderr is progress.

The three standard streams may be whatever the caller made of them: closed, a pipe that nobody
reads, an encoding without µ.
"""

from __future__ import annotations

import codecs
import contextlib
import functools
import importlib
import io
import os
import select
import shlex
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar, cast

import click

from corobench.cli import completion
from corobench.errors import UserError, plain, unknown
from corobench.plan import Selection
from corobench.suite.workload import PROFILES, TRACKS

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 120}

# The commands of each module beside this one, where `run` is run_command: only the module that
# holds what was asked for is loaded.
_COMMANDS = {
    "count": ["count"],
    "fleet": ["fleet"],
    "measure": ["run", "verify"],
    "report": ["check", "compare", "export", "publish", "readme", "report", "show"],
    "setup": ["build", "doctor", "lint", "list", "missing", "setup", "test"],
}
_MODULE = {name: module for module, names in _COMMANDS.items() for name in names}


class Commands(click.Group):
    """Takes its commands from the modules beside this one."""

    def list_commands(self, _context: click.Context) -> list[str]:
        return sorted(name for name in _MODULE if not _command(name).hidden)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        return _command(name) if name in _MODULE else None

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and self.get_command(context, args[0]) is None:
            raise unknown("command", args[0], self.list_commands(context))
        return super().resolve_command(context, args)

    def _main_shell_completion(self, *arguments: Any, **options: Any) -> None:
        completion.mend_click()
        super()._main_shell_completion(*arguments, **options)

    def invoke(self, context: click.Context) -> Any:
        """Click would end with status 1 and without a word, whichever pipe it was that was
        closed.
        """
        try:
            return super().invoke(context)
        except BrokenPipeError as error:
            raise _ClosedPipe from error


class _ClosedPipe(Exception):
    """A BrokenPipeError on its way through click."""


def _command(name: str) -> click.Command:
    module = importlib.import_module(f"{__name__}.{_MODULE[name]}")
    command: click.Command = getattr(module, f"{name}_command")
    return command


@click.group(cls=Commands, context_settings=CONTEXT)
@click.version_option(package_name="corobench")
def corobench() -> None:
    """What does a task cost in each runtime, on this box?

    Exit status: 0 ok, 1 something failed, 2 usage, 3 regression found by compare, 4 nothing
    selected, 130 interrupted, 141 broken pipe.
    """


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _interruptible() -> None:
    """SIGTERM and a closed terminal end a command as an interrupt does: with all that it has
    started. nohup is respected.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


def _last_words(text: str) -> None:
    """Where the terminal was closed, nobody is left to read them."""
    with contextlib.suppress(OSError):
        click.echo(f"corobench: {plain(text)}", err=True)


def main(arguments: list[str] | None = None) -> None:
    """Runs a command and exits with its status. A closed pipe is no error: it ends the command
    quietly, as SIGPIPE would.
    """
    prepare_streams()
    _interruptible()
    try:
        status = _status(arguments)
        sys.stdout.flush()
    except (_ClosedPipe, BrokenPipeError) as error:
        status = _unwritten(error.__cause__ or error)
    except OSError as error:
        _last_words(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        status = 1
    leave_streams()
    sys.exit(status)


def _status(arguments: list[str] | None) -> int:
    try:
        status = corobench.main(args=arguments, standalone_mode=False)
    except UserError as error:
        _last_words(str(error))
        return error.exit_status
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        _last_words("interrupted")
        return 130
    # click's own: a word is completed for a shell, or --help had a closed pipe
    except SystemExit as ended:
        return CLOSED_PIPE if is_unread() else int(ended.code or 0)
    return status if isinstance(status, int) else 0


def _unwritten(error: BaseException) -> int:
    """A pipe that is not stdout was to a program that we have started: that is an error."""
    if is_unread():
        return CLOSED_PIPE
    _last_words(str(error))
    return 1


_NAME = "corobench"
Function = TypeVar("Function", bound=Callable[..., Any])


def find_root() -> Path:
    """The checkout: COROBENCH_ROOT, else the nearest folder above with runner/workloads, else that
    of this package. UserError.
    """
    if (found := checkout()) is None:
        raise UserError(
            "not inside a corobench checkout, which has the programs that are measured;"
            " clone its repository, or set COROBENCH_ROOT to where it is"
        )
    return found


def checkout() -> Path | None:
    """The checkout, or None for an installed corobench outside of one, which has the reporting
    half.
    """
    if named := os.environ.get("COROBENCH_ROOT"):
        return Path(named).resolve()
    folders = (Path.cwd(), *Path.cwd().parents, *Path(__file__).parents)
    return next(
        (folder.resolve() for folder in folders if (folder / "runner" / "workloads").is_dir()), None
    )


def find_results(named: Path | None = None) -> Path:
    """The folder that holds runs as <box>/<run>: the one that is named, else the checkout's, else
    the one that we are in.

    A folder with such a folder `results` in it will do. UserError where there is none.
    """
    root = checkout()
    if named is None and root is not None:
        return root / "results"
    places = [place for folder in (named or Path.cwd(),) for place in (folder, folder / "results")]
    found = next(
        (place for place in places if next(place.glob("[!.]*/[!.]*/run.json"), None)), None
    )
    if found is None:
        raise UserError(
            f"{places[0]}: holds no runs (<box>/<run>/run.json); name a folder that does "
            "with --results"
        )
    return found.resolve()


results_option = click.option(
    "--results",
    "named",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="The folder of runs: by default the checkout's, or this folder.",
)


def say(text: str) -> None:
    """A line of progress; where the terminal is gone, what was to be done goes on or ends all the
    same.
    """
    with contextlib.suppress(OSError):
        click.echo(plain(text), err=True)


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

    def convert(
        self, value: Any, param: click.Parameter | None, context: click.Context | None
    ) -> list[str]:
        if isinstance(value, list):
            return value
        names = [name.strip() for name in str(value).split(",") if name.strip()]
        if not names:
            self.fail(
                "names nothing; leave the option out for what the profile measures", param, context
            )
        return names


def selecting(function: Function) -> Function:
    """--profile, --runtimes, --workloads, --tracks and --points: the command gets them as the
    Selection `chosen`.
    """

    @functools.wraps(function)
    def selected(*arguments: Any, **options: Any) -> Any:
        asked = {name: options.pop(name) for name in Selection.__struct_fields__}
        return function(*arguments, chosen=Selection(**asked), **options)

    command: Any = selected
    named: dict[str, Any] = {"type": Names(), "metavar": "A,B"}
    for option in (
        click.option(
            "--points",
            metavar="EXPRESSION",
            help="Only points at which this holds, as 'n <= 10_000'.",
        ),
        click.option(
            "--tracks",
            type=Names(),
            shell_complete=completion.tracks,
            metavar="A,B",
            help=f"Only these tracks: {', '.join(TRACKS)}.",
        ),
        click.option(
            "--workloads",
            **named,
            shell_complete=completion.workloads,
            help="Only these workloads.",
        ),
        click.option(
            "--runtimes",
            type=Names(),
            shell_complete=completion.runtimes,
            metavar="A,B",
            help="Only these runtimes, or all; else the profile's.",
        ),
        click.option(
            "--profile",
            default="default",
            show_default=True,
            shell_complete=completion.profiles,
            metavar="|".join(PROFILES),
            help="How much is measured.",
        ),
    ):
        command = option(command)
    return cast(Function, command)


CLOSED_PIPE = 141  # what a shell says of a program that SIGPIPE has ended
_PLAINLY = "corobench-plainly"
_ASCII = {
    "\N{MICRO SIGN}": "u",
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{MIDDLE DOT}": "|",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{PLUS-MINUS SIGN}": "+-",
    "\N{LESS-THAN OR EQUAL TO}": "<=",
    "\N{GREATER-THAN OR EQUAL TO}": ">=",
}


def _plainly(error: UnicodeError) -> tuple[str | bytes, int]:
    """What a terminal can't show, in other letters; bytes of a file's name that are no text stay as
    they are.
    """
    assert isinstance(error, UnicodeEncodeError)
    letter = error.object[error.start]
    if "\udc80" <= letter <= "\udcff":
        return bytes([ord(letter) - 0xDC00]), error.start + 1
    return _ASCII.get(letter, "?"), error.start + 1


def prepare_streams() -> None:
    """Makes them safe to use. A closed one leads nowhere, so that no file that is opened later
    takes its number.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  for the life of the process
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    codecs.register_error(_PLAINLY, _plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_PLAINLY)


def is_unread() -> bool:
    """Whether stdout is a pipe whose reader has gone."""
    poll = select.poll()
    poll.register(1, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def leave_streams() -> None:
    """What can't be written any more goes nowhere: the interpreter would tell of it when it
    ends.
    """
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), number)
