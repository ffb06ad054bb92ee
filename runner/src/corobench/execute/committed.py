"""Files as git keeps them: what a folder held at a commit."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from corobench.execute.tool import Completed, run_tool
from corobench.tuning import for_tools


def git(root: Path, *words: str) -> Completed:
    """Asks the checkout's own git: never that of a folder around it, in which an archive may have been unpacked."""
    env = {**for_tools(os.environ), "GIT_CEILING_DIRECTORIES": str(root.parent)}
    return run_tool(["git", *words], cwd=root, env=env)


def archive(root: Path, commit: str, folders: Sequence[str], target: Path) -> bool:
    """Writes the folders (paths from the root) as they were at a commit to a tar; what was not there is left out of it.

    False, and no tar, where they can't be had: no git, no such commit in this checkout, none of the folders.
    """
    listed = git(root, "ls-tree", "-d", "--name-only", commit, "--", *folders)
    found = [name for name in listed.output.splitlines() if name in folders]
    if not listed.ok or not found:
        return False
    return git(root, "archive", "--format=tar", f"--output={target}", commit, "--", *found).ok
