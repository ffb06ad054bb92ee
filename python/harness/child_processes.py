"""Child processes that can't outlive a program, by prctl(2). It also runs on CPython 3.7, which Japronto needs."""

import ctypes
import os
import signal
import sys
from pathlib import Path

# linux/prctl.h
_SET_PARENT_DEATH_SIGNAL = 1
_SET_CHILD_SUBREAPER = 36


def end_with(parent: int) -> None:
    """Called by a child of the process `parent`: the kernel ends it by SIGTERM when the thread that forked it is gone."""
    _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit("the program that started this process is gone")


def adopt_orphans() -> None:
    """From now on processes whose parents end become children of this one, not of init."""
    _prctl(_SET_CHILD_SUBREAPER, 1)


def end_children() -> None:
    """Ends all children, those adopted meanwhile included, and returns when they are gone."""
    while True:
        for child in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
            os.kill(int(child), signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value):
        raise OSError(ctypes.get_errno(), "prctl")
