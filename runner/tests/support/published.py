"""A published run, cut to its first blocks: real numbers of every kind, small enough to be changed
and checked many times.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from corobench.results import log

ROOT = Path(__file__).resolve().parents[3]
# a default run: timed, startup, memory, measured and served cases
FOLDER = ROOT / "results/amd-epyc-2cpu-kvm-5a380a/2026-11-27T233731-default"


def first_blocks(blocks: int = 2) -> log.Run:
    """The run as if it had been precise enough after so many blocks."""
    run = log.read(FOLDER)
    end = next(
        place
        for place, line in enumerate(run.lines)
        if isinstance(line, log.Mark)
        and line.event == "block-complete"
        and line.block == blocks - 1
    )
    last = run.lines[end]
    assert isinstance(last, log.Mark)
    finished = log.Mark(event="finished", at=last.at, block=last.block, reason="precise enough")
    return msgspec.structs.replace(run, lines=[*run.lines[: end + 1], finished])


def write(folder: Path) -> Path:
    """That run in results/<box>/<run> below a folder."""
    place = folder / "results" / FOLDER.parent.name / FOLDER.name
    place.mkdir(parents=True)
    (place / "run.json").write_bytes((FOLDER / "run.json").read_bytes())
    (place / log.LOG).write_bytes(_first_lines())
    return place


@cache
def _first_lines() -> bytes:
    """Once for each process of tests: the whole run is read for them."""
    encode = msgspec.json.Encoder().encode
    return b"".join(encode(line) + b"\n" for line in first_blocks().lines)
