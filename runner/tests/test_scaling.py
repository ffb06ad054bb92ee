"""The profile that shows how runtimes scale: its tracks on boxes of 1 to 128 CPUs, what it measures
there, and the chart of it.
"""

from __future__ import annotations

from pathlib import Path

import made_up
import msgspec
import planted
import pytest
from planted_box import plant

from corobench.errors import UserError
from corobench.machine.proc import cores_first
from corobench.plan import Plan, Selection, make_plan, to_prepare
from corobench.report import headline
from corobench.report.charts import base
from corobench.report.charts.base import Chart
from corobench.report.charts.curves import scaling_chart
from corobench.report.text import TRACK_TITLES
from corobench.statistics.types import Cell, RunSummary
from corobench.suite.load import load_suite
from corobench.suite.workload import parse_case, scaling_tracks, some_cpus

SUITE = load_suite(planted.REPOSITORY)
RUNTIMES = {"steady": 1.0, "halting": 0.5}  # the exponent of the speed-up over CPUs


@pytest.mark.parametrize(
    ("cpus", "tracks"),
    [
        (1, ["one-cpu"]),
        (2, ["one-cpu", "all-cpus"]),
        (3, ["one-cpu", "2-cpus", "all-cpus"]),
        (4, ["one-cpu", "2-cpus", "all-cpus"]),
        (6, ["one-cpu", "2-cpus", "4-cpus", "all-cpus"]),
        (128, ["one-cpu", *(f"{2**n}-cpus" for n in range(1, 7)), "all-cpus"]),
    ],
)
def test_tracks_are_powers_of_two_and_all(cpus: int, tracks: list[str]) -> None:
    assert scaling_tracks(cpus) == tracks


@pytest.mark.parametrize("name", ["1-cpus", "0-cpus", "02-cpus", "-2-cpus", "two-cpus", "4-cpu"])
def test_other_tracks_are_unknown(name: str) -> None:
    assert some_cpus(name) is None
    with pytest.raises(ValueError, match="unknown track"):
        parse_case(f"spawn/n=1/{name}/go")
    with pytest.raises(UserError, match="unknown track"):
        make_plan(SUITE, Selection(tracks=[name]), seed=0)


def planned(cpus: int, **more: list[str]) -> Plan:
    return make_plan(SUITE, Selection(profile="scaling", **more), seed=0, cpus=cpus)


def test_every_case_is_planned_on_each_of_the_tracks() -> None:
    cases = [parse_case(key) for key in planned(128).cases]
    places: dict[tuple[str, str, str], list[str]] = {}
    for case in cases:
        if not case.twin:
            places.setdefault((case.workload, case.point, case.runtime), []).append(case.track)
    assert {tuple(tracks) for tracks in places.values()} == {tuple(scaling_tracks(128))}
    measured = {case.runtime for case in cases}
    assert {"go", "tokio-multi-thread", "java-virtual", "elixir"} <= measured
    assert not {"go-p1", "asyncio", "tokio-current-thread"} & measured
    assert {"spawn", "hand-off", "ring", "fan-in", "tree"} <= {case.workload for case in cases}


def test_the_reference_of_all_cpus_is_that_of_fewer() -> None:
    references = planned(8, workloads=["spawn"]).references
    assert references["spawn/n=10000/4-cpus"] == references["spawn/n=10000/all-cpus"] == "go"


def test_a_track_can_be_chosen() -> None:
    cases = planned(8, workloads=["spawn"], tracks=["4-cpus"]).cases
    assert {parse_case(key).track for key in cases} == {"4-cpus"}


def test_other_profiles_have_the_two_tracks() -> None:
    cases = make_plan(SUITE, Selection(profile="default"), seed=0, cpus=128).cases
    assert {parse_case(key).track for key in cases} == {"one-cpu", "all-cpus"}


def test_each_core_has_one_cpu_before_any_has_two(tmp_path: Path) -> None:
    core = "/sys/devices/system/cpu/cpu{}/topology/core_cpus_list"
    files = {core.format(cpu): f"{cpu % 64},{cpu % 64 + 64}\n" for cpu in range(128)}
    host = plant(tmp_path, files)
    order = cores_first(host, list(range(128)))
    assert {cpu % 64 for cpu in order[:64]} == set(range(64))
    assert sorted(order) == list(range(128))


def summary(cpus: int) -> RunSummary:
    """A run on so many CPUs, in which the time of an operation falls as the runtime's exponent
    says.
    """
    cells: list[Cell] = []
    for name, exponent in RUNTIMES.items():
        for track in scaling_tracks(cpus):
            had = {"one-cpu": 1, "all-cpus": cpus}.get(track) or some_cpus(track) or 0
            cells.append(made_up.number(name, 1e-6 / had**exponent, track=track))
    facts = msgspec.structs.replace(made_up.workload({"time": "time per task"}), group="core")
    run = made_up.summary(cells, facts, runtimes=made_up.scheduling(**dict.fromkeys(RUNTIMES, "")))
    return msgspec.structs.replace(run, box={"cpu": {"online": cpus}})


def chart_of(run: RunSummary) -> Chart | None:
    column = headline.column(run, run.workloads[0])
    assert column is not None
    return scaling_chart(run, column, run.cells, base.palette(run))


def test_the_chart_tells_speed_up_and_efficiency() -> None:
    chart = chart_of(summary(128))
    assert chart is not None
    head = chart.head
    rows = {(row[0], row[1]): dict(zip(head, row, strict=True)) for row in chart.rows}
    assert len(rows) == len(RUNTIMES) * len(scaling_tracks(128))
    steady, halting = rows["steady", "128"], rows["halting", "64"]
    assert (steady["Speed-up"], steady["Efficiency, %"]) == ("128", "100")
    assert (halting["Speed-up"], halting["Efficiency, %"]) == ("8.00", "12")
    assert steady["Operations a second"] == "128M"
    ideal = chart.specs["log"]["layer"][0]["data"]["values"]
    assert ideal == [{"x": 1, "value": 1}, {"x": 128.0, "value": 128.0}]


def test_two_cpus_have_a_chart_of_two_runtimes() -> None:
    chart = chart_of(summary(2))
    assert chart is not None
    assert [row[1] for row in chart.rows] == ["1", "2", "1", "2"]


def test_one_cpu_has_none() -> None:
    assert chart_of(summary(1)) is None


def test_a_track_between_has_a_title() -> None:
    assert TRACK_TITLES["4-cpus"] == "4 CPUs"


def test_servers_are_not_prepared_for_it() -> None:
    needed = to_prepare(SUITE, Selection(profile="scaling"))
    assert {"go", "tokio-multi-thread"} <= {*needed}
    assert not {"nginx", "hyper-multi-thread"} & {*needed}
