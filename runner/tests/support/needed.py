"""The tools of runner/tools that tests need. What can't be had is skipped, with what helps; in CI
it fails.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import NoReturn

import pytest
from planted import REPOSITORY

from corobench.suite.load import load_suite
from corobench.toolchains.provision import helper
from corobench.toolchains.tools import MissingTool, Tool


def tool(name: str) -> Tool:
    found = helper(load_suite(REPOSITORY), name, print)
    if isinstance(found, MissingTool):
        missing(f"{found.reason}; {found.help}")
    return found


def command(*words: str) -> None:
    """Skips, and fails in CI, where a command is missing or, with arguments, does not succeed."""
    known = shutil.which(words[0])
    if known and (len(words) == 1 or subprocess.run(words, check=False).returncode == 0):
        return
    missing(f"NOT PROVED HERE: no {' '.join(words)} on this machine")


def missing(reason: str) -> NoReturn:
    """Skips the test, and fails it in CI."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
