"""What else happened on the box while a program ran (Method, What keeps a number out of the groups): measured, not assumed."""

from __future__ import annotations

from collections.abc import Collection
from resource import struct_rusage
from typing import NamedTuple

from corobench.cputime import Times, cpu_times, together
from corobench.host import Host
from corobench.store import Witness


class Box(NamedTuple):
    """Counters at one moment, of the whole box and of the CPUs that a program may use (`here`); None where it doesn't tell."""

    whole: Times | None
    here: Times | None
    pressure_ns: int | None
    load: float | None
    mhz: float | None


def box(cpus: Collection[int], host: Host | None = None) -> Box:
    """Reads /proc; a counter that this kernel lacks is None. `cpus`: those of the program."""
    host = host or Host()
    times = cpu_times(host)
    here = together([times[cpu] for cpu in cpus if cpu in times])
    return Box(together(list(times.values())), here, _pressure(host), _load(host), _mhz(host))


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
        busy_ns=_grown(before.whole and before.whole.busy, after.whole and after.whole.busy),
        steal_ns=_grown(before.whole and before.whole.steal, after.whole and after.whole.steal),
        box_cpus=after.whole and after.whole.cpus,
        here_cpus=after.here and after.here.cpus,
        here_busy_ns=_grown(before.here and before.here.busy, after.here and after.here.busy),
        here_steal_ns=_grown(before.here and before.here.steal, after.here and after.here.steal),
        pressure_ns=_grown(before.pressure_ns, after.pressure_ns),
        load=after.load,
        mhz=after.mhz,
    )


def _grown(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else after - before


def _pressure(host: Host) -> int | None:
    """Time in which some task waited for a CPU; Documentation/accounting/psi.rst."""
    first = (host.text("/proc/pressure/cpu") or "").partition("\n")[0]
    total = first.rpartition("total=")[2]
    return int(total) * 1000 if total.isdigit() else None


def _load(host: Host) -> float | None:
    words = (host.text("/proc/loadavg") or "").split()
    return float(words[0]) if words else None


def _mhz(host: Host) -> float | None:
    """Highest current frequency, where the box has cpufreq: reading /proc/cpuinfo interrupts every CPU."""
    speeds = host.texts("/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq").values()
    return max((int(speed) / 1000 for speed in speeds if speed.isdigit()), default=None)
