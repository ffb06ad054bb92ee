"""The A/A control of a column: what it can't tell, what it says of itself, and values that have no
ratio.
"""

from __future__ import annotations

import msgspec
import pytest
from synthetic import Build, Noise, cell, make_run

from corobench.results import log
from corobench.statistics import flags
from corobench.statistics.summary import summarise
from corobench.statistics.types import Flag


@pytest.mark.parametrize(("blocks", "known"), [(5, False), (6, True)])
def test_without_a_usable_control_there_is_no_verdict_and_no_noise_floor(
    blocks: int, known: bool
) -> None:
    found = summarise(make_run(blocks=blocks, workloads=["hand-off"]))
    assert (found.noise_floor is not None) is known
    assert {
        "no control" in {flag.name for flag in cell.flags if flag.level == "red"}
        for cell in found.cells
    } == {not known}


def test_a_cell_whose_twin_always_fails_has_no_verdict() -> None:
    failing = Build(failures={"hand-off/m=500/one-cpu/asyncio~twin": list(range(12))})
    found = summarise(make_run(blocks=12, workloads=["hand-off", "spawn"], build=failing))
    column = [cell for cell in found.cells if cell.key.startswith("hand-off/m=500/one-cpu/")]
    assert len(column) == 7
    assert all(
        "no control" in {flag.name for flag in cell.flags if flag.level == "red"} for cell in column
    )
    assert {cell.comparison.verdict for cell in column if cell.comparison} == {"not comparable"}
    assert any(cell.group for cell in found.cells if cell.workload == "spawn")


def test_a_twin_that_is_flagged_itself_is_told() -> None:
    failing = Build(failures={"hand-off/m=500/one-cpu/asyncio~twin": [3]})
    found = summarise(make_run(blocks=12, workloads=["hand-off"], build=failing))
    told = {
        flag.text
        for cell in found.cells
        if cell.track == "one-cpu"
        for flag in cell.flags
        if flag.name == "control flagged"
    }
    assert told == {
        "the A/A control is itself flagged (invocations failed): what counts as equal rests on it"
    }
    assert not any(
        flag.name == "control flagged"
        for cell in found.cells
        if cell.track == "all-cpus"
        for flag in cell.flags
    )
    assert any(cell.group for cell in found.cells if cell.track == "one-cpu")


def test_what_is_said_of_a_flagged_twin_has_no_code_names() -> None:
    own = [
        Flag(name=name, level="red", text=text)
        for name, text in (("other-cpu", "busy"), ("peer-late", "late (3 of 9 invocations)"))
    ]
    text = flags.control_flagged([*own, own[0]]).text
    assert text == (
        "the A/A control is itself flagged (other programs ran, late): what counts as "
        "equal rests on it"
    )


def test_a_twin_that_is_only_wide_is_in_delta_already() -> None:
    found = summarise(make_run(blocks=12, workloads=["hand-off"], noise=Noise(invocation=0.6)))
    assert any(
        flag.name == "wide" and flag.level == "red" for cell in found.cells for flag in cell.flags
    )
    assert not any(
        "wide" in flag.text
        for cell in found.cells
        for flag in cell.flags
        if flag.name == "control flagged"
    )


def test_pairs_of_values_that_are_not_positive_are_counted() -> None:
    """A memory slope around 0, in some blocks below it."""
    run = make_run(blocks=12, workloads=["memory"])

    def shrunk(line: log.Line) -> log.Line:
        if (
            not isinstance(line, log.Invocation)
            or not line.case.endswith("/one-cpu/node")
            or line.block % 3
        ):
            return line
        live = msgspec.structs.replace(
            line.holds["live"], private_dirty=2 * 10**8 - 400 * line.holds["live"].units
        )
        return msgspec.structs.replace(line, holds={**line.holds, "live": live})

    found = cell(
        summarise(msgspec.structs.replace(run, lines=[shrunk(line) for line in run.lines])),
        "memory/n=1000..100000/one-cpu/node/bytes",
    )
    assert found.comparison is None
    text = "no ratio to the reference: in only 8 of 12 blocks are both values positive"
    assert text in {flag.text for flag in found.flags}


def test_a_reference_that_reads_zero_needs_no_control() -> None:
    """A memory slope that is exactly 0 for the reference: nobody has a ratio to it, and that is no
    fault of the control.
    """
    run = make_run(blocks=12, workloads=["memory"])

    def level(line: log.Line) -> log.Line:
        if not isinstance(line, log.Invocation) or "/one-cpu/asyncio" not in line.case:
            return line
        live = msgspec.structs.replace(line.holds["live"], private_dirty=2 * 10**7, swap=0)
        return msgspec.structs.replace(line, holds={**line.holds, "live": live})

    found = summarise(msgspec.structs.replace(run, lines=[level(line) for line in run.lines]))
    column = [
        c
        for c in found.cells
        if c.key.startswith("memory/") and c.track == "one-cpu" and c.metric == "bytes"
    ]
    assert {c.median.center for c in column if c.runtime == "asyncio" and c.median} == {0}
    assert not any(flag.name == "no control" for c in column for flag in c.flags)
    assert all(c.comparison is None for c in column)
