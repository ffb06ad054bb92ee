"""Charts drawn by a process beside this one."""

from __future__ import annotations

import subprocess
import sys
import threading
import zlib
from concurrent.futures import Future
from threading import Timer

import msgspec
import pytest
import report_runs

from corobench import store
from corobench.report import charts, headline, painting, practice, rendering, workers
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
        assert dict(painting.Begun(specs).finished()) == dict(enumerate(here))
        with pytest.raises(ValueError, match="conversion failed"):
            list(painting.Begun([style.finish({"mark": "no mark of this name"})]).finished())
    assert list(painting.Begun(specs[:1]).finished()) == [(0, here[0])]


def test_a_process_that_draws_already_is_taken() -> None:
    with painting.beside(new=1) as painter:
        assert painter, "the test needs two CPUs"
        with painting.beside() as another:
            assert another is painter
        assert painter.draw([[style.finish({"mark": "point"})]])[0].result(), "it is not ended by who took it"


def test_the_process_practises_until_it_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Spec] = []
    hurry = threading.Event()

    def draw(spec: Spec) -> str:
        drawn.append(spec)
        if len(drawn) == 3:
            hurry.set()
        return ""

    monkeypatch.setattr(rendering, "warm_up", lambda: None)
    monkeypatch.setattr(rendering, "drawn", draw)
    monkeypatch.setattr(workers, "_told", [hurry])
    painting.warm_up()
    assert drawn == [practice.panels()] * 3
    painting.warm_up()
    assert len(drawn) == 3, "no more of it"


def test_what_is_practised_can_be_drawn() -> None:
    assert rendering.drawn(practice.panels()).count("<path") > len(practice.panels()["vconcat"])


def test_who_has_something_to_draw_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    for name in ("hurry", "begin", "end"):
        monkeypatch.setattr(workers.Aside, name, lambda _self, *_arguments, name=name: said.append(name))
    with painting.beside(new=1) as painter:
        assert painter, "the test needs two CPUs"
        assert said == ["begin"], "it warms up"
        painter.draw([[style.finish({"mark": "point"})]])
    assert said == ["begin", "hurry", "begin", "end"]


def test_a_process_beside_learns_that_it_is_waited_for() -> None:
    one = workers.Aside()
    try:
        assert one.begin(workers.in_no_hurry).result()
        one.hurry()
        assert not one.begin(workers.in_no_hurry).result()
    finally:
        one.end()


def made(*drawings: str) -> bytes:
    """As the process hands them over."""
    return zlib.compress(msgspec.json.encode(drawings))


def test_pieces_are_small_at_both_ends_and_each_chart_is_in_one() -> None:
    pieces = list(painting._pieces(range(50)))
    assert [len(piece) for piece in pieces] == [4, 4, 12, 12, *[4] * 4, 2]
    assert [place for piece in pieces for place in piece] == list(range(50))
    assert [len(piece) for piece in painting._pieces(range(9))] == [4, 4, 1]


def test_a_piece_that_is_drawn_fits_into_a_pipe_that_nobody_reads() -> None:
    """64 KiB on Linux, by pipe(7)."""
    specs = [practice.panels()] * 12
    drawn = painting.packed(specs)
    assert painting.unpacked(drawn) == [rendering.drawn(specs[0])] * 12
    assert len(drawn) < 65_536 < len(rendering.drawn(specs[0])) * 12


def test_what_the_process_has_not_come_to_is_drawn_here(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting: list[Future[bytes]] = [Future() for _ in range(4)]
    waiting[0].set_result(made("10", "11", "12", "13"))  # the largest first
    waiting[1].set_running_or_notify_cancel()
    Timer(0.05, waiting[1].set_result, [made("0", "1", "2", "3")]).start()
    drawn: list[int] = []

    def draw(spec: Spec) -> str:
        drawn.append(spec["number"])
        return str(spec["number"])

    monkeypatch.setattr(rendering, "drawn", draw)
    monkeypatch.setattr(painting, "_ENGINE", 4)
    with painting.beside() as painter:
        assert painter, "the test needs two CPUs"
        monkeypatch.setattr(painter, "draw", lambda _pieces: waiting)
        begun = painting.Begun([{"number": number} for number in range(14)])
        assert dict(begun.finished()) == {number: str(number) for number in range(14)}
    assert drawn == [8, 9, 4, 5, 6, 7], "from the last piece on, each once"
    assert all(one.cancelled() for one in waiting[2:]), "so that the process doesn't draw them as well"


def test_no_engine_is_started_here_for_the_little_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting: list[Future[bytes]] = [Future() for _ in range(2)]
    Timer(0.05, waiting[0].set_result, [made("4", "5", "6", "7")]).start()
    Timer(0.05, waiting[1].set_result, [made("0", "1", "2", "3")]).start()
    monkeypatch.setattr(rendering, "drawn", lambda _spec: pytest.fail("drawn here"))
    with painting.beside() as painter:
        assert painter, "the test needs two CPUs"
        monkeypatch.setattr(painter, "draw", lambda _pieces: waiting)
        found = dict(painting.Begun([{"number": number} for number in range(8)]).finished())
    assert sorted(found.values()) == [str(number) for number in range(8)]


def test_the_process_starts_before_the_report_is_loaded() -> None:
    """What `corobench report` has loaded when it starts the painter, which is to draw as early as it can."""
    begin = "import sys; from corobench import cli; cli.corobench.get_command(None, 'report')"
    loaded = "print(*(name for name in ('jinja2', 'vl_convert', 'corobench.cli.run') if name in sys.modules))"
    code = f"{begin}; import corobench.report.painting; {loaded}"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split() == []
