"""What a shell completes the words of a command with: names of runtimes, workloads, runs, cases.
Everything is loaded when asked.

Outside of a checkout there is nothing to offer, and that is no error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corobench.errors import UserError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_BREAKS = "=:"  # bash takes a word apart at these (COMP_WORDBREAKS), and each case has one of them
Complete = Callable[[click.Context, click.Parameter, str], "list[CompletionItem[str]]"]


def _one(names: Callable[[], Iterable[str]]) -> Complete:
    """Completes a word with one of these names."""

    def completed(
        _context: click.Context, _option: click.Parameter, begun: str
    ) -> list[CompletionItem[str]]:
        from click.shell_completion import CompletionItem  # noqa: PLC0415

        try:
            return [CompletionItem(name) for name in names() if name.startswith(begun)]
        except (UserError, OSError):
            return []

    return completed


def _several(names: Callable[[], Iterable[str]]) -> Complete:
    """Completes the last of several names with commas between them by one that isn't there yet."""

    def completed(
        context: click.Context, option: click.Parameter, begun: str
    ) -> list[CompletionItem[str]]:
        before, comma, last = begun.rpartition(",")
        found = _one(names)(context, option, last)
        for item in found:
            item.value = f"{before}{comma}{item.value}"
        return [item for item in found if item.value.rpartition(",")[2] not in before.split(",")]

    return completed


def _root() -> Path:
    from corobench.cli import find_root  # noqa: PLC0415

    return find_root()


def _results() -> Path:
    from corobench.cli import find_results  # noqa: PLC0415

    return find_results()


def _runtimes() -> Iterable[str]:
    from corobench.plan import ALL  # noqa: PLC0415
    from corobench.suite.load import load_suite  # noqa: PLC0415

    return [*load_suite(_root()).runtimes, ALL]


def _workloads() -> Iterable[str]:
    return sorted(file.stem for file in (_root() / "runner" / "workloads").glob("*.toml"))


def _profiles() -> Iterable[str]:
    from corobench.suite.workload import PROFILES  # noqa: PLC0415

    return PROFILES


def _tracks() -> Iterable[str]:
    from corobench.suite.workload import TRACKS  # noqa: PLC0415

    return TRACKS


def _formats() -> Iterable[str]:
    from corobench.report.exports import EXPORTERS  # noqa: PLC0415

    return EXPORTERS


def _runs() -> Iterable[str]:
    """The newest first; with the box where another one has a run of that name."""
    from corobench.cli.report import known_as, run_folders  # noqa: PLC0415

    folders = sorted(run_folders(_results()), key=lambda folder: folder.name, reverse=True)
    names = [folder.name for folder in folders]
    return [
        folder.name if names.count(folder.name) == 1 else known_as(folder) for folder in folders
    ]


def _cases() -> Iterable[str]:
    """Those of all runs; one that can't be read has none."""
    from corobench.cli.report import run_folders  # noqa: PLC0415
    from corobench.execute.forecast import planned_cases  # noqa: PLC0415
    from corobench.suite.workload import TWIN  # noqa: PLC0415

    keys = dict.fromkeys(key for folder in run_folders(_results()) for key in planned_cases(folder))
    return [key for key in keys if not key.endswith(TWIN)]


runtimes, workloads, tracks = _several(_runtimes), _several(_workloads), _several(_tracks)
profiles, formats, runs, cases = _one(_profiles), _one(_formats), _one(_runs), _one(_cases)


def mend_click() -> None:
    """Has click complete words with `=` in bash, and with commas in fish: names of cases have
    both.
    """
    from click.shell_completion import BashComplete, FishComplete, add_completion_class  # noqa: PLC0415

    class Bash(BashComplete):
        """Bash takes `spawn/n=10` apart, and replaces the last of these parts."""

        _typed = ""

        def get_completion_args(self) -> tuple[list[str], str]:
            before, begun = super().get_completion_args()
            words = [""]
            for word in [*before, begun]:
                if (word and word in _BREAKS) or words[-1].endswith(tuple(_BREAKS)):
                    words[-1] += word
                else:
                    words.append(word)
            option, _, value = words[-1].partition("=")  # of --run=X click completes X alone
            self._typed = value if option.startswith("-") else words[-1]
            return words[1:-1], words[-1]

        def format_completion(self, item: CompletionItem[str]) -> str:
            taken_apart = max(self._typed.rfind(mark) for mark in _BREAKS) + 1
            item.value = item.value[taken_apart:]
            return super().format_completion(item)

    class Fish(FishComplete):
        """Click's function drops what stands behind a comma."""

        source_template = FishComplete.source_template.replace('split ","', 'split --max 1 ","')

    add_completion_class(Bash)
    add_completion_class(Fish)
