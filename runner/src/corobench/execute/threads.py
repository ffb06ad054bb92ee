"""Threads are the box's, not the program's: a program that would take all of them is not started, so that others can go on.

A process limit (RLIMIT_NPROC) would not do: it does not bind root, and counts all of a user's processes.
"""

from __future__ import annotations

from pathlib import Path

from corobench.execute.program import Program
from corobench.execute.trouble import Trouble
from corobench.model import Point

_AT_ONCE = {"all-parked", "all-spawned-first"}  # the rules of a trace by which all of a workload's tasks may live at once
_MAPS = 2  # a thread's stack and the guard below it


def room(proc: Path = Path("/proc")) -> tuple[int, str]:
    """How many threads a program may have, three quarters of what is free now, and the limit that says so."""
    running = int((proc / "loadavg").read_text().split()[3].partition("/")[2])
    limits = {name: int((proc / "sys" / name.replace(".", "/")).read_text()) for name in ("kernel.pid_max", "kernel.threads-max")}
    free = {name: limit - running for name, limit in limits.items()}
    limits["vm.max_map_count"] = int((proc / "sys/vm/max_map_count").read_text())
    free["vm.max_map_count"] = limits["vm.max_map_count"] // _MAPS
    name = min(free, key=free.__getitem__)
    return max(0, free[name] * 3 // 4), f"{name} is {limits[name]:,}"


def check(program: Program, point: Point, proc: Path = Path("/proc")) -> None:
    """Trouble where a runtime whose tasks are threads would need more of them at once than there is room for."""
    spec = program.workload
    if program.runtime.manifest.unit != "thread" or not spec.ladder or not _AT_ONCE & set(spec.trace):
        return
    wanted = int(point.params[spec.ladder])
    most, limit = room(proc)
    if wanted > most:
        raise Trouble(
            "limit",
            f"not started: it needs {wanted:,} threads at once, more than this machine can spare ({limit})",
        )
