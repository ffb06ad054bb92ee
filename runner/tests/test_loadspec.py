"""Specs of served workloads that say too little or too much about their load are refused, with file and key."""

from __future__ import annotations

from pathlib import Path

import planted
import pytest

from corobench.errors import UserError
from corobench.execute.generator import stream
from corobench.loadspec import Load
from corobench.manifest import load_suite

LOAD = Load(
    name="latency", expect='{"result": $answer}', json=True, path="/at/$place", body="<$place>", clients="k * 2", rate="warm / 2"
)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('kind = "served"', 'kind = "measured"', "a workload of kind 'served', and no other, has [[load]]"),
        ('unseen = ["n",', 'unseen = ["m",', "unseen: 'm' is no parameter"),
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
        ('value = "server_cpu / requests"', 'value = "server_gpu / requests"', "metric.cpu.value: unknown name 'server_gpu'"),
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
    asked = stream(LOAD, {"k": 3, "place": "b", "answer": 7}, 50.0)
    assert (asked["path"], asked["body"], asked["expect"]) == ("/at/b", "<b>", {"json": {"result": 7}})
    assert (asked["clients"], asked["rate"], asked["requests"], asked["keepalive"]) == (6, 25.0, None, True)


def test_beforehand_every_stream_is_a_closed_loop() -> None:
    load = Load(name="x", expect="", requests="1000", least_ms="400", rate="9", warm="20", warm_ms="100")
    asked = stream(load, {}, None)
    assert (asked["requests"], asked["least_ms"], asked["rate"]) == (20, 100, None)
    asked = stream(load, {}, 50.0)
    assert (asked["requests"], asked["least_ms"], asked["rate"]) == (1000, 400, 9)
