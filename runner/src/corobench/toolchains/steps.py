"""Folders that are made by commands: found ready, or made anew under a log and marked as finished at the very end."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from corobench.execute.tool import Completed, halted, run_tool
from corobench.tuning import for_tools

_STAMP = ".corobench-finished"
_TAIL_LINES = 12
# Before the second and the third try, where the network failed.
PAUSES_S = (3.0, 15.0)
# What uv, pip, npm, cargo, Go, apt, rustup and Python say of a network that may do better the next time.
_NETWORK = re.compile(
    r"time[sd]? out|(connect\w*|read|request|operation|i/o|handshake) timeout|ETIMEDOUT|deadline exceeded|try again"
    r"|temporary failure|resolve host|name resolution|no such host|EAI_AGAIN|ECONNRE(SET|FUSED)|broken pipe|socket hang up"
    r"|connection (was |is )?(reset|refused|closed|aborted)|network (is unreachable|error|request failed)|error sending request"
    r"|unexpected (eof|end of file)|tls handshake|hash sum mismatch|failed to (fetch|download)"
    r"|(http|status|error|code)\D{0,20}\b(429|500|502|503|504)\b|\b(429 too many|50[0234] (internal|bad|service|gateway))",
    re.IGNORECASE,
)


class StepFailed(Exception):
    """A command failed: a sentence, then the tail of its output."""


class Unavailable(StepFailed):
    """What can't be done on this machine, whoever tries: a gap. `help` says what helps."""

    def __init__(self, reason: str, advice: str) -> None:
        super().__init__(reason)
        self.help = advice


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """Commands, ready to be started, that make one folder; `log` keeps their output."""

    folder: Path
    commands: Sequence[Sequence[str]]
    cwd: Path
    env: Mapping[str, str]
    log: Path


def is_finished(folder: Path) -> bool:
    return (folder / _STAMP).is_file()


def kept(homes: Sequence[Path], name: str) -> Path | None:
    """The first finished folder of a name in several places."""
    return next((home / name for home in homes if is_finished(home / name)), None)


def make(step: Step, say: Callable[[str], None]) -> None:
    """Makes the folder from nothing; StepFailed leaves it unfinished. Tries again where the network failed meanwhile."""
    for pause_s in PAUSES_S:
        try:
            return _make(step)
        except StepFailed as error:
            if not _NETWORK.search(step.log.read_text(errors="replace")):
                raise
            say(f"{step.folder.name}: the network failed, trying again in {pause_s:g} s: {error}")
        if halted(pause_s):
            raise KeyboardInterrupt
    return _make(step)


def _make(step: Step) -> None:
    """What an earlier try or a kill left half done is removed first."""
    shutil.rmtree(step.folder, ignore_errors=True)
    step.folder.mkdir(parents=True)
    step.log.parent.mkdir(parents=True, exist_ok=True)
    step.log.write_text(f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC {step.folder.name}\n")
    for command in step.commands:
        completed = run_tool(command, step.cwd, step.env, step.log)
        if not completed.ok:
            raise StepFailed(_story(completed, step))
    (step.folder / _STAMP).write_text(f"{step.folder.name}\n")


def remove_others(folder: Path, prefix: str) -> None:
    """Removes the earlier versions of a finished folder: its siblings named prefix-hash."""
    for other in folder.parent.iterdir():
        if other != folder and re.fullmatch(rf"{re.escape(prefix)}-[0-9a-f]{{12}}", other.name):
            shutil.rmtree(other, ignore_errors=True)


def command_env(tool: Path | None, extra: Mapping[str, str]) -> dict[str, str]:
    """Our environment without what would reach into the tools, the chosen tool's folder first on PATH (npm beside node)."""
    env = for_tools(os.environ)
    if tool is not None:
        env["PATH"] = os.pathsep.join([str(tool.parent), env.get("PATH", os.defpath)])
    return {**env, **extra}


def _story(completed: Completed, step: Step) -> str:
    text = completed.output or completed.errors
    tail = [line.rstrip() for line in text.splitlines() if line.strip()][-_TAIL_LINES:]
    return "\n".join([f"{completed.reason}; its output is kept in {step.log}", *(f"  {line}" for line in tail)])
