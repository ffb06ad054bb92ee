"""doctor: a quiet box warns of nothing, and each planted disturbance warns of itself alone."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path

import msgspec
import pytest
from planted_box import plant

from corobench.machine.doctor import CHECKS, PASSING, examine, lasting


@pytest.fixture(autouse=True)
def ordinary_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read every counter."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)


CPU = "/sys/devices/system/cpu"
QUIET = {
    "/proc/cpuinfo": "model name : Planted\nflags : fpu\n",
    f"{CPU}/online": "0-1\n",
    f"{CPU}/smt/active": "0\n",
    f"{CPU}/cpu0/cpufreq/scaling_governor": "performance\n",
    f"{CPU}/cpu1/cpufreq/scaling_governor": "performance\n",
    f"{CPU}/intel_pstate/no_turbo": "1\n",
    f"{CPU}/cpu0/cpuidle/state0/name": "C1\n",
    f"{CPU}/cpu0/cpuidle/state0/latency": "2\n",
    f"{CPU}/vulnerabilities/meltdown": "Mitigation: PTI\n",
    "/sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
    "/sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
    "/proc/self/status": "Cpus_allowed_list:\t0-1\n",
    "/proc/self/limits": (
        "Max open files  1048576 1048576 files\nMax processes  unlimited unlimited processes\n"
    ),
    "/proc/self/cgroup": "0::/here\n",
    "/sys/fs/cgroup/here/cpu.max": "max 100000\n",
    "/proc/meminfo": "MemTotal: 16777216 kB\nSwapTotal: 0 kB\n",
    "/proc/sys/vm/overcommit_memory": "0\n",
    "/proc/sys/kernel/sched_autogroup_enabled": "0\n",
    "/proc/sys/kernel/randomize_va_space": "2\n",
    "/proc/loadavg": "0.05 0.10 0.10 1/100 1000\n",
    "/proc/pressure/cpu": "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
    "/proc/stat": (
        "cpu  1000 0 1000 97000 0 0 0 10\ncpu0 500 0 500 48500 0 0 0 5\ncpu1 500 0 500 "
        "48500 0 0 0 5\n"
    ),
    "/proc/cmdline": "root=/dev/vda\n",
    "/sys/bus/event_source/devices/cpu/type": "4\n",
    "/proc/sys/kernel/perf_event_paranoid": "1\n",
}
PLANTED = {
    "governor": {f"{CPU}/cpu1/cpufreq/scaling_governor": "powersave\n"},
    "turbo": {f"{CPU}/intel_pstate/no_turbo": "0\n"},
    "smt": {f"{CPU}/smt/active": "1\n"},
    "cpu quota": {"/sys/fs/cgroup/here/cpu.max": "150000 100000\n"},
    "memory limit": {"/sys/fs/cgroup/here/memory.max": f"{2**30}\n"},
    "cpuset": {"/proc/self/status": "Cpus_allowed_list:\t1\n"},
    "idle states": {f"{CPU}/cpu0/cpuidle/state0/latency": "133\n"},
    "hardware counters": {"/proc/sys/kernel/perf_event_paranoid": "2\n"},
    "swap": {"/proc/meminfo": "MemTotal: 16777216 kB\nSwapTotal: 2097152 kB\n"},
    "huge pages": {"/sys/kernel/mm/transparent_hugepage/enabled": "[always] madvise never\n"},
    "overcommit": {"/proc/sys/vm/overcommit_memory": "2\n"},
    "autogroup": {"/proc/sys/kernel/sched_autogroup_enabled": "1\n"},
    "load": {"/proc/loadavg": "0.90 0.10 0.10 1/100 1000\n"},
    "cpu pressure": {"/proc/pressure/cpu": "some avg10=7.50 avg60=0.00 avg300=0.00 total=0\n"},
    "steal": {
        "/proc/stat": "cpu  1000 0 1000 90000 0 0 0 5000\ncpu0 1000 0 1000 90000 0 0 0 5000\n"
    },
    "virtual machine": {"/sys/class/dmi/id/sys_vendor": "QEMU\n"},
    "open files": {
        "/proc/self/limits": (
            "Max open files  1024 4096 files\nMax processes  unlimited unlimited processes\n"
        )
    },
    "processes": {
        "/proc/self/limits": (
            "Max open files  1048576 1048576 files\nMax processes  1000 1000 processes\n"
        )
    },
    "task limit": {"/sys/fs/cgroup/here/pids.max": "512\n"},
    "clock": {"/sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet\n"},
    "address layout": {"/proc/sys/kernel/randomize_va_space": "0\n"},
    "mitigations": {"/proc/cmdline": "root=/dev/vda mitigations=off\n"},
}


def warnings(root: Path, files: dict[str, str]) -> list[str]:
    return [finding.name for finding in examine(plant(root, files), {}).findings if finding.warns]


def test_a_quiet_box_warns_of_nothing(tmp_path: Path) -> None:
    assert warnings(tmp_path, QUIET) == []


def test_every_check_has_a_planted_case() -> None:
    assert set(PLANTED) | {"another run"} == set(CHECKS)


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_disturbance_warns_of_itself_alone(tmp_path: Path, name: str) -> None:
    assert warnings(tmp_path, QUIET | PLANTED[name]) == [name]


@pytest.mark.parametrize("file", ["memory.max", "memory.high"])
def test_a_memory_limit_says_what_sets_it(tmp_path: Path, file: str) -> None:
    files = QUIET | {f"/sys/fs/cgroup/here/{file}": f"{2**30}\n"}
    found = [one for one in examine(plant(tmp_path, files), {}).findings if one.warns]
    assert [(one.name, one.fact) for one in found] == [("memory limit", f"1.0 GiB ({file})")]


def test_a_box_that_tells_nothing_does_not_warn_of_what_it_cannot_know(tmp_path: Path) -> None:
    """But for the single CPU, which is what an empty box looks like."""
    assert warnings(tmp_path, {}) == ["cpuset"]


def test_what_a_box_does_not_tell_is_never_called_ok(tmp_path: Path) -> None:
    unread = {
        finding.name for finding in examine(plant(tmp_path, {}), {}).findings if not finding.known
    }
    assert set(CHECKS) - unread == {"cpuset", "another run"}, "what an empty box tells all the same"
    assert all(finding.known for finding in examine(plant(tmp_path / "quiet", QUIET), {}).findings)


def test_another_run_is_seen_only_while_it_holds_its_lock(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    lock.write_text("4711\n")
    host = plant(tmp_path / "box", QUIET)

    def seen() -> list[str]:
        return [
            finding.fact for finding in examine(host, {}, run_lock=lock).findings if finding.warns
        ]

    assert seen() == []
    with lock.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert seen() == ["in progress (process 4711)"]
    assert seen() == []
    assert examine(host, {}, run_lock=tmp_path / "absent").findings
    assert not (tmp_path / "absent").exists(), "doctor changes nothing"


def test_missing_toolchains_are_findings(tmp_path: Path) -> None:
    report = examine(
        plant(tmp_path, QUIET), {}, missing={"go": ("Go is not installed", "install go")}
    )
    found = [finding for finding in report.findings if finding.warns]
    assert [(finding.name, finding.fact, finding.remedy) for finding in found] == [
        ("toolchain go", "Go is not installed", "install go")
    ]


def test_each_finding_says_what_it_means_and_what_to_do(tmp_path: Path) -> None:
    report = examine(plant(tmp_path, QUIET), {})
    assert all(finding.fact and finding.meaning and finding.remedy for finding in report.findings)
    assert json.loads(msgspec.json.encode(report))["findings"][0]["name"] == "governor"


def test_a_run_keeps_what_lasts_of_what_is_warned_of(tmp_path: Path) -> None:
    """Its own builds have loaded the box, and each invocation has a witness of load."""
    files = (
        QUIET | PLANTED["swap"] | PLANTED["load"] | PLANTED["cpu pressure"] | PLANTED["autogroup"]
    )
    assert lasting(examine(plant(tmp_path, files), {})) == ["swap: 2.0 GiB", "autogroup: on"]
    assert set(CHECKS) > PASSING


def test_this_box_can_be_examined() -> None:
    assert len(examine().findings) == len(CHECKS)
