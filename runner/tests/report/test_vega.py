"""Charts drawn by vl-convert, in processes beside this one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import report_runs
import vl_convert

from corobench.report import charts, headline, vega
from corobench.report.charts import base
from corobench.results import log
from corobench.statistics.summary import summarise


def point(label: str = "", **parts: object) -> vega.Spec:
    return base.finish(
        {
            "data": {"values": [{"x": label}]},
            "mark": "text",
            "encoding": {"text": {"field": "x"}},
            **parts,
        }
    )


def test_charts_are_those_that_were_asked_for_in_whatever_order(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("results") / "testbox" / "run"
    summary = summarise(
        log.read(report_runs.write(folder, profile="quick", blocks=3, workloads=["spawn"]))
    )
    workload = next(w for w in summary.workloads if w.name == "spawn")
    column = headline.column(summary, workload)
    assert column
    specs = [
        s
        for chart in charts.charts_of(summary, workload, column, base.palette(summary))
        for s in chart.specs.values()
    ]
    alone = [vega.draw(spec) for spec in specs]
    begun = [vega.begin(spec) for spec in specs]
    assert [svg() for svg in reversed(begun)] == alone[::-1]
    assert len(set(alone)) > 2
    assert all(
        svg.startswith("<svg ") and svg.endswith("</svg>") and "NaN" not in svg for svg in alone
    )


def test_what_cannot_be_drawn_stops_nothing_else() -> None:
    wrong, right = (
        vega.begin(base.finish({"mark": "no mark of this name"})),
        vega.begin(point("after it")),
    )
    assert "after it" in right()
    with pytest.raises(ValueError, match="Vega-Lite to SVG conversion failed"):
        wrong()


def test_any_text_can_be_drawn() -> None:
    for text in ("a\nb", "\u2028\u2029", "<&>", "µ 日本 🌊", '"\\'):
        assert "</svg>" in vega.draw(point(text))
    assert "&lt;&amp;&gt;" in vega.draw(point("<&>"))


def test_the_processes_start_before_the_report_is_loaded() -> None:
    """What `corobench report` has loaded when it starts them: they are to be ready when there is
    something to draw.
    """
    begin = "import sys; from corobench import cli; cli.corobench.get_command(None, 'report')"
    loaded = (
        "print(*(name for name in ('jinja2', 'vl_convert', 'corobench.statistics') if name "
        "in sys.modules))"
    )
    code = f"{begin}; import corobench.report.vega; {loaded}"
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.split()
        == []
    )


BEGIN = """
import sys
from corobench.report import vega

vega._cpus = lambda: 2  # on a box of one there are no processes to leave
if __name__ == "__main__":
    for _ in range(40):
        vega.begin({"data": {"values": ["x" * 100_000]}, "mark": "point"})
    print(*vega._pool()._processes, flush=True)
    sys.exit(%s)
"""


@pytest.mark.parametrize("status", [0, 1])
def test_no_process_is_left(status: int, tmp_path: Path) -> None:
    """Neither after success nor after an error, with drawings under way."""
    script = tmp_path / "begin.py"
    script.write_text(BEGIN % status)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    assert done.stdout.split()
    assert not any(Path(f"/proc/{pid}").exists() for pid in done.stdout.split())


def test_the_script_of_the_pages_is_put_together_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def bundle(*_: object, **__: object) -> str:
        made.append("script")
        return made[-1]

    monkeypatch.setattr(vl_convert, "javascript_bundle", bundle)
    kept = tmp_path / "kept/vega.js"
    first = vega.page_script(kept)
    assert vega.page_script(kept) == first
    assert len(made) == 1
    whole = kept.read_bytes()
    for planted in (b"/* of another version */ script", first + b"evil", whole + b"evil"):
        kept.write_bytes(planted)
        made.clear()
        assert vega.page_script(kept) == first
        assert made == ["script"], "not made here, not believed"
    assert vega.page_script(kept / "below a file") == first, "where nothing can be kept"
