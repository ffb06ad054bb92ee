"""A run to its summary: what was planted in a synthetic run is found in it, and what spoils a
number keeps it out.
"""

from __future__ import annotations

import statistics
from pathlib import Path

import msgspec
import pytest
from synthetic import COST, Build, Noise, cell, make_run, write_run

from corobench.errors import UserError
from corobench.plan import Gap
from corobench.results import log
from corobench.statistics.summary import NO_CLAIMS, summarise
from corobench.statistics.types import Cell, RunSummary


@pytest.fixture(scope="module")
def run() -> log.Run:
    return make_run(blocks=12)


@pytest.fixture(scope="module")
def summary(run: log.Run) -> RunSummary:
    return summarise(run)


def test_every_case_has_its_cell(run: log.Run, summary: RunSummary) -> None:
    timed = {
        case
        for case in run.header.plan.cases
        if not case.endswith("~twin") and not case.startswith("memory")
    }
    assert timed <= {found.key.rpartition("/")[0] for found in summary.cells}
    assert not any("~twin" in found.runtime for found in summary.cells)
    assert all(found.median and found.median.n == 12 for found in summary.cells)


def test_costs_come_back(summary: RunSummary) -> None:
    for runtime, costs in COST.items():
        track = "all-cpus" if runtime == "go" else "one-cpu"
        for workload, point in (
            ("spawn", "n=1000"),
            ("hand-off", "m=500"),
            ("baseline", "n=100000"),
            ("startup", "mode=bare"),
        ):
            key = f"{workload}/{point}/{track}/{runtime}/time"
            if workload == "baseline" and track == "all-cpus":
                continue
            found = cell(summary, key).median
            assert found is not None
            assert found.center == pytest.approx(1e-9 * costs[workload], rel=0.05), key
            assert found.low <= found.center <= found.high


def test_an_invocation_is_the_median_of_its_warm_iterations(
    run: log.Run, summary: RunSummary
) -> None:
    first = next(
        line
        for line in run.invocations
        if line.case == "spawn/n=1000/one-cpu/go-p1" and line.block == 3
    )
    found = cell(summary, "spawn/n=1000/one-cpu/go-p1/time")
    assert found.samples[3] == pytest.approx(
        statistics.median(i.elapsed_ns / i.ops for i in first.iterations[1:]) / 1e9
    )
    assert found.figures["cold"].center > 1.4 * found.figures["minimum"].center
    measured = [line for line in run.invocations if line.case == first.case]
    fastest = min(i.elapsed_ns / i.ops for line in measured for i in line.iterations[1:])
    assert found.figures["minimum"].center == pytest.approx(fastest / 1e9)
    following = sorted(min(i.elapsed_ns / i.ops for i in line.iterations[1:]) for line in measured)[
        1
    ]
    assert found.figures["minimum"].high == pytest.approx(following / 1e9)
    assert found.figures["minimum"].confidence == 0
    assert found.figures["cpu"].center == pytest.approx(0.97 * found.samples[3], rel=0.05)


def test_all_processes_count_in_startup(run: log.Run, summary: RunSummary) -> None:
    first = next(
        line
        for line in run.invocations
        if line.case == "startup/mode=first-task/one-cpu/node" and line.block == 0
    )
    found = cell(summary, "startup/mode=first-task/one-cpu/node/time")
    assert found.samples[0] == pytest.approx(
        statistics.median(i.elapsed_ns for i in first.iterations) / 1e9
    )
    assert set(found.figures) == {"minimum", "cpu", "user", "system", "cpu_above_bare"}
    assert found.figures["cpu_above_bare"].center == pytest.approx(0.15 * 42e-3, rel=0.35)
    assert "cpu_above_bare" not in cell(summary, "startup/mode=bare/one-cpu/node/time").figures


def test_switch_is_divided_by_true_switches(summary: RunSummary) -> None:
    halved = cell(summary, "switch/k=2,m=500/one-cpu/tokio-multi-thread/time").median
    assert halved
    assert halved.center == pytest.approx(60e-9, rel=0.05)


def test_a_lone_task_is_not_divided(run: log.Run) -> None:
    shares = {"asyncio/switch/k=1,m=1000": 0.001, "asyncio/switch/k=2,m=500": 0.5}
    changed = msgspec.structs.replace(
        run, header=msgspec.structs.replace(run.header, true_switches=shares)
    )
    found = summarise(changed)
    lone, two = (
        cell(found, f"switch/{point}/one-cpu/asyncio/time").median
        for point in ("k=1,m=1000", "k=2,m=500")
    )
    assert lone
    assert two
    assert lone.center == pytest.approx(2.5e-6, rel=0.05)
    assert two.center == pytest.approx(5e-6, rel=0.05)


