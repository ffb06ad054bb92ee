"""The one command that installs a package here: by the package manager that this machine has."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping

from corobench.toolspec import Manager

# The executable on PATH tells which one a machine has.
_MANAGERS: dict[Manager, tuple[str, str]] = {
    "apt": ("apt-get", "apt-get install {}"),
    "dnf": ("dnf", "dnf install {}"),
    "pacman": ("pacman", "pacman -S {}"),
    "apk": ("apk", "apk add {}"),
    "brew": ("brew", "brew install {}"),
}


def advice(install: Mapping[Manager, str], otherwise: str) -> str:
    """`sudo apt-get install wrk`, or what helps a machine whose package manager `install` has nothing for."""
    for name, (executable, command) in _MANAGERS.items():
        if name in install and shutil.which(executable):
            root = name == "brew" or os.geteuid() == 0
            return ("" if root else "sudo ") + command.format(install[name])
    return otherwise
