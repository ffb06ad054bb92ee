"""What on this box disturbs measurements, what that means for the numbers, and what to do about it.
Changes nothing.

None: the box doesn't tell, as in a container or without the right to read; that is neither ok nor a
warning.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from corobench.locks import holder
from corobench.machine.facts import box_facts
from corobench.machine.proc import Host, cpu_list, cpu_times, has_counters, limits, together

# Thresholds: those of flags where there are such (statistics/diagnostics.py).
STEAL = 0.01
PRESSURE = 1.0  # percent of the last ten seconds in which something waited for a CPU
LOAD_PER_CPU = 0.1
FILES = 4096
PROCESSES = 4096
DEEP_IDLE_US = 50
GOOD_CLOCKS = {"tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page"}


class Look(msgspec.Struct, frozen=True):
    """What a check may look at: the box's files, what box_facts made of them, and where a run's
    lock would lie.
    """

    host: Host
    box: dict[str, Any]
    run_lock: Path | None


Seen = tuple[str, bool | None]
Check = Callable[[Look], Seen]
UNKNOWN: Seen = ("the box doesn't tell", None)


def governor(look: Look) -> Seen:
    found = look.box["cpu"]["governors"]
    return (
        (", ".join(found), any(governor != "performance" for governor in found))
        if found
        else UNKNOWN
    )


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
    file = limits(look.host).memory_file
    return f"{limit / 2**30:.1f} GiB{f' ({file})' if file else ''}", limit < 4 * 2**30


def _unlimited(look: Look) -> Seen:
    """Without a limit in sight: none where the control groups can be read."""
    return ("none", False) if look.host.exists("/sys/fs/cgroup") else UNKNOWN


def cpuset(look: Look) -> Seen:
    allowed, online = cpu_list(look.box["cpu"]["allowed"]), look.box["cpu"]["online"]
    return f"{len(allowed) or online} of {online} CPUs allowed", 0 < len(
        allowed
    ) < online or online < 2


def idle(look: Look) -> Seen:
    deepest = max(
        (us for us in look.box["idle"]["latency_us"].values() if us is not None), default=None
    )
    if deepest is None:
        return UNKNOWN
    return f"the deepest state takes {deepest} us to leave", deepest > DEEP_IDLE_US


def swap(look: Look) -> Seen:
    size = look.box["memory"]["swap"]
    return UNKNOWN if size is None else (f"{size / 2**30:.1f} GiB" if size else "none", size > 0)


def counters(look: Look) -> Seen:
    """Hardware counters, which root may always read."""
    if not has_counters(look.host):
        return UNKNOWN
    level = look.host.number("/proc/sys/kernel/perf_event_paranoid")
    if level is None:
        return UNKNOWN
    return f"kernel.perf_event_paranoid is {level}", level > 1 and os.geteuid() != 0


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
    return f"{averages[0]:.2f} over the last minute, on {cpus} CPUs", averages[
        0
    ] > LOAD_PER_CPU * cpus


def pressure(look: Look) -> Seen:
    line = (look.box["load"]["cpu_pressure"] or "").partition("\n")[0]
    words = dict(word.split("=") for word in line.split() if "=" in word)
    if "avg10" not in words:
        return UNKNOWN
    return f"{words['avg10']} % of the last ten seconds something waited for a CPU", float(
        words["avg10"]
    ) > PRESSURE


def steal(look: Look) -> Seen:
    """Since the box was started, as a share of the time of all CPUs: as it is flagged in a run."""
    times = together(list(cpu_times(look.host).values()))
    if times is None:
        return UNKNOWN
    return f"{times.steal_share:.2%} of the time since it was started", times.steal_share > STEAL


def virtual(look: Look) -> Seen:
    kind, around = look.box["virtualisation"], look.box["container"]
    fact = "none" if kind is None else f"a virtual machine ({kind})"
    if kind is None and not any(
        look.host.field("/proc/cpuinfo", name) for name in ("flags", "Features")
    ):
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


PASSING = frozenset({"load", "cpu pressure", "another run"})


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing about the box: the fact, whether it disturbs, what it means for the numbers, what
    to do about it.

    `known`: whether the box tells at all; what it doesn't tell is neither in order nor warned of.
    """

    name: str
    fact: str
    warns: bool
    meaning: str
    remedy: str
    known: bool = True


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What `doctor` found, and the facts that a run would store."""

    box: dict[str, Any]
    findings: list[Finding]


def examine(
    host: Host | None = None,
    environ: Mapping[str, str] | None = None,
    run_lock: Path | None = None,
    missing: Mapping[str, tuple[str, str]] | None = None,
) -> Report:
    """Each check reports, whether it warns or not. `missing` maps a language, or hyperfine, to the
    reason and what helps.
    """
    host = host or Host()
    look = Look(host, box_facts(host, os.environ if environ is None else environ), run_lock)
    findings = [
        _finding(name, check(look), meaning, remedy)
        for name, (check, meaning, remedy) in CHECKS.items()
    ]
    for language, (reason, remedy) in (missing or {}).items():
        findings.append(
            _finding(
                f"toolchain {language}",
                (reason, True),
                "What needs it stands on the page as missing.",
                remedy,
            )
        )
    return Report(box=look.box, findings=findings)


def lasting(report: Report) -> list[str]:
    """What it warns of that holds as long as the box is as it is, in a few words each: a run keeps
    it.

    Not what passes: the builds before a run load the box too, and each of its invocations has a
    witness of its own.
    """
    found = (
        finding for finding in report.findings if finding.warns and finding.name not in PASSING
    )
    return [f"{finding.name}: {finding.fact}" for finding in found]


def _finding(name: str, seen: Seen, meaning: str, remedy: str) -> Finding:
    fact, warns = seen
    return Finding(
        name=name,
        fact=fact,
        warns=bool(warns),
        meaning=meaning,
        remedy=remedy,
        known=warns is not None,
    )


CHECKS: dict[str, tuple[Check, str, str]] = {
    "governor": (
        governor,
        "The clock follows the load, so short and quiet programs run slower than busy ones.",
        "cpupower frequency-set -g performance (as root, until the next boot)",
    ),
    "turbo": (
        turbo,
        "The clock depends on heat and on what the other cores do: runs drift, and one-cpu looks "
        "better than all-cpus.",
        "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo, or echo 0 > "
        "/sys/devices/system/cpu/cpufreq/boost (as root)",
    ),
    "smt": (
        smt,
        "Two CPUs share a core: what runs on one slows the other, and all-cpus scales less than "
        "the number of CPUs says.",
        "echo off > /sys/devices/system/cpu/smt/control (as root), or read all-cpus with "
        "this in mind",
    ),
    "cpu quota": (
        quota,
        "When the quota is used up the kernel stops the group for milliseconds: lateness and "
        "tails show that, not a runtime.",
        "run outside the limited container, or raise its CPU limit",
    ),
    "memory limit": (
        memory_limit,
        "The largest points of memory and tree may show as 'did not finish': at memory.max "
        "programs are ended, above memory.high the kernel slows them down.",
        "raise the container's memory limit (memory.max and memory.high) to 4 GiB or more",
    ),
    "cpuset": (
        cpuset,
        "Runtimes size themselves by the CPUs they may use; with a single one there is no "
        "all-cpus track worth the name.",
        "run without taskset or cpuset, on two CPUs or more",
    ),
    "idle states": (
        idle,
        "Waking a sleeping core takes that long: hand-offs across cores and timers look slow on "
        "a quiet box.",
        "cpupower idle-set -D 20 (as root), and compare with the wake-up calibration on the page",
    ),
    "swap": (
        swap,
        "Memory that was swapped out is counted, but touching it again is timed as work.",
        "swapoff -a (as root) while measuring",
    ),
    "huge pages": (
        thp,
        "Memory grows in steps of 2 MiB: bytes per task are overstated at small N and first "
        "touches are cheaper.",
        "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled (as root)",
    ),
    "overcommit": (
        overcommit,
        "Runtimes that reserve much address space (Go, Node, the JVM, threads' stacks) may fail "
        "to start or at large N.",
        "sysctl vm.overcommit_memory=0 (as root)",
    ),
    "autogroup": (
        autogroup,
        "The scheduler shares the CPUs among sessions first: another busy one takes half, however "
        "much runs here.",
        "corobench run --priority, or sysctl kernel.sched_autogroup_enabled=0 (as root)",
    ),
    "load": (
        load,
        "Others use the CPUs; it slows runtimes unequally (Go against tokio moved from 0.67 to "
        "1.15), and cases get flagged.",
        "end what runs beside, and wait until the load is near zero",
    ),
    "cpu pressure": (
        pressure,
        "Something waits for a CPU right now.",
        "end what runs beside; in a container the neighbours count too",
    ),
    "steal": (
        steal,
        "The host runs others in our time: tails and medians are theirs as much as ours.",
        "use a dedicated or a bare-metal instance; here, trust floor and CPU time more "
        "than wall time",
    ),
    "virtual machine": (
        virtual,
        "Waking an idle core leaves the guest and costs up to 25 times as much; caches and clock "
        "are shared with strangers.",
        "use bare metal for numbers about wake-ups; ratios of CPU-bound workloads carry over",
    ),
    "hardware counters": (
        counters,
        "corobench count can't read the processor's own counters: cycles, branch misses, what the "
        "kernel does.",
        "sysctl kernel.perf_event_paranoid=1 (as root)",
    ),
    "open files": (
        limit("nofile", FILES),
        "Workloads over sockets can't open one a task and fail.",
        f"ulimit -n {FILES * 16}",
    ),
    "processes": (
        limit("nproc", PROCESSES),
        "Runtimes that use threads fail at large N.",
        f"ulimit -u {PROCESSES * 8}",
    ),
    "task limit": (
        tasks,
        "The control group refuses more threads than this.",
        "raise the container's pids limit",
    ),
    "clock": (
        clock,
        "Reading this clock enters the kernel or the firmware and takes microseconds: short "
        "regions measure the clock.",
        "boot with clocksource=tsc where the CPU's counter is stable",
    ),
    "address layout": (
        aslr,
        "All processes get the same layout, so its accidents don't average out (Mytkowicz 2009, "
        "STABILIZER).",
        "sysctl kernel.randomize_va_space=2 (as root)",
    ),
    "mitigations": (
        mitigations,
        "Without them system calls and switches are cheaper than where users run.",
        "boot without mitigations=off, or compare only with boxes that do the same",
    ),
    "another run": (
        lock,
        "Two runs measure each other; a second one refuses to start.",
        "wait for it or end it",
    ),
}
