"""What can't be held at the top of a ladder: the rest still counts, with the reason; threads are
left to others.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from synthetic import Build, make_run

from corobench.execute.process import Trouble
from corobench.execute.program import check_threads, thread_room
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell
from corobench.suite.load import load_suite

REPOSITORY = Path(__file__).resolve().parents[3]
ALWAYS = list(range(9))


def ladder(workload: str, metric: str, failing: dict[str, list[int]]) -> Cell:
    """The slope of node over n = 1,000 to 100,000, where these of its points fail in these
    blocks.
    """
    failures = {f"{workload}/{point}/one-cpu/node": blocks for point, blocks in failing.items()}
    found = summarise(make_run(blocks=9, workloads=[workload], build=Build(failures=failures)))
    own = [
        cell
        for cell in found.cells
        if cell.runtime == "node" and cell.metric == metric and cell.track == "one-cpu"
    ]
    return next(cell for cell in own if ".." in cell.point)


@pytest.mark.parametrize(
    ("workload", "metric", "value"), [("memory", "bytes", 420), ("spawn", "slope", 180e-9)]
)
def test_a_slope_goes_without_the_top_that_never_finished_and_says_so(
    workload: str, metric: str, value: float
) -> None:
    cell = ladder(workload, metric, {"n=100000": ALWAYS})
    assert cell.median
    assert cell.median.center == pytest.approx(value, rel=0.1)
    assert cell.point == "n=1000..100000"
    assert max(n for n, _ in cell.curve) < 100_000
    told = {flag.name: flag for flag in cell.flags}["unfinished"]
    assert told.level == "red"
    assert told.text == (
        "without the upper end of the ladder: n = 100000: ended with exit status 1: "
        "panicked in a task"
    )
    assert cell.group is None


def test_a_top_that_failed_now_and_then_is_not_left_out() -> None:
    cell = ladder("memory", "bytes", {"n=100000": [1, 2]})
    assert cell.median
    assert cell.median.n == 7
    assert [flag.name for flag in cell.flags if flag.level == "red"] == ["few", "failed"]


def test_without_the_middle_or_with_one_rung_left_there_is_no_slope() -> None:
    assert ladder("memory", "bytes", {"n=10000": ALWAYS}).median is None
    assert ladder("spawn", "slope", {"n=10000": ALWAYS, "n=100000": ALWAYS}).median is None


def box(folder: Path, pids: int, running: int) -> Path:
    for name, text in {
        "loadavg": f"0.1 0.1 0.1 1/{running} 4711",
        "sys/kernel/pid_max": str(pids),
        "sys/kernel/threads-max": "200000",
        "sys/vm/max_map_count": "65530",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{text}\n")
    return folder


def program(runtime: str, workload: str) -> Any:
    suite = load_suite(REPOSITORY)
    return SimpleNamespace(runtime=suite.runtimes[runtime], workload=suite.workloads[workload])


def test_the_room_for_threads_is_the_tightest_limit(tmp_path: Path) -> None:
    assert thread_room(box(tmp_path, 32_768, 768)) == (24_000, "kernel.pid_max is 32,768")
    assert thread_room(box(tmp_path, 4_194_304, 200)) == (24_573, "vm.max_map_count is 65,530")
    assert thread_room()[0] > 0


def test_threads_that_others_need_are_not_taken(tmp_path: Path) -> None:
    proc = box(tmp_path, 32_768, 768)
    memory = program("java-platform", "memory")
    points = {int(point.params["n"]): point for point in memory.workload.points("scale")}
    with pytest.raises(
        Trouble,
        match=r"needs 100,000 threads at once, more .* can spare \(kernel.pid_max is 32,768\)",
    ) as told:
        check_threads(memory, points[100_000], proc)
    assert told.value.kind == "limit"
    check_threads(memory, msgspec.structs.replace(points[100_000], params={"n": 24_000}), proc)
    check_threads(program("go-p1", "memory"), points[100_000], proc)
