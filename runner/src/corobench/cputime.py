"""What the kernel says of the time of each CPU since boot (proc(5)): the one definition of busy and of stolen time."""

from __future__ import annotations

import os
from typing import NamedTuple

from corobench.host import Host

TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_FIELDS = 8  # user nice system idle iowait irq softirq steal; guest time is in user and nice already


class Times(NamedTuple):
    """Nanoseconds, of one CPU or of several together.

    `busy`: in work of any kind. `steal`: what the hypervisor gave to others when this one had work. `total`: all of its time.
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
    lines = [line.split() for line in (host.text("/proc/stat") or "").splitlines() if line.startswith("cpu")]
    each = [(words[0].removeprefix("cpu"), [int(word) for word in words[1:] if word.isdigit()]) for words in lines]
    return {int(cpu): _times(ticks[:_FIELDS]) for cpu, ticks in each if cpu.isdigit() and len(ticks) >= _FIELDS}


def together(times: list[Times]) -> Times | None:
    """The sum over several CPUs; None for none."""
    return Times(*(sum(column) for column in zip(*times, strict=True))) if times else None


def _times(ticks: list[int]) -> Times:
    user, nice, system, _idle, _wait, irq, softirq, steal = (TICK_NS * tick for tick in ticks)
    return Times(cpus=1, busy=user + nice + system + irq + softirq, steal=steal, total=TICK_NS * sum(ticks))
