"""Which code decides what a summary or a comparison says: the modules that are loaded to make one, found by their imports."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_FIRST = ("corobench.store", "corobench.statistics.summary", "corobench.statistics.compare")
_IMPORT = re.compile(r"^[ \t]*from (corobench[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


def digest_of(files: Iterable[Path]) -> str:
    """A hash of the contents of files, in their order."""
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def summary_code(package: Path = _PACKAGE) -> list[Path]:
    """The files of the modules that make summaries and comparisons, and of all that these import; sorted."""
    found: set[Path] = set()
    wanted = list(_FIRST)
    while wanted:
        file = _file(package, wanted.pop())
        if file is not None and file not in found:
            found.add(file)
            wanted += _imported(file.read_text("utf-8"))
    return sorted(found)


def _imported(text: str) -> list[str]:
    """Modules that a file may import from, and those that may be among the names that it imports."""
    found = []
    for module, names in _IMPORT.findall(text):
        found += [module, *(f"{module}.{name}" for name in re.findall(r"\w+", names))]
    return found


def _file(package: Path, module: str) -> Path | None:
    """None for a name that is no module."""
    place = package.joinpath(*module.split(".")[1:])
    return next((file for file in (place.parent / f"{place.name}.py", place / "__init__.py") if file.is_file()), None)