def test_memory_is_a_slope(summary: RunSummary) -> None:
    found = cell(summary, "memory/n=1000..100000/one-cpu/go-p1/bytes")
    assert found.median
    assert found.median.center == pytest.approx(2750, rel=0.01)
    top = 2.2e6 + 40_000 + 100_000 * 2750
    assert found.figures["intercept"].center == pytest.approx(2.24e6, rel=0.3)
    assert found.figures["rss"].center == pytest.approx(top + 5e6, rel=0.01)
    assert found.figures["high"].center == pytest.approx(
        found.figures["rss"].center + 0.8e6, rel=1e-4
    )
    assert found.figures["kept"].center == pytest.approx(0.3 * (top - 2.2e6), rel=0.01)
    assert found.figures["collected"].center == pytest.approx(0.97 * 2750, rel=0.01)
    assert [n for n, _ in found.curve] == [1_000, 10_000, 20_000, 50_000, 100_000]
    assert (
        "collected"
        not in cell(summary, "memory/n=1000..100000/one-cpu/tokio-current-thread/bytes").figures
    )


def test_swapped_out_memory_counts(run: log.Run) -> None:
    def swapped(line: log.Line) -> log.Line:
        if not isinstance(line, log.Invocation) or not line.holds:
            return line
        holds = {
            name: msgspec.structs.replace(
                memory,
                private_dirty=memory.private_dirty // 4,
                swap=memory.private_dirty - memory.private_dirty // 4,
            )
            for name, memory in line.holds.items()
        }
        return msgspec.structs.replace(line, holds=holds)

    moved = summarise(msgspec.structs.replace(run, lines=[swapped(line) for line in run.lines]))
    key = "memory/n=1000..100000/one-cpu/go-p1/bytes"
    assert cell(moved, key).median == cell(summarise(run), key).median


def test_verdicts_and_groups(summary: RunSummary) -> None:
    column = [found for found in summary.cells if found.key.startswith("spawn/n=1000/one-cpu/")]
    quickest = min(column, key=lambda found: COST[found.runtime]["spawn"])
    assert quickest.group == 1
    for found in column:
        if found.runtime == "asyncio":
            assert found.comparison is None
            continue
        expected = "lower" if COST[found.runtime]["spawn"] < COST["asyncio"]["spawn"] else "higher"
        assert found.comparison
        assert (found.comparison.other, found.comparison.verdict) == ("asyncio", expected)
        assert found.comparison.adjusted_confidence >= 0.95
        true = COST[found.runtime]["spawn"] / COST["asyncio"]["spawn"]
        assert found.comparison.ratio.center == pytest.approx(true, rel=0.05)


def test_the_twin_is_the_noise_of_its_column(summary: RunSummary) -> None:
    columns = {(found.workload, found.point, found.track, found.metric) for found in summary.cells}
    assert {(n.workload, n.point, n.track, n.metric) for n in summary.noise} == columns
    assert all(n.ratio.center == pytest.approx(1, abs=0.03) for n in summary.noise)
    assert summary.noise_floor is not None
    assert 0.01 <= summary.noise_floor < 0.05


def test_tracks_are_never_compared(summary: RunSummary) -> None:
    both = cell(summary, "spawn/n=1000/all-cpus/tokio-multi-thread/time")
    assert both.comparison
    assert both.comparison.other == "go"


def test_swapped_labels_swap_everything() -> None:
    plain = summarise(make_run(workloads=["spawn"]))
    run = make_run(workloads=["spawn"])
    names = {"uvloop": "gevent", "gevent": "uvloop"}

    def swap(line: log.Line) -> log.Line:
        if not isinstance(line, log.Invocation):
            return line
        head, _, runtime = line.case.rpartition("/")
        return msgspec.structs.replace(line, case=f"{head}/{names.get(runtime, runtime)}")

    swapped = summarise(msgspec.structs.replace(run, lines=[swap(line) for line in run.lines]))
    for one, other in (("uvloop", "gevent"), ("gevent", "uvloop")):
        mine, theirs = (
            cell(plain, f"spawn/n=1000/one-cpu/{one}/time"),
            cell(swapped, f"spawn/n=1000/one-cpu/{other}/time"),
        )
        assert (mine.median, mine.group, mine.comparison) == (
            theirs.median,
            theirs.group,
            theirs.comparison,
        )


def test_the_clock_of_the_run_is_the_step() -> None:
    """A null program whose iterations take 5 us: what takes 210 us is under a hundred of its
    steps.
    """
    run = make_run(blocks=9, workloads=["hand-off"])
    null = log.Control(
        name="null", block=0, values={"runtime": "go-p1", "elapsed_ns": [0, 5_000, 5_200]}
    )
    found = summarise(msgspec.structs.replace(run, lines=[null, *run.lines]))
    key = "hand-off/m=500/one-cpu/go-p1/time"
    assert "short" not in {flag.name for flag in cell(summarise(run), key).flags}
    assert "100 timer steps of 5.00 µs" in next(
        flag.text for flag in cell(found, key).flags if flag.name == "short"
    )


