"""Which CPUs a run uses, on boxes of many kinds: hybrid, big and little, sparse, of 256 CPUs, in a
cpuset or a quota.

The boxes are described by what their makers and kernels document of them; `box` makes the files
that such a kernel shows.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from planted_box import plant

from corobench.machine.facts import box_facts
from corobench.machine.proc import Choice, Host, choose, cpu_list, cpu_ranges, kinds
from corobench.report import text
from corobench.report.text import box_fact

CPU = "/sys/devices/system/cpu"


def box(
    root: Path, online: str, quota: str = "max", siblings: int = 0, **of_cpus: dict[str, int]
) -> Host:
    """A box with these CPUs. `siblings`: the distance between the two CPUs of a core, 0 for one CPU
    a core.

    `of_cpus`: cpu_capacity or cpuinfo_max_freq (kHz) by lists of CPUs; core and atom by list:
    Intel's names of kinds.
    """
    cpus = cpu_list(online)
    files = {
        f"{CPU}/online": f"{online}\n",
        "/proc/self/status": f"Cpus_allowed_list:\t{online}\n",
        "/proc/self/cgroup": "0::/box\n",
        "/sys/fs/cgroup/box/cpu.max": f"{quota} 100000\n",
    }
    for cpu in cpus:
        core = sorted(
            {
                cpu,
                *(
                    other
                    for other in (cpu - siblings, cpu + siblings)
                    if siblings and other in cpus
                ),
            }
        )
        files[f"{CPU}/cpu{cpu}/topology/core_cpus_list"] = ",".join(map(str, core)) + "\n"
    for name, folder in (("cpu_capacity", ""), ("cpuinfo_max_freq", "cpufreq/")):
        for listed, value in of_cpus.get(name, {}).items():
            files |= {f"{CPU}/cpu{cpu}/{folder}{name}": f"{value}\n" for cpu in cpu_list(listed)}
    files |= {
        f"/sys/devices/cpu_{kind}/cpus": f"{listed}\n"
        for kind, listed in of_cpus.get("named", {}).items()
    }  # type: ignore[misc]
    return plant(root, files)


def alder_lake(root: Path) -> Host:
    """Core i9-12900K: 8 performance cores of two threads (0-15), 8 efficiency cores (16-23)."""
    return box(
        root,
        "0-23",
        named={"core": "0-15", "atom": "16-23"},
        cpuinfo_max_freq={"0-15": 5_100_000, "16-23": 3_900_000},
    )


def strix_point(root: Path) -> Host:
    """Ryzen AI 9 HX 370: 4 Zen 5 cores and 8 Zen 5c cores, of two threads each; only their clocks
    tell them apart.
    """
    return box(
        root,
        "0-23",
        siblings=12,
        cpuinfo_max_freq={"0-3,12-15": 5_157_895, "4-11,16-23": 3_300_000},
    )


def rk3588(root: Path) -> Host:
    """Four Cortex-A55 and four Cortex-A76."""
    return box(root, "0-7", cpu_capacity={"0-3": 530, "4-7": 1024})


def apple_m1(root: Path) -> Host:
    """Four Icestorm and four Firestorm cores, as Asahi Linux numbers them."""
    return box(
        root,
        "0-7",
        cpu_capacity={"0-3": 485, "4-7": 1024},
        cpuinfo_max_freq={"0-3": 2_064_000, "4-7": 3_204_000},
    )


def tensor(root: Path) -> Host:
    """Google Tensor: four A55, two A76, two X1: three kinds."""
    return box(root, "0-7", cpu_capacity={"0-3": 250, "4-5": 620, "6-7": 1024})


ALIKE = {
    "EPYC 7763, two sockets": ("0-255", 128, {}),
    "Ampere Altra Q80": ("0-79", 0, {"cpuinfo_max_freq": {"0-79": 3_000_000}}),
    "Graviton3": ("0-63", 0, {}),
    "Core i9-11900K, two cores preferred for turbo": (
        "0-15",
        8,
        {"cpuinfo_max_freq": {"0-13": 5_100_000, "14-15": 5_300_000}},
    ),
    "every second CPU offline": ("0,2,4,6,8,10", 0, {}),
    "CPU 0 absent": ("1-3", 0, {}),
}


@pytest.mark.parametrize("name", ALIKE)
def test_all_cpus_where_the_cores_are_alike(tmp_path: Path, name: str) -> None:
    online, siblings, of_cpus = ALIKE[name]
    host = box(tmp_path, online, siblings=siblings, **of_cpus)
    assert choose(host, cpu_list(online)) == Choice(cpus=cpu_list(online))
    assert box_facts(host, {})["cpu"]["measured_on"] is None


HYBRID = {
    "Core i9-12900K": (alder_lake, "0-15", "performance cores", {"efficiency cores": "16-23"}),
    "Ryzen AI 9 HX 370": (
        strix_point,
        "0-3,12-15",
        "cores of the highest clock (5,157,895)",
        {"cores of the second highest clock (3,300,000)": "4-11,16-23"},
    ),
    "RK3588": (
        rk3588,
        "4-7",
        "cores of the highest capacity (1,024)",
        {"cores of the second highest capacity (530)": "0-3"},
    ),
    "Apple M1": (
        apple_m1,
        "4-7",
        "cores of the highest capacity (1,024)",
        {"cores of the second highest capacity (485)": "0-3"},
    ),
    "Tensor": (
        tensor,
        "6-7",
        "cores of the highest capacity (1,024)",
        {
            "cores of the second highest capacity (620)": "4-5",
            "cores of the third highest capacity (250)": "0-3",
        },
    ),
}


@pytest.mark.parametrize("name", HYBRID)
def test_one_kind_of_core_and_it_is_named(tmp_path: Path, name: str) -> None:
    make, used, kind, left_out = HYBRID[name]
    host = make(tmp_path)
    cpu = box_facts(host, {})["cpu"]
    assert (cpu["measured_on"], cpu["kind"], cpu["left_out"]) == (used, kind, left_out)


def test_the_page_says_on_which_cores_it_was_measured(tmp_path: Path) -> None:
    assert (
        text.cpus_counted(box_facts(alder_lake(tmp_path), {}))
        == "24; measured on 16, the performance cores (0-15)"
    )
    assert text.cpus_counted(box_facts(box(tmp_path / "alike", "0-3"), {})) == "4"


def test_who_asks_for_the_slow_cores_gets_them(tmp_path: Path) -> None:
    host = alder_lake(tmp_path)
    assert choose(host, cpu_list("16-19")) == Choice(cpus=[16, 17, 18, 19], kind="efficiency cores")
    mixed = choose(host, cpu_list("14-17"))
    assert (mixed.cpus, mixed.left_out) == ([14, 15], {"efficiency cores": [16, 17]})


def test_a_cpuset_of_one_cpu_that_is_not_the_first(tmp_path: Path) -> None:
    assert choose(box(tmp_path, "0-3"), [2]).cpus == [2]


def test_a_box_that_tells_nothing(tmp_path: Path) -> None:
    assert choose(plant(tmp_path, {}), [0, 1]) == Choice(cpus=[0, 1])
    assert [kind.cpus for kind in kinds(plant(tmp_path, {}))] == [[]]


@pytest.mark.parametrize(
    ("quota", "cpus"),
    [("400000", "0-7"), ("250000", "6-7"), ("50000", "7"), ("800000", "0-7"), ("1600000", "0-7")],
)
def test_a_quota_takes_whole_cpus_of_different_cores(tmp_path: Path, quota: str, cpus: str) -> None:
    """Eight CPUs, of which 0 and 4, 1 and 5 ... share a core."""
    found = choose(box(tmp_path, "0-7", quota=quota, siblings=4), range(8))
    expected = {"400000": "4-7"}.get(quota, cpus)
    assert cpu_ranges(found.cpus) == expected
    assert (found.quota is not None) == (int(quota) < 800_000)


def test_lists_of_cpus_and_back() -> None:
    for cpus in ("0", "0-3,8,128-255", "1,3,5"):
        assert cpu_ranges(cpu_list(cpus)) == cpus
    assert cpu_ranges([]) == ""


def test_an_arm_cpu_is_named_by_its_numbers(tmp_path: Path) -> None:
    host = plant(
        tmp_path, {"/proc/cpuinfo": "processor : 0\nCPU implementer : 0x41\nCPU part : 0xd0c\n"}
    )
    told = box_facts(host, {})
    assert box_fact(told, "cpu.model") == "Arm 0xd0c"
    assert told["name"].startswith("arm-0xd0c-1cpu-")
