"""Which run a command is about: by its name, or the newest; and which runs are of this box."""

from __future__ import annotations

import os
from pathlib import Path

from corobench.box import box_name
from corobench.cli.common import say
from corobench.errors import UserError, unknown
from corobench.host import Host


def find_run(root: Path, name: str | None) -> Path:
    """A run's folder from its path or its name (`run` or `box/run`); without one this box's newest, else the newest of all.

    UserError with the nearest name. That a run of another box is taken is said.
    """
    if name and (Path(name) / "run.json").is_file():
        return Path(name).resolve()
    runs = sorted(run_folders(root), key=lambda folder: folder.name)
    if not runs:
        raise UserError(f"{root / 'results'}: no run there yet; `make quick` makes one")
    if name is None:
        return _newest(runs)
    named = [folder for folder in runs if name in (folder.name, known_as(folder))]
    if not named:
        raise unknown("run", name, [folder.name for folder in runs])
    if len(named) > 1:
        raise UserError(f"several boxes have a run {name!r}; say which: {', '.join(map(known_as, named))}")
    return named[0]


def _newest(runs: list[Path]) -> Path:
    box = this_box()
    own = [folder for folder in runs if folder.parent.name == box]
    if not own:
        say(f"no run of this box ({box}) is there: taken is {known_as(runs[-1])}, of ANOTHER BOX")
    return (own or runs)[-1]


def known_as(folder: Path) -> str:
    """A run is known by its box too: two boxes may have runs of one name."""
    return f"{folder.parent.name}/{folder.name}"


def run_folders(root: Path) -> list[Path]:
    """Those of all boxes."""
    return [file.parent for file in (root / "results").glob("[!.]*/[!.]*/run.json")]


def this_box() -> str:
    """The name under which runs of this box lie."""
    return box_name(Host(), os.environ)


def of_this_box(runs: list[Path]) -> list[Path]:
    """The runs of this box, or all where it has none. A clone brings the published runs of other boxes, which take a minute."""
    box = this_box()
    own = [folder for folder in runs if folder.parent.name == box]
    if own and len(own) < len(runs):
        say(f"report: {len(own)} of {len(runs)} runs are of this box ({box}); `corobench report --all` shows all")
    return own or runs
