"""Runs of planted programs by the command line, in a checkout, under a lock and on a box of the
test's own.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import patience
import planted

from corobench.plan import block_order
from corobench.results import log

FAST = ["spawn", "hand-off", "baseline"]


def command(root: Path, *arguments: str) -> tuple[list[str], dict[str, str]]:
    env = {
        **os.environ,
        "COROBENCH_ROOT": str(root),
        "COROBENCH_LOCK": str(root / "lock"),
        "COROBENCH_BOX": "testbox",
    }
    return [sys.executable, "-m", "corobench", *arguments], env


def corobench(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    words, env = command(root, *arguments)
    return subprocess.run(
        words, env=env, capture_output=True, text=True, timeout=patience.SECONDS, check=False
    )


def suite(root: Path, **programs: str) -> Path:
    planted.plant(
        root,
        {name: planted.honest(name) for name in FAST}
        | {n.replace("_", "-"): s for n, s in programs.items()},
    )
    planted.shorten(root)
    return root


def only(root: Path) -> Path:
    (folder,) = (root / "results" / "testbox").iterdir()
    return folder


def wait_for_lines(root: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    def reached() -> bool:
        return any(
            log.read_bytes().count(b"\n") >= count
            for log in (root / "results").glob("*/*/log.jsonl")
        )

    patience.until(reached, while_true=lambda: process.poll() is None)


def interrupted(
    root: Path, words: list[str], env: dict[str, str], how: signal.Signals, lines: int
) -> int:
    """The exit status of a run that got a signal after so many lines; once more where it was over
    before the signal came.
    """
    for _ in range(5):
        with subprocess.Popen(
            words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            wait_for_lines(root, lines, process)
            process.send_signal(how)
        if process.returncode:
            return process.returncode
        shutil.rmtree(root / "results")
    return 0


def processes_of(root: Path) -> list[str]:
    """Command lines of living processes that run something below `root`."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes()
        except OSError:
            continue
        if str(root / "planted").encode() in words:
            found.append(words.decode())
    return found


def measured_once(folder: Path, blocks: int) -> None:
    """Every case once a block, in the order that the plan in the run itself gives again."""
    run = log.read(folder)
    seen = Counter((line.case, line.block) for line in run.invocations)
    assert seen == dict.fromkeys(
        ((case, block) for case in run.header.plan.cases for block in range(blocks)), 1
    )
    for block in range(blocks):
        told = [(line.position, line.case) for line in run.invocations if line.block == block]
        assert told == list(enumerate(block_order(run.header.plan, block)))
