"""The tools of runner/tools that tests need. What can't be had is skipped, with what helps; in CI
it fails.
"""

from __future__ import annotations

import os

import pytest
from planted import REPOSITORY

from corobench.suite.load import load_suite
from corobench.toolchains.find import helper
from corobench.toolchains.tools import Tool


def tool(name: str) -> Tool:
    found = helper(load_suite(REPOSITORY), name, print)
    if isinstance(found, Tool):
        return found
    return (pytest.fail if os.environ.get("CI") else pytest.skip)(f"{found.reason}; {found.help}")
