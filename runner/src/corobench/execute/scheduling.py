"""--priority: programs are preferred by the scheduler, where the box allows it. Opt-in; nothing else on the box is changed.

Every program is the leader of a session, so the kernel gives it an autogroup of its own (sched(7)): within one, nice
values count only among its members, and the group's own nice value is what competes with the rest of the box.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

NICE = -10
_enabled = False


def enable(say: Callable[[str], None]) -> dict[str, Any]:
    """Prefers every program started from now on; says what this user or this box does not allow.

    Returns what a run must tell of it: runs with and without are not alike.
    """
    global _enabled  # noqa: PLW0603  one switch for the process, set once before the first program starts
    _enabled = True
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as trial:
        refused = _raise(trial.pid)
        trial.kill()
    for reason in refused:
        say(f"--priority: {reason}")
    return {"nice": NICE, "refused": refused}


def prefer(pid: int) -> None:
    """Raises a program's priority if that was asked for; what is not allowed was said by `enable`."""
    if _enabled:
        _raise(pid)


def _raise(pid: int) -> list[str]:
    refused = []
    try:
        os.setpriority(os.PRIO_PROCESS, pid, NICE)
    except OSError as error:
        refused.append(f"nice {NICE} was refused ({error.strerror}); it needs root or CAP_SYS_NICE")
    try:
        Path(f"/proc/{pid}/autogroup").write_text(str(NICE))
    except FileNotFoundError:
        refused.append("this kernel has no autogroups; only the nice value is set")
    except OSError as error:
        refused.append(f"the autogroup's nice value was refused ({error.strerror}); it needs root or CAP_SYS_NICE")
    return refused
