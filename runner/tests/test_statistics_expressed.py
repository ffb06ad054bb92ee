"""Numbers that a spec states as expressions, where higher may be better and nothing may be zero."""

from __future__ import annotations

import msgspec
from synthetic import make_run

from corobench.statistics.summary import summarise


def test_a_number_of_nothing_is_no_best() -> None:
    """Progress of a load that there is none of: zero can't be ranked where higher is better."""
    run = make_run(blocks=12, workloads=["spawn"])
    progress = {"name": "time", "title": "progress", "unit": "1", "better": "higher", "value": "elapsed * 0"}
    spec = {**run.header.workloads["spawn"], "kind": "measured", "metric": [progress], "ladder": None}
    idle = msgspec.structs.replace(run, header=msgspec.structs.replace(run.header, workloads={"spawn": spec}))
    cells = [cell for cell in summarise(idle).cells if cell.track == "one-cpu"]
    assert cells
    assert {(cell.typical.center if cell.typical else None, cell.group) for cell in cells} == {(0.0, None)}
