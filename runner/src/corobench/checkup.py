"""The checks of `doctor`: what each sees on the box, in words, and whether it disturbs measurements."""

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


Check = Callable[[Look], tuple[str, bool]]


def governor(look: Look) -> tuple[str, bool]:
    found = look.box["cpu"]["governors"]
    return ", ".join(found) or "the box doesn't tell", any(governor != "performance" for governor in found)


def turbo(look: Look) -> tuple[str, bool]:
    on = look.box["cpu"]["turbo"]
    return {True: "on", False: "off", None: "the box doesn't tell"}[on], on is True


def smt(look: Look) -> tuple[str, bool]:
    on = look.box["cpu"]["smt"]
    return {True: "on", False: "off", None: "the box doesn't tell"}[on], on is True


def quota(look: Look) -> tuple[str, bool]:
    quota = look.box["cgroup"]["cpus"]
    return ("none" if quota is None else f"{quota:g} CPUs"), quota is not None


def memory_limit(look: Look) -> tuple[str, bool]:
    limit, total = look.box["cgroup"]["memory"], look.box["memory"]["total"]
    if limit is None or (total is not None and limit >= total):
        return "none", False
    return f"{limit / 2**30:.1f} GiB", limit < 4 * 2**30


def cpuset(look: Look) -> tuple[str, bool]:
    allowed, online = cpu_list(look.box["cpu"]["allowed"]), look.box["cpu"]["online"]
    return f"{len(allowed) or online} of {online} CPUs allowed", 0 < len(allowed) < online or online < 2


def idle(look: Look) -> tuple[str, bool]:
    deepest = max((us for us in look.box["idle"]["latency_us"].values() if us is not None), default=None)
    if deepest is None:
        return "the box doesn't tell", False
    return f"the deepest state takes {deepest} us to leave", deepest > DEEP_IDLE_US


def swap(look: Look) -> tuple[str, bool]:
    size = look.box["memory"]["swap"] or 0
    return (f"{size / 2**30:.1f} GiB" if size else "none"), size > 0


def thp(look: Look) -> tuple[str, bool]:
    choice = look.box["memory"]["thp"]
    return choice or "the box doesn't tell", choice == "always"


def overcommit(look: Look) -> tuple[str, bool]:
    mode = look.box["memory"]["overcommit"]
    return ("the box doesn't tell" if mode is None else f"mode {mode}"), mode == 2


def autogroup(look: Look) -> tuple[str, bool]:
    on = look.box["kernel"]["autogroup"] == 1
    return ("on" if on else "off"), on


def load(look: Look) -> tuple[str, bool]:
    averages, cpus = look.box["load"]["average"], look.box["cpu"]["online"]
    if not averages:
        return "the box doesn't tell", False
    return f"{averages[0]:.2f} over the last minute, on {cpus} CPUs", averages[0] > LOAD_PER_CPU * cpus


def pressure(look: Look) -> tuple[str, bool]:
    line = (look.box["load"]["cpu_pressure"] or "").partition("\n")[0]
    words = dict(word.split("=") for word in line.split() if "=" in word)
    if "avg10" not in words:
        return "the box doesn't tell", False
    return f"{words['avg10']} % of the last ten seconds something waited for a CPU", float(words["avg10"]) > PRESSURE


def steal(look: Look) -> tuple[str, bool]:
    """Since the box was started, as a share of the time of all CPUs: as it is flagged in a run."""
    times = together(list(cpu_times(look.host).values()))
    if times is None:
        return "the box doesn't tell", False
    return f"{times.steal_share:.2%} of the time since it was started", times.steal_share > STEAL


def virtual(look: Look) -> tuple[str, bool]:
    kind, around = look.box["virtualisation"], look.box["container"]
    fact = "none" if kind is None else f"a virtual machine ({kind})"
    return (f"{fact}, in a container ({around})" if around else fact), kind is not None


def limit(name: str, least: int) -> Check:
    def check(look: Look) -> tuple[str, bool]:
        if name not in look.box["limits"]:
            return "the box doesn't tell", False
        limit = look.box["limits"][name]
        return ("unlimited" if limit is None else str(limit)), limit is not None and limit < least

    return check


def tasks(look: Look) -> tuple[str, bool]:
    limit = look.box["cgroup"]["tasks"]
    return ("none" if limit is None else str(limit)), limit is not None and limit < PROCESSES


def clock(look: Look) -> tuple[str, bool]:
    source = look.box["kernel"]["clocksource"]
    return source or "the box doesn't tell", source is not None and source not in GOOD_CLOCKS


def aslr(look: Look) -> tuple[str, bool]:
    mode = look.box["kernel"]["aslr"]
    return ("the box doesn't tell" if mode is None else f"mode {mode}"), mode == 0


def mitigations(look: Look) -> tuple[str, bool]:
    found = look.box["cpu"]["mitigations"]
    bare = sorted(name for name, state in found.items() if state.startswith("Vulnerable"))
    off = "mitigations=off" in look.box["kernel"]["command_line"]
    return (f"not mitigated: {', '.join(bare)}" if bare else "in place, or not needed"), off


def lock(look: Look) -> tuple[str, bool]:
    who = None if look.run_lock is None else holder(look.run_lock)
    return ("none" if who is None else f"in progress ({who})"), who is not None
