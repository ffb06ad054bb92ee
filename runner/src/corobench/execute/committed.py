"""Files as git keeps them: what a folder held at a commit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from corobench.execute.tool import run_tool


def archive(root: Path, commit: str, folders: Sequence[str], target: Path) -> bool:
    """Writes the folders (paths from the root) as they were at a commit to a tar; what was not there is left out of it.

    False, and no tar, where they can't be had: no git, no such commit in this checkout, none of the folders.
    """
    listed = run_tool(["git", "ls-tree", "-d", "--name-only", commit, "--", *folders], cwd=root)
    found = [name for name in listed.output.splitlines() if name in folders]
    if not listed.ok or not found:
        return False
    return run_tool(["git", "archive", "--format=tar", f"--output={target}", commit, "--", *found], cwd=root).ok
