"""Reads /proc, /sys and cgroups, and tells from them which CPUs a run uses.

A run uses one kind of core, the fastest, and no more than a CPU quota can keep busy. A box may have
cores of several kinds (performance and efficiency cores, big and little ones): a program that moves
between them has two speeds, and two programs on unlike cores can't be compared. Reads files under a
Host; starts nothing.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec


class Host(msgspec.Struct, frozen=True):
    """A box as its files tell it. What a file doesn't say, or we may not read, is None."""

    root: Path = Path("/")

    def text(self, path: str) -> str | None:
        """A file's text without surrounding blanks; None where it is absent, unreadable or
        empty.
        """
        try:
            return (self.root / path.lstrip("/")).read_text(errors="replace").strip() or None
        except OSError:
            return None

    def number(self, path: str) -> int | None:
        text = self.text(path)
        try:
            return None if text is None else int(text.split()[0])
        except ValueError:
            return None

    def texts(self, pattern: str) -> dict[str, str]:
        """Text by path relative to the root, of the files that match a glob and can be read, in
        order.
        """
        paths = sorted(path.relative_to(self.root) for path in self.root.glob(pattern.lstrip("/")))
        found = {f"/{path}": self.text(f"/{path}") for path in paths}
        return {path: text for path, text in found.items() if text is not None}

    def exists(self, path: str) -> bool:
        return (self.root / path.lstrip("/")).exists()

    def field(self, path: str, name: str) -> str | None:
        """The value of a `name: value` line, such as those of /proc/meminfo and /proc/cpuinfo."""
        for line in (self.text(path) or "").splitlines():
            key, colon, value = line.partition(":")
            if colon and key.strip() == name:
                return value.strip()
        return None

    def choice(self, path: str) -> str | None:
        """What is chosen in a file like `always [madvise] never`."""
        text = self.text(path)
        if text is None or "[" not in text:
            return text
        return text.partition("[")[2].partition("]")[0]


def cpu_list(text: str | None) -> list[int]:
    """The numbers in a list like `0-3,8`; none where it is unknown."""
    numbers: list[int] = []
    for part in (text or "").split(","):
        first, _, last = part.strip().partition("-")
        if first.isdigit():
            numbers += range(int(first), int(last or first) + 1)
    return numbers


def cpu_ranges(cpus: list[int]) -> str:
    """`0-3,8` of sorted numbers; the inverse of `cpu_list`."""
    ranges: list[list[int]] = []
    for cpu in cpus:
        if ranges and cpu == ranges[-1][-1] + 1:
            ranges[-1][1:] = [cpu]
        else:
            ranges.append([cpu])
    return ",".join("-".join(map(str, ends)) for ends in ranges)


