"""The facts of a box stored in every run, its name, and what changed between two."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from corobench.environ import unused
from corobench.machine.proc import Host, choose, cpu_list, cpu_ranges, limits

CLASS = "COROBENCH_CLASS"  # of a fleet, as whom the box was asked
NAMED = "COROBENCH_BOX"
_CPU = "/sys/devices/system/cpu"
_MARKS = re.compile(r"\((R|TM|tm|r)\)|\bCPU\b|\bProcessor\b|@.*|\b\d+-Core\b")
_FLAGS = re.compile(
    r"isolcpus|nohz|rcu_nocb|mitigations|nosmt|nopti|spectre|intel_pstate|amd_pstate|idle|max_cstate|preempt|clocksource|tsc"
    r"|transparent_hugepage|hugepages|threadirqs|irqaffinity|numa|cgroup|haltpoll|skew_tick|maxcpus|nr_cpus|^mem="
)
# What the makers of virtual machines write into the firmware tables.
_MAKERS = {
    "qemu": "kvm",
    "kvm": "kvm",
    "amazon ec2": "kvm",
    "google": "kvm",
    "vmware": "vmware",
    "virtualbox": "virtualbox",
    "innotek": "virtualbox",
    "virtual machine": "hyperv",
    "xen": "xen",
    "firecracker": "kvm",
    "parallels": "parallels",
}
# Of an Arm CPU, by the architecture's list of implementers (MIDR_EL1).
_ARM = {
    "0x41": "Arm",
    "0x43": "Cavium",
    "0x48": "HiSilicon",
    "0x4e": "NVIDIA",
    "0x51": "Qualcomm",
    "0x61": "Apple",
    "0xc0": "Ampere",
}
_CLOCKS = {"kvm-clock": "kvm", "xen": "xen", "hyperv": "hyperv"}
_LIMITS = {
    "Max open files": "nofile",
    "Max processes": "nproc",
    "Max locked memory": "memlock",
    "Max stack size": "stack",
}


def box_facts(host: Host | None = None, environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Everything as plain JSON values; a fact that the box doesn't tell is None. Sizes in bytes,
    times as their unit says.
    """
    host = host or Host()
    environ = os.environ if environ is None else environ
    return {
        "name": box_name(host, environ),
        **({"class": environ[CLASS]} if environ.get(CLASS) else {}),
        "cpu": _cpu(host),
        "idle": _idle(host),
        "virtualisation": virtualisation(host),
        "container": container(host),
        "memory": _memory(host),
        "cgroup": _cgroup(host),
        "kernel": _kernel(host),
        "limits": resource_limits(host),
        "load": _load(host),
        "environment_unused": unused(environ),
    }


def box_name(host: Host, environ: Mapping[str, str]) -> str:
    """COROBENCH_BOX, or a stable name like amd-epyc-2cpu-kvm-3fa9c1: what it is, and a hash that
    tells it from its like.

    A box that has nothing of its own to be told by is called -alike: others may have its name, and
    COROBENCH_BOX helps.
    """
    if named := environ.get(NAMED):
        return re.sub(r"[^A-Za-z0-9._-]+", "-", named).strip("-.") or "box"
    model = _model(host)
    words = re.findall(r"[a-z0-9]+", _MARKS.sub(" ", model).lower())[:2] or ["unknown"]
    own = _identity(host)
    digest = hashlib.sha256(
        f"corobench {own or _product(host)} {model} {_online(host)}".encode()
    ).hexdigest()
    what = [*words, f"{len(_online(host))}cpu", virtualisation(host) or "metal", digest[:6]]
    return "-".join(what if own else [*what, "alike"])


def _identity(host: Host) -> str | None:
    """What no other box has: the system's own number, or (where an image comes without) the
    addresses of its network devices.
    """
    if number := host.text("/etc/machine-id") or host.text("/var/lib/dbus/machine-id"):
        return number
    # Only devices of the machine itself: a container's, say, get another address each time.
    addresses = host.texts("/sys/class/net/*/address").items()
    return (
        " ".join(
            text for path, text in addresses if host.exists(path.replace("/address", "/device"))
        )
        or None
    )


