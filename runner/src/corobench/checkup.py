"""The checks of `doctor`: what each sees on the box, in words, and whether it disturbs measurements.

None: the box doesn't tell, as in a container or without the right to read; that is neither ok nor a warning.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from corobench.cputime import cpu_times, together
from corobench.host import Host, cpu_list
from corobench.toolchains.lock import holder

# Thresholds: those of flags where there are such (statistics/contamination.py).
STEAL = 0.01
PRESSURE = 1.0  # percent of the last ten seconds in which something waited for a CPU
LOAD_PER_CPU = 0.1
FILES = 4096
PROCESSES = 4096
DEEP_IDLE_US = 50
GOOD_CLOCKS = {"tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page"}


class Look(msgspec.Struct, frozen=True):
    """What a check may look at: the box's files, what box_facts made of them, and where a run's lock would lie."""

    host: Host
    box: dict[str, Any]
    run_lock: Path | None


Seen = tuple[str, bool | None]
Check = Callable[[Look], Seen]
UNKNOWN: Seen = ("the box doesn't tell", None)


def governor(look: Look) -> Seen:
    found = look.box["cpu"]["governors"]
    return (", ".join(found), any(governor != "performance" for governor in found)) if found else UNKNOWN


def turbo(look: Look) -> Seen:
    on = look.box["cpu"]["turbo"]
    return UNKNOWN if on is None else ("on" if on else "off", on)


def smt(look: Look) -> Seen:
    on = look.box["cpu"]["smt"]
    return UNKNOWN if on is None else ("on" if on else "off", on)


def quota(look: Look) -> Seen:
    quota = look.box["cgroup"]["cpus"]
    return (f"{quota:g} CPUs", True) if quota is not None else _unlimited(look)


def memory_limit(look: Look) -> Seen:
    limit, total = look.box["cgroup"]["memory"], look.box["memory"]["total"]
    if limit is None or (total is not None and limit >= total):
        return _unlimited(look)
    return f"{limit / 2**30:.1f} GiB", limit < 4 * 2**30


def _unlimited(look: Look) -> Seen:
    """Without a limit in sight: none where the control groups can be read."""
    return ("none", False) if look.host.exists("/sys/fs/cgroup") else UNKNOWN


def cpuset(look: Look) -> Seen:
    allowed, online = cpu_list(look.box["cpu"]["allowed"]), look.box["cpu"]["online"]
    return f"{len(allowed) or online} of {online} CPUs allowed", 0 < len(allowed) < online or online < 2


def idle(look: Look) -> Seen:
    deepest = max((us for us in look.box["idle"]["latency_us"].values() if us is not None), default=None)
    if deepest is None:
        return UNKNOWN
    return f"the deepest state takes {deepest} us to leave", deepest > DEEP_IDLE_US


def swap(look: Look) -> Seen:
    size = look.box["memory"]["swap"]
    return UNKNOWN if size is None else (f"{size / 2**30:.1f} GiB" if size else "none", size > 0)


def thp(look: Look) -> Seen:
    choice = look.box["memory"]["thp"]
    return (choice, choice == "always") if choice else UNKNOWN


def overcommit(look: Look) -> Seen:
    mode = look.box["memory"]["overcommit"]
    return UNKNOWN if mode is None else (f"mode {mode}", mode == 2)


def autogroup(look: Look) -> Seen:
    on = look.box["kernel"]["autogroup"]
    if on is None and not look.host.exists("/proc/sys/kernel"):
        return UNKNOWN
    return ("on" if on else "off"), on == 1  # a kernel without autogroups has no such file


def load(look: Look) -> Seen:
    averages, cpus = look.box["load"]["average"], look.box["cpu"]["online"]
    if not averages:
        return UNKNOWN
    return f"{averages[0]:.2f} over the last minute, on {cpus} CPUs", averages[0] > LOAD_PER_CPU * cpus


def pressure(look: Look) -> Seen:
    line = (look.box["load"]["cpu_pressure"] or "").partition("\n")[0]
    words = dict(word.split("=") for word in line.split() if "=" in word)
    if "avg10" not in words:
        return UNKNOWN
    return f"{words['avg10']} % of the last ten seconds something waited for a CPU", float(words["avg10"]) > PRESSURE


def steal(look: Look) -> Seen:
    """Since the box was started, as a share of the time of all CPUs: as it is flagged in a run."""
    times = together(list(cpu_times(look.host).values()))
    if times is None:
        return UNKNOWN
    return f"{times.steal_share:.2%} of the time since it was started", times.steal_share > STEAL


def virtual(look: Look) -> Seen:
    kind, around = look.box["virtualisation"], look.box["container"]
    fact = "none" if kind is None else f"a virtual machine ({kind})"
    if kind is None and not any(look.host.field("/proc/cpuinfo", name) for name in ("flags", "Features")):
        return UNKNOWN
    return (f"{fact}, in a container ({around})" if around else fact), kind is not None


def limit(name: str, least: int) -> Check:
    def check(look: Look) -> Seen:
        if name not in look.box["limits"]:
            return UNKNOWN
        limit = look.box["limits"][name]
        return ("unlimited" if limit is None else str(limit)), limit is not None and limit < least

    return check


def tasks(look: Look) -> Seen:
    limit = look.box["cgroup"]["tasks"]
    return (str(limit), limit < PROCESSES) if limit is not None else _unlimited(look)


def clock(look: Look) -> Seen:
    source = look.box["kernel"]["clocksource"]
    return (source, source not in GOOD_CLOCKS) if source else UNKNOWN


def aslr(look: Look) -> Seen:
    mode = look.box["kernel"]["aslr"]
    return UNKNOWN if mode is None else (f"mode {mode}", mode == 0)


def mitigations(look: Look) -> Seen:
    found = look.box["cpu"]["mitigations"]
    bare = sorted(name for name, state in found.items() if state.startswith("Vulnerable"))
    off = "mitigations=off" in look.box["kernel"]["command_line"]
    if not found and not off:
        return UNKNOWN
    return (f"not mitigated: {', '.join(bare)}" if bare else "in place, or not needed"), off


def lock(look: Look) -> Seen:
    who = None if look.run_lock is None else holder(look.run_lock)
    return ("none" if who is None else f"in progress ({who})"), who is not None
