"""Specs of served workloads that say too little or too much about their load are refused, with file
and key.
"""

from __future__ import annotations

from pathlib import Path

import planted
import pytest

from corobench.errors import UserError
from corobench.execute.load import stream_plan
from corobench.results import histogram
from corobench.suite.expression import evaluate
from corobench.suite.load import load_suite, load_workload
from corobench.suite.workload import Load, Parameter

STARVATION = Path(__file__).parents[2] / "workloads/starvation-http.toml"
LOAD = Load(
    name="latency",
    expect='{"result": $answer}',
    json=True,
    path="/at/$place",
    body="<$place>",
    clients="k * 2",
    rate="warm / 2",
)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'kind = "served"',
            'kind = "measured"',
            "a workload of kind 'served', and no other, has [[load]]",
        ),
        ('generator_only = ["n",', 'generator_only = ["m",', "generator_only: 'm' is no parameter"),
        ('clients = "100"', 'clients = "hundred"', "load.seen.clients: unknown name 'hundred'"),
        ('warm = "n // 4"', 'warm = "warm // 4"', "load.seen.warm: unknown name 'warm'"),
        ('warm_ms = "least_ms // 4"', 'warm_ms = "warm"', "load.seen.warm_ms: unknown name 'warm'"),
        ('least_ms = "least_ms"', 'least_ms = "m"', "load.seen.least_ms: unknown name 'm'"),
        (
            "when = \"phase == 'open'\"",
            "when = \"phase == 'shut'\"",
            "point phase=open,n=1000,least_ms=300: no [[load]] is for it",
        ),
        ('requests = "n"\n', "", "no [[load]] there has a number of requests"),
        (
            'latency = { title = "response time since',
            'latency = { count = "== n", title = "response time since',
            "neither count nor keep is asked",
        ),
        (
            'value = "server_cpu / requests"',
            'value = "server_gpu / requests"',
            "metric.cpu.value: unknown name 'server_gpu'",
        ),
        (
            '"requests / elapsed"',
            '"requests / elapsed_jobs"',
            "metric.throughput.value: unknown name 'elapsed_jobs'",
        ),
    ],
)
def test_a_wrong_load(tmp_path: Path, old: str, new: str, message: str) -> None:
    planted.plant(tmp_path, {})
    file = tmp_path / "runner" / "workloads" / "http.toml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    with pytest.raises(UserError, match=r"http\.toml: ") as caught:
        load_suite(tmp_path)
    assert message in str(caught.value)


def test_parameters_reach_the_plan() -> None:
    asked = stream_plan(LOAD, {"k": 3, "place": "b", "answer": 7}, 50.0)
    assert (asked["path"], asked["body"], asked["expect"]) == (
        "/at/b",
        "<b>",
        {"json": {"result": 7}},
    )
    assert (asked["clients"], asked["rate"], asked["requests"], asked["keepalive"]) == (
        6,
        25.0,
        None,
        True,
    )


def test_beforehand_every_stream_is_a_closed_loop() -> None:
    load = Load(
        name="x", expect="", requests="1000", least_ms="400", rate="9", warm="20", warm_ms="100"
    )
    asked = stream_plan(load, {}, None)
    assert (asked["requests"], asked["least_ms"], asked["rate"]) == (20, 100, None)
    asked = stream_plan(load, {}, 50.0)
    assert (asked["requests"], asked["least_ms"], asked["rate"]) == (1000, 400, 9)


def test_checksums_are_counted_up_to_the_end_of_the_last() -> None:
    """Four that share a CPU end together: 28 in 3.9 s of 4.3 s, at whose end four more are done in
    part.
    """
    texts = {metric.name: metric.value or "" for metric in load_workload(STARVATION).metric}
    names = {"server_cpu": 0.8 * 4.3, "elapsed": 4.3, "elapsed_jobs": 3.9}
    jobs = {"jobs": histogram.histogram_of([1] * 28)}
    assert evaluate(texts["progress"], names, jobs) == pytest.approx(28 / 3.9)
    assert evaluate(texts["cpu-checksum"], names, jobs) == pytest.approx(0.8 / (28 / 3.9))


def test_both_loops_beside_checksums_last_as_long_and_long_enough() -> None:
    """Four checksums that share a CPU take 0.4 s at least; where their number is compared, there
    are to be many.
    """
    spec = load_workload(STARVATION)
    for profile, least_ms in (("default", 2_000), ("publish", 5_000), ("scenarios", 5_000)):
        for point in (
            point for point in spec.points(profile) if point.params["step"] in ("naive", "pool")
        ):
            params: dict[str, Parameter] = point.params
            (opened,) = (
                stream_plan(load, params, 0.0) for load in spec.load if load.name == "latency"
            )
            (closed,) = (
                stream_plan(load, params, 0.0) for load in spec.load if load.name == "seen"
            )
            assert closed["least_ms"] == opened["requests"] / opened["rate"] * 1000 >= least_ms, (
                profile,
                point.name,
            )
