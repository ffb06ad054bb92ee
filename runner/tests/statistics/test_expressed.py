"""Numbers that a spec states as expressions, where higher may be better and nothing may be zero."""

from __future__ import annotations

import msgspec
import pytest
from synthetic import make_run

from corobench.statistics.summary import summarise


def test_a_number_of_nothing_is_no_best() -> None:
    """Progress of a load that there is none of: zero can't be ranked where higher is better."""
    run = make_run(blocks=12, workloads=["spawn"])
    progress = {
        "name": "time",
        "title": "progress",
        "unit": "1",
        "better": "higher",
        "value": "elapsed * 0",
    }
    spec = {
        **run.header.workloads["spawn"],
        "kind": "measured",
        "metric": [progress],
        "ladder": None,
    }
    idle = msgspec.structs.replace(
        run, header=msgspec.structs.replace(run.header, workloads={"spawn": spec})
    )
    cells = [cell for cell in summarise(idle).cells if cell.track == "one-cpu"]
    assert cells
    assert {(cell.median.center if cell.median else None, cell.group) for cell in cells} == {
        (0.0, None)
    }


def test_a_difference_of_expressions_is_taken_block_by_block() -> None:
    run = make_run(blocks=9, workloads=["spawn"])
    asked = {
        "name": "more",
        "title": "more",
        "over": "n",
        "of": 10_000,
        "less": 1_000,
        "per": "n - 1000",
        "value": "elapsed",
    }
    metric = {"name": "time", "title": "time", "unit": "s", "better": "lower", "value": "elapsed"}
    spec = {
        **run.header.workloads["spawn"],
        "kind": "measured",
        "metric": [metric],
        "difference": [asked],
        "ladder": None,
    }
    summary = summarise(
        msgspec.structs.replace(
            run, header=msgspec.structs.replace(run.header, workloads={"spawn": spec})
        )
    )
    cells = {
        (c.metric, c.point): c
        for c in summary.cells
        if (c.track, c.runtime) == ("one-cpu", "gevent")
    }
    many, few = (cells["time", f"n={n}"].samples for n in (10_000, 1_000))
    found = cells["more", "n=10000-1000"]
    assert found.samples == pytest.approx(
        {block: (many[block] - few[block]) / 9_000 for block in range(9)}
    )
    assert found.median
    assert found.median.n == 9