def virtualisation(host: Host) -> str | None:
    """The kind of virtual machine, "vm" for an unknown one, None on a machine of metal."""
    if kind := host.text("/sys/hypervisor/type"):
        return kind
    told = _product(host).lower()
    for maker, kind in _MAKERS.items():
        if maker in told:
            return kind
    if "microsoft" in (host.text("/proc/sys/kernel/osrelease") or "").lower():
        return "wsl"
    if "hypervisor" not in (host.field("/proc/cpuinfo", "flags") or "").split():
        return None
    clocks = host.text("/sys/devices/system/clocksource/clocksource0/available_clocksource") or ""
    return next((kind for clock, kind in _CLOCKS.items() if clock in clocks), "vm")


def container(host: Host) -> str | None:
    """The kind of container around us, None without one."""
    for path, kind in (("/.dockerenv", "docker"), ("/run/.containerenv", "podman")):
        if host.exists(path):
            return kind
    return host.text("/run/systemd/container")


def resource_limits(host: Host) -> dict[str, int | None]:
    """Soft limits of this process; None: unlimited."""
    found: dict[str, int | None] = {}
    for line in (host.text("/proc/self/limits") or "").splitlines():
        for title, name in _LIMITS.items():
            if line.startswith(title):
                soft = line.removeprefix(title).split()[0]
                found[name] = int(soft) if soft.isdigit() else None
    return found


def turbo(host: Host) -> bool | None:
    """Whether the clock may rise above its nominal rate."""
    if (off := host.number(f"{_CPU}/intel_pstate/no_turbo")) is not None:
        return off == 0
    boost = host.number(f"{_CPU}/cpufreq/boost")
    return None if boost is None else boost == 1


def governors(host: Host) -> list[str]:
    return sorted(set(host.texts(f"{_CPU}/cpu[0-9]*/cpufreq/scaling_governor").values()))


def _model(host: Host) -> str:
    """As /proc/cpuinfo names it; an Arm CPU by the numbers of its maker and part, which is all that
    it tells there.
    """
    if named := host.field("/proc/cpuinfo", "model name") or host.field("/proc/cpuinfo", "Model"):
        return named
    maker, part = (host.field("/proc/cpuinfo", f"CPU {name}") for name in ("implementer", "part"))
    return f"{_ARM.get(maker or '', maker)} {part}" if part else "unknown"


def _product(host: Host) -> str:
    return " ".join(
        host.text(f"/sys/class/dmi/id/{name}") or "" for name in ("sys_vendor", "product_name")
    ).strip()


def _online(host: Host) -> list[int]:
    return cpu_list(host.text(f"{_CPU}/online")) or [0]


def _cpu(host: Host) -> dict[str, Any]:
    allowed = host.field("/proc/self/status", "Cpus_allowed_list")
    free = cpu_list(allowed) or _online(host)
    chosen = choose(host, free)
    topology = {
        name: len(set(host.texts(f"{_CPU}/cpu[0-9]*/topology/{file}").values()))
        for name, file in (("packages", "physical_package_id"), ("cores", "core_cpus_list"))
    }
    return {
        "model": _model(host),
        "microcode": host.field("/proc/cpuinfo", "microcode"),
        "online": len(_online(host)),
        "allowed": allowed,
        # None: on all that are allowed
        "measured_on": cpu_ranges(chosen.cpus) if chosen.cpus != free else None,
        "kind": chosen.kind or None,
        "left_out": {kind: cpu_ranges(cpus) for kind, cpus in chosen.left_out.items()},
        **topology,
        "numa_nodes": len(host.texts("/sys/devices/system/node/node[0-9]*/cpulist")) or None,
        "smt": {"1": True, "0": False}.get(host.text(f"{_CPU}/smt/active") or ""),
        "caches": _caches(host),
        "governors": governors(host),
        "frequency_driver": host.text(f"{_CPU}/cpu0/cpufreq/scaling_driver"),
        "turbo": turbo(host),
        "mitigations": {
            path.rpartition("/")[2]: text
            for path, text in host.texts(f"{_CPU}/vulnerabilities/*").items()
        },
    }


