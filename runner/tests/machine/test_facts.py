"""Box facts: read from planted files, plain JSON, and a name that stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from planted_box import plant

from corobench.machine.facts import box_facts, box_name
from corobench.machine.proc import Host, cpu_list, limits

FILES = {
    "/proc/cpuinfo": "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz\n"
    "microcode\t: 0xd\nflags\t\t: fpu hypervisor\n",
    "/sys/devices/system/cpu/online": "0-3\n",
    "/etc/machine-id": "0123456789abcdef0123456789abcdef\n",
    "/sys/class/dmi/id/sys_vendor": "QEMU\n",
    "/proc/self/status": "Name:\tpython\nCpus_allowed_list:\t0-1,3\n",
    "/proc/self/limits": (
        "Limit  Soft Limit  Hard Limit  Units\nMax open files            1024    "
        "   4096     files\n"
        "Max processes   unlimited unlimited processes\n"
    ),
    "/proc/meminfo": "MemTotal:       2048 kB\nSwapTotal:      1 kB\n",
    "/proc/cmdline": "root=/dev/vda password=secret isolcpus=1 mitigations=off\n",
    "/sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
    "/sys/devices/system/cpu/cpu0/cpuidle/state0/name": "C1\n",
    "/sys/devices/system/cpu/cpu0/cpuidle/state0/latency": "2\n",
    "/sys/devices/system/cpu/cpu0/cache/index0/level": "1\n",
    "/sys/devices/system/cpu/cpu0/cache/index0/type": "Data\n",
    "/sys/devices/system/cpu/cpu0/cache/index0/size": "48K\n",
    "/sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list": "0\n",
    "/proc/loadavg": "0.50 0.40 0.30 1/100 1000\n",
}


def test_facts_of_a_planted_box(tmp_path: Path) -> None:
    facts = box_facts(
        plant(tmp_path, FILES),
        {"GOFLAGS": "-v", "JAVA_TOOL_OPTIONS": "-Dpassword=x", "HOME": "/home/me"},
    )
    assert facts["cpu"]["model"].startswith("Intel")
    assert (facts["cpu"]["online"], facts["cpu"]["allowed"], facts["cpu"]["smt"]) == (
        4,
        "0-1,3",
        None,
    )
    assert facts["cpu"]["caches"] == {"L1 Data": "48K of CPUs 0"}
    assert facts["idle"]["latency_us"] == {"C1": 2}
    assert facts["virtualisation"] == "kvm"
    assert facts["memory"]["total"] == 2048 * 1024
    assert facts["memory"]["swap"] == 1024
    assert facts["memory"]["thp"] == "madvise"
    assert facts["limits"] == {"nofile": 1024, "nproc": None}
    assert facts["load"]["average"] == [0.5, 0.4, 0.3]
    assert facts["environment_unused"] == ["GOFLAGS", "JAVA_TOOL_OPTIONS"], (
        "a value that reaches nothing is nobody's business"
    )
    assert facts["kernel"]["command_line"] == ["isolcpus=1", "mitigations=off"], (
        "nothing else of the command line is published"
    )
    assert json.loads(json.dumps(facts)) == facts


def test_an_empty_box_has_facts_too(tmp_path: Path) -> None:
    facts = box_facts(Host(tmp_path), {})
    assert facts["name"].startswith("unknown-1cpu-metal-")
    assert json.loads(json.dumps(facts)) == facts


def test_this_box_has_a_name_and_a_model() -> None:
    facts = box_facts()
    assert facts == box_facts() | {"load": facts["load"]}
    assert facts["name"]


def test_names_say_what_a_box_is_and_tell_it_from_its_like(tmp_path: Path) -> None:
    first = box_name(plant(tmp_path / "a", FILES), {})
    assert first.startswith("intel-xeon-4cpu-kvm-")
    assert first == box_name(
        plant(tmp_path / "b", FILES | {"/proc/loadavg": "9 9 9 1/1 1\n"}), {}
    ), "what changes by the minute is not in it"
    assert first != box_name(plant(tmp_path / "c", FILES | {"/etc/machine-id": "f" * 32}), {})
    assert "0123456789" not in first


def test_without_a_number_of_its_own_a_box_is_told_by_its_network_or_says_that_it_cannot_be(
    tmp_path: Path,
) -> None:
    bare = {path: text for path, text in FILES.items() if path != "/etc/machine-id"}
    network = {
        "/sys/class/net/eth0/address": "52:54:00:00:00:01\n",
        "/sys/class/net/eth0/device/vendor": "0x1af4\n",
    }
    other = network | {"/sys/class/net/eth0/address": "52:54:00:00:00:02\n"}
    passing = {"/sys/class/net/veth1/address": "aa:00:00:00:00:01\n"}
    first, second, third, fourth = (
        box_name(plant(tmp_path / str(number), bare | files), {})
        for number, files in enumerate([network, network | passing, other, passing])
    )
    assert first == second
    assert first != third
    assert fourth.endswith("-alike")
    assert not first.endswith("-alike")


def test_a_box_can_be_named(tmp_path: Path) -> None:
    assert box_name(Host(tmp_path), {"COROBENCH_BOX": "../my box/1"}) == "my-box-1"


@pytest.mark.parametrize(
    ("model", "start"),
    [
        ("AMD EPYC 7R13 Processor", "amd-epyc-"),
        ("AMD Ryzen 9 7950X 16-Core Processor", "amd-ryzen-"),
        ("Intel(R) Core(TM) i7-1185G7 @ 3.00GHz", "intel-core-"),
        ("", "unknown-"),
    ],
)
def test_names_of_models(tmp_path: Path, model: str, start: str) -> None:
    assert box_name(plant(tmp_path, {"/proc/cpuinfo": f"model name : {model}\n"}), {}).startswith(
        start
    )


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({"/sys/hypervisor/type": "xen\n"}, "xen"),
        (
            {
                "/sys/class/dmi/id/sys_vendor": "Amazon EC2\n",
                "/proc/cpuinfo": "flags : hypervisor\n",
            },
            "kvm",
        ),
        ({"/sys/class/dmi/id/product_name": "VMware Virtual Platform\n"}, "vmware"),
        ({"/proc/cpuinfo": "flags : fpu hypervisor\n"}, "vm"),
        ({"/proc/cpuinfo": "flags : fpu\n"}, None),
        ({"/proc/sys/kernel/osrelease": "5.15.1-microsoft-standard-WSL2\n"}, "wsl"),
    ],
)
def test_virtual_machines(tmp_path: Path, files: dict[str, str], kind: str | None) -> None:
    assert box_facts(plant(tmp_path, files), {})["virtualisation"] == kind


def test_the_tightest_group_limit_counts(tmp_path: Path) -> None:
    host = plant(
        tmp_path,
        {
            "/proc/self/cgroup": "0::/outer/inner\n",
            "/sys/fs/cgroup/outer/cpu.max": "150000 100000\n",
            "/sys/fs/cgroup/outer/inner/cpu.max": "max 100000\n",
            "/sys/fs/cgroup/outer/inner/memory.max": "1000\n",
            "/sys/fs/cgroup/outer/memory.max": "500\n",
            "/sys/fs/cgroup/outer/inner/pids.max": "max\n",
        },
    )
    found = limits(host)
    assert (found.cpus, found.memory, found.tasks) == (1.5, 500, None)
    assert found.memory_file == "memory.max"


@pytest.mark.parametrize(
    ("outer", "inner", "told"),
    [
        ({"max": "500", "high": "max"}, {"max": "1000", "high": "400"}, (400, "memory.high")),
        ({"max": "max", "high": "300"}, {"max": "400", "high": "max"}, (300, "memory.high")),
        ({"max": "200", "high": "300"}, {"max": "400", "high": "400"}, (200, "memory.max")),
        ({"max": "max", "high": "300"}, {"max": "300", "high": "max"}, (300, "memory.high")),
        ({"max": "max", "high": "max"}, {"max": "max", "high": "max"}, (None, None)),
    ],
)
def test_a_group_may_be_slowed_down_before_it_is_ended(
    tmp_path: Path,
    outer: dict[str, str],
    inner: dict[str, str],
    told: tuple[int | None, str | None],
) -> None:
    groups = {"outer": outer, "outer/inner": inner}
    files = {
        f"/sys/fs/cgroup/{group}/memory.{name}": f"{text}\n"
        for group, limit in groups.items()
        for name, text in limit.items()
    }
    host = plant(tmp_path, files | {"/proc/self/cgroup": "0::/outer/inner\n"})
    found = limits(host)
    assert (found.memory, found.memory_file) == told
    assert box_facts(host, {})["cgroup"]["memory"] == told[0]


def test_group_limits_of_version_1(tmp_path: Path) -> None:
    files = {
        "cpu/cpu.cfs_quota_us": "50000",
        "cpu/cpu.cfs_period_us": "100000",
        "memory/memory.limit_in_bytes": "9223372036854771712",
    }
    found = limits(
        plant(tmp_path, {f"/sys/fs/cgroup/{name}": text for name, text in files.items()})
    )
    assert (found.cpus, found.memory) == (0.5, None)


def test_lists_of_cpus() -> None:
    assert cpu_list("0-2,5") == [0, 1, 2, 5]
    assert cpu_list(None) == []
