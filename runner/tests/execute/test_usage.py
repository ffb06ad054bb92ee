"""The witness of a program: counters of the whole box and of the program's own CPUs, from planted
files.
"""

from __future__ import annotations

import resource
from pathlib import Path

import msgspec
import pytest
from invocations import MS, invocation
from planted_box import plant

from corobench.execute import monitor
from corobench.machine.proc import TICK_NS, Host, cpu_times, together
from corobench.results.log import Witness
from corobench.statistics import diagnostics
from corobench.statistics.diagnostics import other_cores, steal_share

BEFORE = (
    "cpu  10 0 10 100 0 0 0 0 0 0\ncpu0 5 0 5 50 0 0 0 0 0 0\ncpu1 5 0 5 50 0 0 0 0 0 "
    "0\nintr 1 2 3\n"
)
# CPU 0 worked 20 ticks more (user and softirq) and lost 2; CPU 1 worked 3.
AFTER = (
    "cpu  30 0 10 130 0 0 3 2 0 0\ncpu0 22 0 5 60 0 0 3 2 0 0\ncpu1 8 0 5 70 0 0 0 0 0 "
    "0\nintr 1 2 3\n"
)


def between(tmp_path: Path, before: str, after: str, cpus: set[int]) -> Witness:
    first, second = (
        monitor.snapshot(cpus, plant(tmp_path, {"/proc/stat": text})) for text in (before, after)
    )
    return monitor.difference(first, second, 100 * MS, resource.getrusage(resource.RUSAGE_SELF))


def test_busy_and_steal_of_the_box_and_of_the_programs_cpus(tmp_path: Path) -> None:
    found = between(tmp_path, BEFORE, AFTER, {1})
    assert (found.busy_ns, found.steal_ns, found.box_cpus) == (23 * TICK_NS, 2 * TICK_NS, 2)
    assert (found.here_busy_ns, found.here_steal_ns, found.here_cpus) == (3 * TICK_NS, 0, 1)
    assert between(tmp_path, BEFORE, AFTER, {0, 1}).here_busy_ns == 23 * TICK_NS


@pytest.mark.parametrize("stat", ["", "cpu  1 2 3\ncpu0 1 2 3\n", "nonsense\n"])
def test_a_box_that_does_not_tell_is_a_witness_of_nothing(tmp_path: Path, stat: str) -> None:
    found = between(tmp_path, stat, stat, {0})
    assert (found.busy_ns, found.steal_ns, found.here_busy_ns, found.box_cpus, found.here_cpus) == (
        None,
    ) * 5
    assert monitor.snapshot({0}, Host(tmp_path / "empty")) == (None,) * 5


def test_pressure_load_and_clock(tmp_path: Path) -> None:
    files = {
        "/proc/pressure/cpu": (
            "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234\nfull avg10=0.00 total=0\n"
        ),
        "/proc/loadavg": "0.50 0.40 0.30 1/100 1000\n",
        "/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq": "2400000\n",
        "/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq": "3100000\n",
    }
    found = monitor.snapshot({0}, plant(tmp_path, files))
    assert (found.pressure_ns, found.load, found.mhz) == (1_234_000, 0.5, 3100.0)


def test_doctor_and_witness_mean_the_same_by_steal(tmp_path: Path) -> None:
    times = together(list(cpu_times(plant(tmp_path, {"/proc/stat": AFTER})).values()))
    assert times is not None
    assert times.steal_share == pytest.approx(2 / (30 + 10 + 130 + 3 + 2))


def seen(
    box: int, here: int, others_ms: int, others_here_ms: int, steal_here_ms: int = 0
) -> Witness:
    """150 of 200 ms on a CPU, and others besides."""
    found = invocation().witness
    return msgspec.structs.replace(
        found,
        busy_ns=found.user_ns + others_ms * MS,
        box_cpus=box,
        here_cpus=here,
        here_busy_ns=found.user_ns + others_here_ms * MS,
        here_steal_ns=steal_here_ms * MS,
    )


@pytest.mark.parametrize(
    ("told", "cores"),
    [
        (seen(64, 1, 200, 0), 1 / 64),  # one busy CPU of 64 is not the program's
        (seen(2, 1, 200, 0), 0.5),  # of two it is the other half of the core, maybe
        (seen(64, 1, 40, 40), 0.2),  # on the program's own CPU it all counts
        (seen(64, 64, 64 * 10, 64 * 10), 0.05),  # a little on each of many
    ],
)
def test_others_are_counted_for_each_core(told: Witness, cores: float) -> None:
    line = msgspec.structs.replace(invocation(), witness=told)
    assert other_cores(line) == pytest.approx(cores)


def test_what_the_runner_started_elsewhere_hides_no_neighbour(tmp_path: Path) -> None:
    """The load generator has a CPU of its own: its time must not be taken from what others used on
    the server's.
    """
    told = msgspec.structs.replace(seen(2, 1, 100, 40), helpers_ns=60 * MS)
    assert other_cores(msgspec.structs.replace(invocation(), witness=told)) == pytest.approx(0.2)


def test_steal_is_a_share_of_the_programs_cpus() -> None:
    lines = [
        msgspec.structs.replace(invocation(), witness=seen(64, 2, 0, 0, steal_here_ms=4))
        for _ in range(3)
    ]
    assert steal_share([diagnostics.neighbours_seen(lines)]) == pytest.approx(0.01)