# Above memory.high a group isn't ended but slowed down: no place to measure in either.
_MEMORY_LIMITS = ("memory.max", "memory.high")
_OLD_MEMORY_LIMIT = "memory.limit_in_bytes"


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What the control groups around this process allow: CPUs, bytes, tasks. None: no limit.

    `memory_file` names what sets the bytes: at memory.max processes are ended, above memory.high
    they are slowed down.
    """

    cpus: float | None
    memory: int | None
    memory_file: str | None
    tasks: int | None


def limits(host: Host) -> Limits:
    """The tightest limit of this process's group and all above it (version 2, or the version 1
    files of a container).
    """
    cpus: list[float] = []
    memory: list[tuple[int, str]] = []
    tasks: list[float] = []
    for folder in _groups(host):
        for name, values in (("cpu.max", cpus), ("pids.max", tasks)):
            words = (host.text(f"{folder}/{name}") or "max").split()
            if words[0].isdigit():
                values.append(int(words[0]) / (int(words[1]) if len(words) > 1 else 1))
        for name in _MEMORY_LIMITS:
            if (most := host.text(f"{folder}/{name}") or "max").isdigit():
                memory.append((int(most), name))
    quota, period = (
        host.number(f"/sys/fs/cgroup/cpu/cpu.cfs_{name}_us") for name in ("quota", "period")
    )
    if quota and period and quota > 0:
        cpus.append(quota / period)
    old_memory = host.number(f"/sys/fs/cgroup/memory/{_OLD_MEMORY_LIMIT}")
    if old_memory and old_memory < 2**60:  # version 1 writes "no limit" as a huge number
        memory.append((old_memory, _OLD_MEMORY_LIMIT))
    # Of the same bytes memory.high comes first, which is also reached first.
    most_memory, file = min(memory, default=(None, None))
    return Limits(
        cpus=min(cpus, default=None),
        memory=most_memory,
        memory_file=file,
        tasks=int(min(tasks)) if tasks else None,
    )


def throttled(host: Host) -> int:
    """In how many periods, since boot, the control groups around this process were stopped for
    having used up their CPU quota.
    """
    files = [*(f"{folder}/cpu.stat" for folder in _groups(host)), "/sys/fs/cgroup/cpu/cpu.stat"]
    lines = [line.split() for file in files for line in (host.text(file) or "").splitlines()]
    return max((int(words[1]) for words in lines if words[0] == "nr_throttled"), default=0)


def oom_kills(host: Host) -> int:
    """How many processes the kernel has ended since boot because memory ran out: of this group,
    else of the box.
    """
    for folder in reversed(_groups(host)):
        if (found := _counter(host, f"{folder}/memory.events", "oom_kill")) is not None:
            return found
    return _counter(host, "/proc/vmstat", "oom_kill") or 0


def free_memory(host: Host) -> int | None:
    """Bytes that can be had now: what the box has available, or less where a control group around
    this process has less left.
    """
    available = host.field("/proc/meminfo", "MemAvailable")
    rooms = [] if available is None else [int(available.split()[0]) * 1024]
    for folder in _groups(host):
        for limit in _MEMORY_LIMITS:
            rooms += _room(host, folder, limit, "memory.current", "inactive_file")
    for folder in _groups(host, "memory"):
        rooms += _room(
            host, folder, _OLD_MEMORY_LIMIT, "memory.usage_in_bytes", "total_inactive_file"
        )
    return min(rooms, default=None)


def _room(host: Host, folder: str, limit: str, usage: str, droppable: str) -> list[int]:
    """What a group may still take, if it is limited at all; the cache of files that it can drop is
    free.
    """
    most, used = host.text(f"{folder}/{limit}") or "max", host.number(f"{folder}/{usage}")
    if not most.isdigit() or used is None:
        return []
    return [max(0, int(most) - used + (_counter(host, f"{folder}/memory.stat", droppable) or 0))]


def _counter(host: Host, path: str, name: str) -> int | None:
    """The number in a line `name 123` of a file."""
    words = (line.split() for line in (host.text(path) or "").splitlines())
    return next((int(pair[1]) for pair in words if len(pair) == 2 and pair[0] == name), None)


def _groups(host: Host, controller: str = "") -> list[str]:
    """The folders of this process's group and all above it: of version 2, or those of a controller
    of version 1.
    """
    own = "/"
    for line in (host.text("/proc/self/cgroup") or "").splitlines():
        _, controllers, path = line.split(":", 2)
        if controller in controllers.split(","):
            own = path
    parts = [part for part in own.split("/") if part and part != ".."]
    base = f"/sys/fs/cgroup/{controller}".rstrip("/")
    return [f"{base}/" + "/".join(parts[:depth]) for depth in range(len(parts) + 1)]


TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
# user nice system idle iowait irq softirq steal; guest time is in user and nice already
_FIELDS = 8


class Times(NamedTuple):
    """Nanoseconds, of one CPU or of several together.

    `busy`: in work of any kind. `steal`: what the hypervisor gave to others when this one had work.
    `total`: all of its time.
    """

    cpus: int
    busy: int
    steal: int
    total: int

    @property
    def steal_share(self) -> float:
        """The share of the CPUs' time that was stolen; of the box's, not of a single CPU's."""
        return self.steal / self.total if self.total else 0.0


