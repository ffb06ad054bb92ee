"""Which CPUs a run uses: one kind of core, the fastest, and no more than a CPU quota can keep busy.

A box may have cores of several kinds (performance and efficiency cores, big and little ones): a
program that moves between them has two speeds, and two programs on unlike cores can't be compared.
Reads files under a Host; starts nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache

import msgspec

from corobench.machine.proc import Host, cpu_list, limits

_CPU = "/sys/devices/system/cpu"
# Intel's hybrid CPUs: the kernel's perf devices name the kinds, fastest first
# (Documentation/arch/x86/topology.rst).
_NAMED = {
    "cpu_core": "performance cores",
    "cpu_atom": "efficiency cores",
    "cpu_lowpower": "low-power efficiency cores",
}
# of the fastest clock or capacity: cores that the maker only prefers for turbo differ by some 6 %
_ALIKE = 0.85


class Kind(msgspec.Struct, frozen=True):
    """The CPUs of one kind of core; `name` in words, for the page."""

    name: str
    cpus: list[int]


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """The CPUs that programs may use. `kind` is empty where all cores are alike.

    `left_out`: kind -> CPUs that are allowed and not used for being of another kind. `quota`: the
    CPU quota, where it decides.
    """

    cpus: list[int]
    kind: str = ""
    left_out: dict[str, list[int]] = {}
    quota: float | None = None


def kinds(host: Host) -> list[Kind]:
    """The kinds of core of a box, fastest first; one alone where they are alike or the box doesn't
    tell.
    """
    named = [
        Kind(name, cpu_list(host.text(f"/sys/devices/{device}/cpus")))
        for device, name in _NAMED.items()
    ]
    if len(found := [kind for kind in named if kind.cpus]) > 1:
        return found
    for file, what in (("cpu_capacity", "capacity"), ("cpufreq/cpuinfo_max_freq", "clock")):
        speeds = {
            _number(path): int(text)
            for path, text in host.texts(f"{_CPU}/cpu[0-9]*/{file}").items()
            if text.isdigit()
        }
        if len(groups := _groups(speeds)) > 1:
            return [
                Kind(f"cores of the {_rank(place)} {what} ({speed:,})", cpus)
                for place, (speed, cpus) in enumerate(groups)
            ]
    return [Kind("", cpu_list(host.text(f"{_CPU}/online")))]


def choose(host: Host, allowed: Iterable[int]) -> Choice:
    """Of the allowed CPUs those to use: of the fastest kind that is among them, whole cores first
    under a quota.
    """
    free = sorted(set(allowed))
    of_kind = {kind.name: [cpu for cpu in kind.cpus if cpu in free] for kind in kinds(host)}
    present = {name: cpus for name, cpus in of_kind.items() if cpus}
    if not present:  # a box that doesn't list its CPUs
        present = {"": free}
    (name, cpus), *others = present.items()
    quota = limits(host).cpus
    if quota is None or quota >= len(cpus):
        return Choice(cpus=cpus, kind=name, left_out=dict(others))
    wanted = max(1, int(quota))
    return Choice(
        cpus=sorted(cores_first(host, cpus)[:wanted]), kind=name, left_out=dict(others), quota=quota
    )


def usable() -> frozenset[int]:
    """The CPUs that programs of this process may use."""
    return _usable(frozenset(os.sched_getaffinity(0)))


@lru_cache(maxsize=8)
def _usable(allowed: frozenset[int]) -> frozenset[int]:
    return frozenset(choose(Host(), allowed).cpus)


def cores_first(host: Host, cpus: list[int]) -> list[int]:
    """One CPU of each core before the second of any, the last cores first, since interrupts prefer
    the first CPUs.
    """
    seen: dict[str, int] = {}
    order = []
    for cpu in reversed(cpus):
        core = host.text(f"{_CPU}/cpu{cpu}/topology/core_cpus_list") or str(cpu)
        order.append((seen.get(core, 0), -cpu))
        seen[core] = seen.get(core, 0) + 1
    return [-cpu for _, cpu in sorted(order)]


def _groups(speeds: dict[int, int]) -> list[tuple[int, list[int]]]:
    """CPUs of like speed together, fastest first, with the fastest speed of each group."""
    found: list[tuple[int, list[int]]] = []
    for cpu, speed in sorted(speeds.items(), key=lambda one: (-one[1], one[0])):
        if found and speed >= _ALIKE * found[-1][0]:
            found[-1][1].append(cpu)
        else:
            found.append((speed, [cpu]))
    return [(speed, sorted(cpus)) for speed, cpus in found]


def _number(path: str) -> int:
    """12 of /sys/devices/system/cpu/cpu12/..."""
    return int(path.removeprefix(f"{_CPU}/cpu").partition("/")[0])


def _rank(place: int) -> str:
    return ("highest", "second highest", "third highest", "lowest")[min(place, 3)]