def _caches(host: Host) -> dict[str, str]:
    """Size and sharers of the first CPU's caches: {"L1 Data": "32K of CPUs 0-1"}."""
    found = {}
    for path in host.texts(f"{_CPU}/cpu0/cache/index*/level"):
        folder = path.removesuffix("/level")
        level, kind, size, shared = (
            host.text(f"{folder}/{name}") for name in ("level", "type", "size", "shared_cpu_list")
        )
        found[f"L{level} {kind}"] = f"{size} of CPUs {shared}"
    return found


def _idle(host: Host) -> dict[str, Any]:
    states = host.texts(f"{_CPU}/cpu0/cpuidle/state*/name")
    return {
        "driver": host.text(f"{_CPU}/cpuidle/current_driver"),
        "governor": host.text(f"{_CPU}/cpuidle/current_governor"),
        "latency_us": {
            name: host.number(path.replace("/name", "/latency")) for path, name in states.items()
        },
        "halt_poll": {
            path.rpartition("/")[2]: text
            for path, text in host.texts("/sys/module/haltpoll/parameters/*").items()
        },
    }


def _memory(host: Host) -> dict[str, Any]:
    thp = "/sys/kernel/mm/transparent_hugepage"
    return {
        "total": _bytes(host.field("/proc/meminfo", "MemTotal")),
        "swap": _bytes(host.field("/proc/meminfo", "SwapTotal")),
        "swappiness": host.number("/proc/sys/vm/swappiness"),
        "thp": host.choice(f"{thp}/enabled"),
        "thp_defrag": host.choice(f"{thp}/defrag"),
        "overcommit": host.number("/proc/sys/vm/overcommit_memory"),
        "max_map_count": host.number("/proc/sys/vm/max_map_count"),
    }


def _cgroup(host: Host) -> dict[str, Any]:
    found = limits(host)
    return {"cpus": found.cpus, "memory": found.memory, "tasks": found.tasks}


def _kernel(host: Host) -> dict[str, Any]:
    clock = "/sys/devices/system/clocksource/clocksource0"
    return {
        "release": host.text("/proc/sys/kernel/osrelease"),
        "version": host.text("/proc/sys/kernel/version"),
        "command_line": [
            word for word in (host.text("/proc/cmdline") or "").split() if _FLAGS.search(word)
        ],
        "clocksource": host.text(f"{clock}/current_clocksource"),
        "aslr": host.number("/proc/sys/kernel/randomize_va_space"),
        "autogroup": host.number("/proc/sys/kernel/sched_autogroup_enabled"),
    }


def _load(host: Host) -> dict[str, Any]:
    return {
        "average": [float(word) for word in (host.text("/proc/loadavg") or "").split()[:3]],
        "cpu_pressure": host.text("/proc/pressure/cpu"),
        "memory_pressure": host.text("/proc/pressure/memory"),
    }


def _bytes(text: str | None) -> int | None:
    return None if text is None else int(text.split()[0]) * 1024


# Readings of a moment: each run carries its own contamination flags for them.
MOMENTARY = frozenset(
    {
        "load",
        "loadavg",
        "pressure",
        "mhz",
        "uptime",
        "boot",
        "available",
        "free",
        "used",
        "warnings",
        "time",
        "created",
        "temperature",
    }
)


def changes(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, tuple[object, object]]:
    """Every fact that differs, under its dotted name, before and after (None: absent); readings of
    a moment aside.
    """
    first, second = dict(leaves(before)), dict(leaves(after))
    return {
        key: (first.get(key), second.get(key))
        for key in sorted(first.keys() | second.keys())
        if first.get(key) != second.get(key)
        and not any(_momentary(part) for part in key.split("."))
    }


def _momentary(part: str) -> bool:
    return not MOMENTARY.isdisjoint(part.lower().replace("-", "_").split("_"))


def leaves(facts: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Each fact under its dotted name."""
    for key, value in facts.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
