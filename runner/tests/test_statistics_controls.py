"""What is derived beside the numbers: carry-over from one case to the next, and agreement with the languages' own harnesses."""

from __future__ import annotations

import msgspec
import pytest
from synthetic import Noise, make_run

from corobench import store
from corobench.statistics.summary import summarise


@pytest.mark.parametrize("drift", [0.0, 1.5])
def test_carry_over_is_found_where_it_is(drift: float) -> None:
    run = make_run(blocks=30, workloads=["spawn"], noise=Noise(drift=drift))
    previous, lines = "", []
    for line in run.lines:
        found = line
        if isinstance(line, store.Invocation):
            if "/gevent" in previous:
                slower = [store.Iteration(int(1.15 * i.elapsed_ns), i.cpu_ns, i.ops) for i in line.iterations]
                found = msgspec.structs.replace(line, iterations=slower)
            previous = line.case
        lines.append(found)
    planted = summarise(msgspec.structs.replace(run, lines=lines)).controls["carry_over"]
    assert [effect["after"] for effect in planted if effect["found"]] == ["spawn/gevent"]
    assert next(effect for effect in planted if effect["found"])["ratio"]["center"] == pytest.approx(1.15, abs=0.03)
    assert not any(effect["found"] for effect in summarise(run).controls["carry_over"])


def crosscheck(runtime: str, workload: str, params: dict[str, int], per_op_ns: list[int]) -> store.Control:
    values = {"runtime": runtime, "workload": workload, "params": params, "harness": "native", "per_op_ns": per_op_ns}
    return store.Control(name="crosscheck", block=None, values=values)


def test_cross_check() -> None:
    run = make_run(blocks=12, workloads=["spawn", "switch"])
    samples = {"asyncio": 7_050, "node": 300}
    for runtime, per_op in samples.items():
        run.lines.append(crosscheck(runtime, "spawn", {"n": 1000}, [per_op + i for i in range(9)]))
    run.lines.append(crosscheck("tokio-multi-thread", "switch", {"k": 2, "m": 500}, [30] * 9))
    for runtime in samples:
        run.header.runtimes[runtime]["explained"] = {"spawn": "their loop starts tasks in batches"}
    rows = {(row["runtime"], row["workload"]): row for row in summarise(run).controls["agreement"]}
    assert rows["asyncio", "spawn"]["agrees"]
    assert not rows["node", "spawn"]["agrees"]
    assert rows["node", "spawn"]["explanation"] == "their loop starts tasks in batches"
    assert rows["asyncio", "spawn"]["explanation"] == "", "what agrees needs none"
    assert rows["node", "spawn"]["ratio"] == pytest.approx(304 / 180, rel=0.05)
    assert rows["tokio-multi-thread", "switch"]["ratio"] == pytest.approx(1, rel=0.05), "per resume on both sides"