def test_a_failing_case_stands_with_its_reason() -> None:
    key = "spawn/n=10000/one-cpu/node"
    found = summarise(
        make_run(blocks=9, workloads=["spawn"], build=Build(failures={key: list(range(9))}))
    )
    failed = cell(found, f"{key}/time")
    assert failed.median is None
    assert failed.group is None
    assert failed.failures == ["ended with exit status 1: panicked in a task"]
    ladder = cell(found, "spawn/n=1000..100000/one-cpu/node/slope")
    assert ladder.median is None
    assert ladder.failures
    assert cell(found, "spawn/n=1000/one-cpu/node/time").group == 2
    assert "1 case had failures" in found.warnings


def test_one_failure_flags_the_case() -> None:
    key = "spawn/n=1000/one-cpu/node"
    found = cell(
        summarise(make_run(blocks=12, workloads=["spawn"], build=Build(failures={key: [2]}))),
        f"{key}/time",
    )
    assert [flag.name for flag in found.flags] == ["failed"]
    assert found.median
    assert found.median.n == 11
    assert found.group is None
    assert found.comparison
    assert found.comparison.verdict == "not comparable"


def test_a_repeated_invocation_counts_once_and_is_flagged() -> None:
    run = make_run(blocks=10, workloads=["hand-off"])
    again = next(line for line in run.invocations if line.case.endswith("one-cpu/go-p1"))
    run.lines.insert(5, again)
    found = cell(summarise(run), "hand-off/m=500/one-cpu/go-p1/time")
    assert found.median
    assert found.median.n == 10
    assert [flag.name for flag in found.flags] == ["retried"]


def test_gaps_stand_in_every_column_of_their_tracks(run: log.Run) -> None:
    def absent(case: str) -> bool:
        return case.startswith("hand-off/") and case.endswith("/node")

    lines = [
        line for line in run.lines if not (isinstance(line, log.Invocation) and absent(line.case))
    ]
    plan = msgspec.structs.replace(
        run.header.plan,
        cases=[case for case in run.header.plan.cases if not absent(case)],
        gaps=[Gap(workload="hand-off", runtime="node", reason="no program yet")],
    )
    found = summarise(
        msgspec.structs.replace(
            run, lines=lines, header=msgspec.structs.replace(run.header, plan=plan)
        )
    )
    gaps = [c for c in found.cells if c.gap]
    assert [(c.key, c.gap, c.median) for c in gaps] == [
        ("hand-off/m=500/one-cpu/node/time", "no program yet", None)
    ]


def test_a_run_that_has_only_begun() -> None:
    run = make_run(blocks=1, workloads=["spawn"])
    found = summarise(msgspec.structs.replace(run, lines=run.lines[:3]))
    assert found.blocks == 0
    assert found.stop_reason == "not finished"
    missing = [c for c in found.cells if c.median is None]
    assert missing
    assert all(c.gap for c in missing)


def test_a_quick_run_makes_no_claims() -> None:
    found = summarise(make_run(blocks=3, profile="quick"))
    assert not found.claims
    assert NO_CLAIMS in found.warnings
    assert all(c.group is None for c in found.cells)
    assert all(c.comparison.verdict == "not comparable" for c in found.cells if c.comparison)
    assert all("few" in {flag.name for flag in c.flags} for c in found.cells)


@pytest.mark.parametrize(
    ("noise", "flag"),
    [
        (Noise(other=1.0), "other-cpu"),
        (Noise(steal=0.05), "steal"),
        (Noise(drift=0.4), "drift"),
        (Noise(modes=0.4), "modes"),
        (Noise(settling=0.8), "not steady"),
    ],
)
def test_contamination_keeps_cases_out_of_groups(noise: Noise, flag: str) -> None:
    found = summarise(make_run(blocks=17, workloads=["spawn"], noise=noise))
    flagged = [(c, f) for c in found.cells for f in c.flags if f.name == flag]
    assert len(flagged) >= len(found.cells) / 4
    assert all(f.level == "red" or (f.margin and c.group) for c, f in flagged)
    for one in (c for c, f in flagged if f.level == "red"):
        assert one.group is None
        assert one.comparison is None or one.comparison.verdict == "not comparable"