def cpu_times(host: Host) -> dict[int, Times]:
    """The times of each CPU that is online; none where the box doesn't tell."""
    lines = [
        line.split()
        for line in (host.text("/proc/stat") or "").splitlines()
        if line.startswith("cpu")
    ]
    each = [
        (words[0].removeprefix("cpu"), [int(word) for word in words[1:] if word.isdigit()])
        for words in lines
    ]
    return {
        int(cpu): _times(ticks[:_FIELDS])
        for cpu, ticks in each
        if cpu.isdigit() and len(ticks) >= _FIELDS
    }


def together(times: list[Times]) -> Times | None:
    """The sum over several CPUs; None for none."""
    return Times(*(sum(column) for column in zip(*times, strict=True))) if times else None


def _times(ticks: list[int]) -> Times:
    user, nice, system, _idle, _wait, irq, softirq, steal = (TICK_NS * tick for tick in ticks)
    return Times(
        cpus=1, busy=user + nice + system + irq + softirq, steal=steal, total=TICK_NS * sum(ticks)
    )


_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_PROC = Path("/proc")
_EXITING = 0x4  # PF_EXITING of include/linux/sched.h


class Stat(NamedTuple):
    """Of a process: user and system time of its own and of the children that it has collected are
    in nanoseconds, by ticks. `begun`: in ticks since the box was started, which tells it from a
    later process of its number.

    `lives`: it still runs its program. A process that exits has closed its files, and ended the
    pipes that its starter reads, some time before it is a zombie; on a busy box it may have to wait
    for the CPU in between.
    """

    lives: bool
    group: int
    session: int
    own_ns: tuple[int, int]
    children_ns: tuple[int, int]
    begun: int


def stats() -> Iterator[tuple[int, Stat]]:
    """All processes by their number; one that ends meanwhile may be missing."""
    for file in _PROC.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            yield int(file.parent.name), parsed(file.read_text())


def parsed(text: str) -> Stat:
    """The name of the process, in parentheses, may itself hold blanks and parentheses."""
    fields = text.rpartition(")")[2].split()
    user, system, children_user, children_system = (
        int(field) * _TICK_NS for field in fields[11:15]
    )
    lives = fields[0] not in "ZX" and not int(fields[6]) & _EXITING
    return Stat(
        lives,
        int(fields[2]),
        int(fields[3]),
        (user, system),
        (children_user, children_system),
        int(fields[19]),
    )


def has_counters(host: Host) -> bool:
    """Whether the kernel knows counters of the processor; most virtual machines hide them."""
    devices = host.texts("/sys/bus/event_source/devices/*/type")
    return any(Path(file).parent.name.startswith(("cpu", "arm")) for file in devices)


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
            _cpu_number(path): int(text)
            for path, text in host.texts(f"{_CPU}/cpu[0-9]*/{file}").items()
            if text.isdigit()
        }
        if len(groups := _by_speed(speeds)) > 1:
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


def _by_speed(speeds: dict[int, int]) -> list[tuple[int, list[int]]]:
    """CPUs of like speed together, fastest first, with the fastest speed of each group."""
    found: list[tuple[int, list[int]]] = []
    for cpu, speed in sorted(speeds.items(), key=lambda one: (-one[1], one[0])):
        if found and speed >= _ALIKE * found[-1][0]:
            found[-1][1].append(cpu)
        else:
            found.append((speed, [cpu]))
    return [(speed, sorted(cpus)) for speed, cpus in found]


def _cpu_number(path: str) -> int:
    """12 of /sys/devices/system/cpu/cpu12/..."""
    return int(path.removeprefix(f"{_CPU}/cpu").partition("/")[0])


def _rank(place: int) -> str:
    return ("highest", "second highest", "third highest", "lowest")[min(place, 3)]
