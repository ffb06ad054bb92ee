"""What could not be provisioned is remembered: `setup` tries again, other commands don't wait for the same failure twice."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten

import msgspec

from corobench.toolchains import provision
from corobench.toolchains.asked import Asked
from corobench.toolchains.contents import hash_of
from corobench.toolchains.values import MissingTool

_WIDTH = 200  # of a reason: one line on a terminal and a page


class _Failed(msgspec.Struct, frozen=True):
    """`key` is of what was tried: another distribution, manifest or command on PATH is another try."""

    key: str
    failures: list[str]


class Attempts:
    """The memory of one tool, in .toolchain/. It may be removed at any time."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._file = asked.root / f".toolchain/{asked.name}.failed.json"
        tried = [
            (provision.folder_name(asked, way), provision.lacking(way), way.tool_env, way.run_env) for way in asked.provision
        ]
        self._key = hash_of(*map(str, tried))

    def missing(self, reason: str) -> MissingTool | None:
        """The tool that could not be provisioned; None where that was not tried."""
        try:
            found = msgspec.json.decode(self._file.read_bytes(), type=_Failed)
        except (OSError, msgspec.DecodeError):  # it is only a memory
            return None
        return self._told(reason, found.failures) if found.key == self._key else None

    def failed(self, reason: str, failures: Sequence[str]) -> MissingTool:
        """Remembers why each way failed: a sentence, then the tail of a command's output, whose last line says most."""
        last = [failure.splitlines()[-1].strip() for failure in failures]
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_bytes(msgspec.json.encode(_Failed(self._key, last)))
        return self._told(reason, last)

    def forget(self) -> None:
        """It is there now."""
        self._file.unlink(missing_ok=True)

    def _told(self, reason: str, failures: Sequence[str]) -> MissingTool:
        why = shorten(f"{reason}; provisioning: {'; '.join(failures)}", _WIDTH, placeholder=" ...")
        return MissingTool(name=self._asked.name, reason=why, help=self._asked.help)
