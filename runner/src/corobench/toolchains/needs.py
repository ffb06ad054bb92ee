"""What a manifest needs beyond its language's tool: asked for by a probe, so that what lacks it is a gap and no failed build."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from corobench.execute.tool import run_tool
from corobench.placeholders import fill
from corobench.toolchains.steps import command_env
from corobench.toolchains.values import Tool
from corobench.toolspec import Need

_LIMIT_S = 60.0  # for a probe that hangs


def unmet(needs: Sequence[Need], tool: Tool, values: Mapping[str, str], where: str) -> Need | None:
    """The first that is not there. Asked in the root folder, where no configuration of a project is found."""
    for need in needs:
        words = [fill(word, values, f"{where}.probe") for word in need.probe]
        if not run_tool(words, Path("/"), command_env(tool.path, tool.env), timeout_s=_LIMIT_S).ok:
            return need
    return None