def test_a_wide_number_has_a_place_where_its_ratios_tell_it() -> None:
    """Costs are 95 to 2,500 ns a switch, and the intervals of some are +-25 % and wider."""
    found = summarise(make_run(blocks=17, workloads=["switch"], noise=Noise(invocation=0.6)))
    wide = [
        (one, flag.level)
        for one in found.cells
        for flag in one.flags
        if flag.name == "wide" and "limit 25 %" in flag.text
    ]
    assert {level for _, level in wide} == {"red", "amber"}
    for one, level in wide:
        assert (one.group is None) == (level == "red")
        for other in found.cells:
            if one.group and other.group and same_column(one, other):
                dearer = COST[other.runtime]["switch"] > 5 * COST[one.runtime]["switch"]
                assert not dearer or other.group > one.group


def same_column(one: Cell, other: Cell) -> bool:
    return (one.point, one.track, one.metric) == (other.point, other.track, other.metric)


def test_a_failed_control_marks_its_column_and_the_run() -> None:
    run = make_run(blocks=12, workloads=["spawn", "hand-off"])

    def slowed(line: log.Line) -> log.Line:
        if (
            not isinstance(line, log.Invocation)
            or line.case != "hand-off/m=500/one-cpu/asyncio~twin"
        ):
            return line
        slower = [log.Iteration(int(1.1 * i.elapsed_ns), i.cpu_ns, i.ops) for i in line.iterations]
        return msgspec.structs.replace(line, iterations=slower)

    found = summarise(msgspec.structs.replace(run, lines=[slowed(line) for line in run.lines]))
    column = [c for c in found.cells if c.key.startswith("hand-off/m=500/one-cpu/")]
    assert all("control" in {f.name for f in c.flags} and c.group is None for c in column)
    others = [c for c in found.cells if c.workload == "spawn"]
    assert all("run control" in {f.name for f in c.flags} for c in others)
    assert any(c.group for c in others)
    assert any("A/A failed" in warning for warning in found.warnings)


def test_a_bent_ladder_is_not_linear() -> None:
    run = make_run(blocks=9, workloads=["memory"])

    def bent(line: log.Line) -> log.Line:
        if not isinstance(line, log.Invocation) or "n=100000" not in line.case:
            return line
        holds = {
            k: msgspec.structs.replace(m, private_dirty=int(1.5 * m.private_dirty))
            for k, m in line.holds.items()
        }
        return msgspec.structs.replace(line, holds=holds)

    found = summarise(msgspec.structs.replace(run, lines=[bent(line) for line in run.lines]))
    assert all("not linear" in {f.name for f in c.flags} for c in found.cells)


def test_a_run_read_from_its_folder_gives_the_same(
    tmp_path: Path, run: log.Run, summary: RunSummary
) -> None:
    again = summarise(log.read(write_run(tmp_path / "run", run)))
    assert again == summary
    assert msgspec.json.decode(msgspec.json.encode(summary), type=RunSummary) == summary


def test_a_run_whose_specs_had_keys_that_are_gone_is_still_read(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", make_run(blocks=3, profile="quick", workloads=["spawn"]))
    header = msgspec.json.decode((folder / "run.json").read_bytes())
    spec = header["workloads"]["spawn"]
    for place in (
        spec,
        spec["metric"][0],
        spec["point"][0],
        spec["verify"][0],
        *header["plan"]["points"].values(),
    ):
        place["gone"] = {"since": 1}
    (folder / "run.json").write_bytes(msgspec.json.encode(header))
    assert summarise(log.read(folder)) == summarise(
        make_run(blocks=3, profile="quick", workloads=["spawn"], folder=folder)
    )
    header["gone"] = 1
    (folder / "run.json").write_bytes(msgspec.json.encode(header))
    with pytest.raises(UserError, match="unknown field `gone`"):
        log.read(folder)


def test_memory_at_a_single_point_says_why_it_has_no_figure() -> None:
    run = make_run(blocks=1, profile="smoke", workloads=["memory", "spawn"])
    plan = msgspec.structs.replace(
        run.header.plan, cases=[case for case in run.header.plan.cases if "/n=2000/" not in case]
    )
    lines = [line for line in run.lines if "/n=2000/" not in getattr(line, "case", "")]
    summary = summarise(
        msgspec.structs.replace(
            run, header=msgspec.structs.replace(run.header, plan=plan), lines=lines
        )
    )
    found = [found for found in summary.cells if found.workload == "memory"]
    assert {cell.gap for cell in found} == {"no slope: this profile has a single point"}
    assert {cell.runtime for cell in found} == set(COST)
    assert not any(cell.metric == "slope" for cell in summary.cells)


@pytest.mark.parametrize(("steal", "warned"), [(0.0, False), (0.05, True)])
def test_a_loud_box_is_said_once_for_the_run(steal: float, warned: bool) -> None:
    found = summarise(make_run(seed=3, noise=Noise(steal=steal)))
    assert (
        any(warning.startswith("the box was not quiet: ") for warning in found.warnings) is warned
    )
