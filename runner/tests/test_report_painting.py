"""Charts drawn by a process beside this one."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Timer

import pytest
import report_runs

from corobench import store
from corobench.report import charts, headline, painting, rendering
from corobench.report.charts import style
from corobench.report.charts.style import Spec
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


def test_what_the_process_has_not_come_to_is_drawn_here(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting: list[Future[list[str]]] = [Future() for _ in range(4)]
    waiting[0].set_result(["10", "11", "12", "13"])  # the largest first
    waiting[1].set_running_or_notify_cancel()
    Timer(0.05, waiting[1].set_result, [["0", "1", "2", "3"]]).start()
    drawn: list[int] = []

    def draw(specs: list[Spec]) -> list[str]:
        drawn.extend(spec["number"] for spec in specs)
        return [str(spec["number"]) for spec in specs]

    monkeypatch.setattr(rendering, "all_drawn", draw)
    with painting.beside() as painter:
        assert painter, "the test needs two CPUs"
        monkeypatch.setattr(painter, "draw", lambda _pieces: waiting)
        begun = painting.Begun([{"number": number} for number in range(14)])
        assert begun.finished() == [str(number) for number in range(14)]
    assert drawn == [8, 9, 4, 5, 6, 7], "from the last piece on, each once"
    assert all(one.cancelled() for one in waiting[2:]), "so that the process doesn't draw them as well"
