"""Charts drawn by a process beside this one."""

from __future__ import annotations

import pytest
import report_runs

from corobench import store
from corobench.report import charts, headline, painting, rendering
from corobench.report.charts import style
from corobench.statistics.summary import summarise
from corobench.statistics.values import RunSummary


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> RunSummary:
    folder = tmp_path_factory.mktemp("results") / "testbox" / "run"
    return summarise(store.read(report_runs.write(folder, profile="quick", blocks=3, workloads=["spawn"])))


def test_charts_drawn_beside_are_those_drawn_here(summary: RunSummary) -> None:
    workload = next(w for w in summary.workloads if w.name == "spawn")
    column = headline.column(summary, workload)
    assert column
    specs = [s for chart in charts.charts_of(summary, workload, column, style.palette(summary)) for s in chart.specs.values()]
    here = [rendering.drawn(spec) for spec in specs]
    with painting.beside() as painter:
        assert painter, "the test needs two CPUs"
        painter.start()
        assert painting.Begun(specs).finished() == here
        with pytest.raises(ValueError, match="conversion failed"):
            painting.Begun([style.finish({"mark": "no mark of this name"})]).finished()
    assert painting.Begun(specs[:1]).finished() == here[:1]
