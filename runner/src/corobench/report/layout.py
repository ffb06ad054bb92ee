"""Where things lie in the site, for those who ask before the rest of the report is loaded: nothing large is imported here."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from corobench.report import slugs

STAMP = ".made-from"


def place(folder: Path) -> str:
    """The folder of a run's pages in the site, relative to the root."""
    return f"runs/{slugs.slug(folder.parent.name)}/{slugs.slug(folder.name)}/"


def run_folders(results: Path) -> list[Path]:
    """The run folders, hidden folders and the site itself aside."""
    found = (file.parent for file in results.glob("*/*/run.json"))
    return sorted(f for f in found if not any(part.startswith(".") for part in f.relative_to(results).parts))


def without_pages(folders: Iterable[Path], site: Path) -> int:
    """How many runs have all of their charts to be drawn."""
    return sum(not (site / place(folder) / STAMP).is_file() for folder in folders)
