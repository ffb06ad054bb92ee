"""Says what of this box disturbs measurements, what that means for the numbers and what to do about it. Changes nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from corobench import checkup
from corobench.box import box_facts
from corobench.checkup import Check, Look, Seen
from corobench.host import Host

PASSING = frozenset({"load", "cpu pressure", "another run"})


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing about the box: the fact, whether it disturbs, what it means for the numbers, what to do about it.

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
    """Each check reports, whether it warns or not. `missing` maps a language, or hyperfine, to the reason and what helps."""
    host = host or Host()
    look = Look(host, box_facts(host, os.environ if environ is None else environ), run_lock)
    findings = [_finding(name, check(look), meaning, remedy) for name, (check, meaning, remedy) in CHECKS.items()]
    for language, (reason, remedy) in (missing or {}).items():
        findings.append(_finding(f"toolchain {language}", (reason, True), "What needs it stands on the page as missing.", remedy))
    return Report(box=look.box, findings=findings)


def lasting(report: Report) -> list[str]:
    """What it warns of that holds as long as the box is as it is, in a few words each: a run keeps it.

    Not what passes: the builds before a run load the box too, and each of its invocations has a witness of its own.
    """
    found = (finding for finding in report.findings if finding.warns and finding.name not in PASSING)
    return [f"{finding.name}: {finding.fact}" for finding in found]


def _finding(name: str, seen: Seen, meaning: str, remedy: str) -> Finding:
    fact, warns = seen
    return Finding(name=name, fact=fact, warns=bool(warns), meaning=meaning, remedy=remedy, known=warns is not None)


CHECKS: dict[str, tuple[Check, str, str]] = {
    "governor": (
        checkup.governor,
        "The clock follows the load, so short and quiet programs run slower than busy ones.",
        "cpupower frequency-set -g performance (as root, until the next boot)",
    ),
    "turbo": (
        checkup.turbo,
        "The clock depends on heat and on what the other cores do: runs drift, and one-cpu looks better than all-cpus.",
        "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo, or echo 0 > /sys/devices/system/cpu/cpufreq/boost (as root)",
    ),
    "smt": (
        checkup.smt,
        "Two CPUs share a core: what runs on one slows the other, and all-cpus scales less than the number of CPUs says.",
        "echo off > /sys/devices/system/cpu/smt/control (as root), or read all-cpus with this in mind",
    ),
    "cpu quota": (
        checkup.quota,
        "When the quota is used up the kernel stops the group for milliseconds: lateness and tails show that, not a runtime.",
        "run outside the limited container, or raise its CPU limit",
    ),
    "memory limit": (
        checkup.memory_limit,
        "The largest points of memory and tree may be ended for lack of memory and show as 'did not finish'.",
        "raise the container's memory limit to 4 GiB or more",
    ),
    "cpuset": (
        checkup.cpuset,
        "Runtimes size themselves by the CPUs they may use; with a single one there is no all-cpus track worth the name.",
        "run without taskset or cpuset, on two CPUs or more",
    ),
    "idle states": (
        checkup.idle,
        "Waking a sleeping core takes that long: hand-offs across cores and timers look slow on a quiet box.",
        "cpupower idle-set -D 20 (as root), and compare with the wake-up calibration on the page",
    ),
    "swap": (
        checkup.swap,
        "Memory that was swapped out is counted, but touching it again is timed as work.",
        "swapoff -a (as root) while measuring",
    ),
    "huge pages": (
        checkup.thp,
        "Memory grows in steps of 2 MiB: bytes per task are overstated at small N and first touches are cheaper.",
        "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled (as root)",
    ),
    "overcommit": (
        checkup.overcommit,
        "Runtimes that reserve much address space (Go, Node, the JVM, threads' stacks) may fail to start or at large N.",
        "sysctl vm.overcommit_memory=0 (as root)",
    ),
    "autogroup": (
        checkup.autogroup,
        "The scheduler shares the CPUs among sessions first: another busy one takes half, however much runs here.",
        "corobench run --priority, or sysctl kernel.sched_autogroup_enabled=0 (as root)",
    ),
    "load": (
        checkup.load,
        "Others use the CPUs; it slows runtimes unequally (Go against tokio moved from 0.67 to 1.15), and cases get flagged.",
        "end what runs beside, and wait until the load is near zero",
    ),
    "cpu pressure": (
        checkup.pressure,
        "Something waits for a CPU right now.",
        "end what runs beside; in a container the neighbours count too",
    ),
    "steal": (
        checkup.steal,
        "The host runs others in our time: tails and medians are theirs as much as ours.",
        "use a dedicated or a bare-metal instance; here, trust floor and CPU time more than wall time",
    ),
    "virtual machine": (
        checkup.virtual,
        "Waking an idle core leaves the guest and costs up to 25 times as much; caches and clock are shared with strangers.",
        "use bare metal for numbers about wake-ups; ratios of CPU-bound workloads carry over",
    ),
    "open files": (
        checkup.limit("nofile", checkup.FILES),
        "Workloads over sockets can't open one a task and fail.",
        f"ulimit -n {checkup.FILES * 16}",
    ),
    "processes": (
        checkup.limit("nproc", checkup.PROCESSES),
        "Runtimes that use threads fail at large N.",
        f"ulimit -u {checkup.PROCESSES * 8}",
    ),
    "task limit": (
        checkup.tasks,
        "The control group refuses more threads than this.",
        "raise the container's pids limit",
    ),
    "clock": (
        checkup.clock,
        "Reading this clock enters the kernel or the firmware and takes microseconds: short regions measure the clock.",
        "boot with clocksource=tsc where the CPU's counter is stable",
    ),
    "address layout": (
        checkup.aslr,
        "All processes get the same layout, so its accidents don't average out (Mytkowicz 2009, STABILIZER).",
        "sysctl kernel.randomize_va_space=2 (as root)",
    ),
    "mitigations": (
        checkup.mitigations,
        "Without them system calls and switches are cheaper than where users run.",
        "boot without mitigations=off, or compare only with boxes that do the same",
    ),
    "another run": (
        checkup.lock,
        "Two runs measure each other; a second one refuses to start.",
        "wait for it or end it",
    ),
}
