"""Numbers from two points of a block: ratios to a base, the CPU time beside differences, and
percentiles of enough samples.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import planted
import pytest
from synthetic import make_run

from corobench.errors import UserError
from corobench.results import histogram, log
from corobench.statistics import samples
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell
from corobench.suite import expression, variables
from corobench.suite.load import load_workload

STARVATION = planted.REPOSITORY / "runner" / "workloads" / "starvation.toml"


def cells(
    changes: dict[str, Any], blocks: int = 9, workload: str = "spawn"
) -> dict[tuple[str, str], Cell]:
    """The cells of one runtime of a made-up run, by metric and point, of a spec with these
    changes.
    """
    run = make_run(blocks=blocks, workloads=[workload])
    spec = {**run.header.workloads[workload], "ladder": None, **changes}
    changed = msgspec.structs.replace(
        run, header=msgspec.structs.replace(run.header, workloads={workload: spec})
    )
    found = summarise(changed).cells
    return {(c.metric, c.point): c for c in found if (c.track, c.runtime) == ("one-cpu", "gevent")}


def test_a_ratio_is_taken_block_by_block_and_has_no_cell_at_its_base() -> None:
    metric = {"name": "time", "title": "time", "unit": "s", "better": "lower", "value": "elapsed"}
    ratio = {
        "name": "times",
        "title": "times as long",
        "over": "n",
        "base": 1_000,
        "value": "elapsed",
        "better": "lower",
    }
    found = cells({"kind": "measured", "metric": [metric], "ratio": [ratio]})
    many, few = (found["time", f"n={n}"].samples for n in (10_000, 1_000))
    times = found["times", "n=10000"]
    assert times.samples == pytest.approx({block: many[block] / few[block] for block in range(9)})
    assert times.unit == "1"
    assert ("times", "n=1000") not in found


def test_a_ratio_to_nothing_is_none() -> None:
    metric = {"name": "time", "title": "time", "unit": "s", "better": "lower", "value": "elapsed"}
    ratio = {
        "name": "times",
        "title": "times",
        "over": "n",
        "base": 1_000,
        "value": "elapsed * (n > 1000)",
        "better": "lower",
    }
    found = cells({"kind": "measured", "metric": [metric], "ratio": [ratio]}, blocks=2)
    assert found["times", "n=10000"].median is None


def test_a_doubt_may_leave_a_lower_bound_of_the_figures_that_it_names() -> None:
    figures = [
        {"name": name, "title": name, "unit": "s", "better": "lower", "value": "elapsed"}
        for name in ("late", "sure")
    ]
    ratio = {
        "name": "times",
        "title": "times as long",
        "over": "n",
        "base": 1_000,
        "value": "elapsed",
        "better": "lower",
    }
    cap = {
        "name": "cap",
        "level": "red",
        "when": "n > 1_000",
        "text": "no answer",
        "metrics": ["late", "times"],
        "bound": True,
    }
    found = cells({"kind": "measured", "metric": figures, "ratio": [ratio], "caution": [cap]})
    assert {key for key, cell in found.items() if cell.bound} == {
        (metric, point)
        for metric, point in found
        if metric in ("late", "times") and point != "n=1000"
    }
    assert all(cell.trusted != cell.bound for cell in found.values())


def test_cpu_time_stands_beside_a_difference_of_times() -> None:
    asked = {"name": "more", "title": "more", "over": "n", "of": 10_000, "less": 1_000}
    found = cells({"difference": [asked]})["more", "n=10000-1000"]
    assert found.figures["cpu"].n == 9


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            'over = "mode"\nbase = "idle"',
            'over = "mood"\nbase = "idle"',
            "ratio.starvation.over: 'mood' is no parameter",
        ),
        ('base = "idle"', 'base = "asleep"', "ratio.starvation.base: no point has mode = 'asleep'"),
        (
            'base = "idle"\nfree = ["probes", "cap_ms"]',
            'base = "idle"\nfree = ["probe"]',
            "ratio.starvation.free: 'probe' is no parameter",
        ),
        (
            'value = "worked_ns / elapsed"',
            'value = "worked / elapsed"',
            "ratio.kept.value: unknown name 'worked'",
        ),
    ],
)
def test_a_ratio_that_cannot_be_is_an_error_with_its_key(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    text = STARVATION.read_text()
    assert old in text
    (tmp_path / "starvation.toml").write_text(text.replace(old, new))
    with pytest.raises(UserError, match=told):
        load_workload(tmp_path / "starvation.toml")


def test_a_percentile_has_no_value_where_too_few_samples_lie_beyond_it() -> None:
    hundred = {"late": histogram.histogram_of(range(100))}
    assert expression.evaluate("percentile(late, 0.95)", {}, hundred) == expression.evaluate(
        "quantile(late, 0.95)", {}, hundred
    )
    with pytest.raises(
        expression.NoValue, match=r"4 samples lie beyond the share 0\.96, fewer than 5"
    ):
        expression.evaluate("percentile(late, 0.96)", {}, hundred)
    with pytest.raises(expression.NoValue):
        expression.evaluate("percentile(late, 0.5)", {}, {"late": histogram.histogram_of([])})


def test_a_number_without_a_value_is_none() -> None:
    run = make_run(blocks=1, workloads=["spawn"])
    invocation = next(line for line in run.lines if isinstance(line, log.Invocation))
    few = msgspec.structs.replace(invocation, series={"late": histogram.histogram_of([1, 2])})
    assert samples.expression_value("percentile(late, 0.99)", {}, few) is None
    assert samples.expression_value("largest(late)", {}, few) == pytest.approx(2e-9)


def test_the_high_water_mark_at_a_hold_has_a_name() -> None:
    memory = log.Memory(units=1, private_dirty=10, pss=20, swap=5, rss=30, rss_high=40, threads=1)
    names = variables.values({}, log.Iteration(1, 1, 1), {}, {"live-collected": memory}, {})
    assert (names["held_live_collected"], names["high_live_collected"]) == (15, 40)
