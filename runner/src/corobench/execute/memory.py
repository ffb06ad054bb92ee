"""Reads a process from outside at a hold point, the same way for every language (MEASUREMENT, Memory).

Never ru_maxrss, wait4's memory or RUSAGE_CHILDREN: on Linux a child inherits its parent's high-water mark at exec.
"""

from __future__ import annotations

from pathlib import Path

from corobench.store import Memory


def read(pid: int, units: int, proc: Path = Path("/proc")) -> Memory:
    """Private, proportional, swapped and resident memory in bytes. OSError where the process is gone."""
    maps = _kilobytes(proc / str(pid) / "smaps_rollup")
    status = _kilobytes(proc / str(pid) / "status")
    return Memory(
        units=units,
        private_dirty=maps["Private_Dirty"],
        pss=maps["Pss"],
        swap=maps.get("Swap", 0),
        rss=status["VmRSS"],
        rss_high=status["VmHWM"],
        threads=status["Threads"],
    )


def anonymous(pid: int, proc: Path = Path("/proc")) -> int:
    """Bytes of anonymous memory; a page that k processes share counts 1 / k for each. OSError where the process is gone."""
    return _kilobytes(proc / str(pid) / "smaps_rollup")["Pss_Anon"]


def _kilobytes(file: Path) -> dict[str, int]:
    """`Name:  123 kB` lines as bytes, and plain counts as they are; proc_pid_smaps(5), proc_pid_status(5)."""
    values: dict[str, int] = {}
    for line in file.read_text().splitlines():
        name, _, rest = line.partition(":")
        fields = rest.split()
        if len(fields) == 2 and fields[1] == "kB":
            values[name] = int(fields[0]) * 1024
        elif len(fields) == 1 and fields[0].isdigit():
            values[name] = int(fields[0])
    return values
