"""What else happened on the box while a program ran: contamination is measured, not assumed away (MEASUREMENT, Contamination)."""

from __future__ import annotations

import os
from pathlib import Path
from resource import struct_rusage
from typing import NamedTuple

from corobench.store import Witness

_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


class Box(NamedTuple):
    """Counters of the whole box at one moment: ns since boot."""

    busy_ns: int | None
    steal_ns: int | None
    pressure_ns: int | None
    load: float | None
    mhz: float | None


def box() -> Box:
    """Reads /proc; a counter that this kernel lacks is None."""
    busy, steal = _stat()
    return Box(busy, steal, _pressure(), os.getloadavg()[0], _mhz())


def between(before: Box, after: Box, wall_ns: int, usage: struct_rusage) -> Witness:
    """The witness of one program. Never takes memory from `usage`: a child inherits its parent's high-water mark."""
    return Witness(
        wall_ns=wall_ns,
        user_ns=round(usage.ru_utime * 1e9),
        system_ns=round(usage.ru_stime * 1e9),
        voluntary=usage.ru_nvcsw,
        involuntary=usage.ru_nivcsw,
        minor_faults=usage.ru_minflt,
        major_faults=usage.ru_majflt,
        busy_ns=_difference(before.busy_ns, after.busy_ns),
        steal_ns=_difference(before.steal_ns, after.steal_ns),
        pressure_ns=_difference(before.pressure_ns, after.pressure_ns),
        load=after.load,
        mhz=after.mhz,
    )


def _difference(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else after - before


def _stat() -> tuple[int | None, int | None]:
    """Busy (user, nice, system, irq, softirq) and stolen time of all CPUs; proc(5)."""
    with Path("/proc/stat").open() as file:
        fields = [int(field) for field in file.readline().split()[1:]]
    user, nice, system, _idle, _iowait, irq, softirq, steal, *_ = fields
    return (user + nice + system + irq + softirq) * _TICK_NS, steal * _TICK_NS


def _pressure() -> int | None:
    """Time in which some task waited for a CPU; Documentation/accounting/psi.rst."""
    try:
        first = Path("/proc/pressure/cpu").read_text().splitlines()[0]
        return int(first.rpartition("total=")[2]) * 1000
    except (OSError, IndexError, ValueError):
        return None


def _mhz() -> float | None:
    """Highest current frequency, where the box has cpufreq: reading /proc/cpuinfo interrupts every CPU."""
    speeds = []
    for file in Path("/sys/devices/system/cpu").glob("cpu[0-9]*/cpufreq/scaling_cur_freq"):
        try:
            speeds.append(int(file.read_text()) / 1000)
        except (OSError, ValueError):
            return None
    return max(speeds, default=None)
