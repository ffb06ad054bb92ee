"""Only whole blocks are paired: what was interrupted, resumed or torn is shown and left out of
comparisons.
"""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from synthetic import Build, make_run

from corobench.results import log
from corobench.statistics.summary import summarise
from corobench.suite.workload import parse_case


def test_an_interrupted_block_is_shown_but_not_paired() -> None:
    run = make_run(blocks=12, workloads=["spawn"], build=Build(stop_in_block=11))
    found = summarise(run)
    assert found.blocks == 11
    assert found.stop_reason == "interrupted by the user"
    absolute = [c.median.n for c in found.cells if c.median and c.metric == "time"]
    assert 12 in absolute
    assert all(c.comparison.pairs == 11 for c in found.cells if c.comparison)


def test_a_resumed_block_is_not_paired() -> None:
    run = make_run(blocks=10, workloads=["spawn"])
    inside = [
        place
        for place, line in enumerate(run.lines)
        if isinstance(line, log.Invocation) and line.block == 4
    ][3]
    between = (
        next(
            place
            for place, line in enumerate(run.lines)
            if isinstance(line, log.Mark) and line.block == 6
        )
        + 1
    )
    for place in (between, inside):
        run.lines.insert(place, log.Mark(event="resumed", at=""))
    found = summarise(run)
    assert found.blocks == 9
    assert {c.comparison.pairs for c in found.cells if c.comparison} == {9}
    assert {c.median.n for c in found.cells if c.median} == {10}
    assert found.whole_blocks == [0, 1, 2, 3, 5, 6, 7, 8, 9]


def test_how_close_in_time_compared_cases_were_measured() -> None:
    """From the first start to the last in a block, the median of the whole blocks: of the four here
    the last is not.
    """
    run = make_run(blocks=4, workloads=["hand-off"])
    pause_s = [1, 3, 2, 5]

    def timed(line: log.Line) -> log.Line:
        if not isinstance(line, log.Invocation):
            return line
        seconds = pause_s[line.block] * line.position
        return msgspec.structs.replace(
            line, started=f"2026-01-01T00:0{line.block}:{seconds:02}.000+00:00"
        )

    lines = [
        timed(line) for line in run.lines if not (isinstance(line, log.Mark) and line.block == 3)
    ]
    found = summarise(msgspec.structs.replace(run, lines=lines)).controls["spans"]
    assert set(found) == set(run.header.plan.references)
    for cell, seconds in found.items():
        size = sum(parse_case(case).cell == cell for case in run.header.plan.cases)
        assert seconds == 2 * (size - 1)
    assert not [warning for warning in summarise(run).warnings if "apart in a block" in warning]


def test_compared_cases_that_lie_over_half_a_minute_apart_are_told_at_the_head_of_the_run() -> None:
    run = make_run(blocks=3, workloads=["hand-off", "switch"])

    def timed(line: log.Line) -> log.Line:
        if not isinstance(line, log.Invocation):
            return line
        seconds = line.position * (20 if line.case.startswith("hand-off") else 1)
        return msgspec.structs.replace(
            line, started=datetime.fromtimestamp(5000 * line.block + seconds, UTC).isoformat()
        )

    found = summarise(msgspec.structs.replace(run, lines=[timed(line) for line in run.lines]))
    spans = found.controls["spans"]
    far = [cell for cell, seconds in spans.items() if seconds > 30]
    assert far
    assert {cell.split("/")[0] for cell in far} == {"hand-off"}
    (told,) = [warning for warning in found.warnings if "apart in a block" in warning]
    assert told.startswith(
        f"in {len(far)} of {len(spans)} cells the runtimes were measured over 30 s apart in a "
        "block, at most "
    )
    assert f"at most {max(spans.values()):.0f} s (hand-off, m=500)" in told


def test_without_a_whole_block_nothing_is_paired() -> None:
    run = make_run(blocks=12, workloads=["hand-off"])
    torn = [line for line in run.lines if not isinstance(line, log.Mark)]
    found = summarise(msgspec.structs.replace(run, lines=torn))
    assert all(c.median and c.median.n == 12 for c in found.cells)
    assert all(c.group is None and c.comparison is None for c in found.cells)
