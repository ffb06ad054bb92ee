"""Numbers that mean something else in the second run, or that another instrument measured, are not
compared.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from synthetic import Build, make_run
from two_runs import DAY, change, run

from corobench.results import log
from corobench.statistics import environment
from corobench.statistics.compare import compare
from corobench.statistics.summary import summarise


def test_another_contract_is_another_workload() -> None:
    later = run(2, DAY)
    specs = {
        **later.header.workloads,
        "spawn": {**later.header.workloads["spawn"], "contract": "another"},
    }
    found = compare(
        run(1),
        msgspec.structs.replace(
            later, header=msgspec.structs.replace(later.header, workloads=specs)
        ),
    )
    assert {one.verdict for one in found.changes if one.workload == "spawn"} == {"not comparable"}
    assert {one.verdict for one in found.changes if one.workload == "hand-off"} != {
        "not comparable"
    }
    (reason,) = {one.reason for one in found.changes if one.workload == "spawn"}
    assert reason == "it is defined otherwise in the second run: contract"


def redefined(one: log.Run, workload: str, **spec: Any) -> log.Run:
    specs = {**one.header.workloads, workload: {**one.header.workloads[workload], **spec}}
    return msgspec.structs.replace(one, header=msgspec.structs.replace(one.header, workloads=specs))


@pytest.mark.parametrize(
    ("spec", "word"),
    [
        ({"require": [{"name": "calm", "holds": "late < 5", "text": "t"}]}, "requirements"),
        ({"load": [{"name": "main", "expect": "a"}]}, "requests"),
        ({"series": {"late": {"title": "t", "count": "n"}}}, "series"),
        ({"request_timeout_s": 5.0}, "way of measuring"),
        ({"resumes": "2"}, "way of measuring"),
        ({"metric": [{"name": "time", "title": "t", "unit": "s", "better": "higher"}]}, "metric"),
    ],
)
def test_a_number_that_is_defined_otherwise_is_not_compared(
    spec: dict[str, Any], word: str
) -> None:
    first, second = run(1), run(2, DAY)
    one = change(
        compare(first, redefined(second, "hand-off", **spec)), "hand-off/m=500/one-cpu/uvloop/time"
    )
    assert (one.verdict, one.reason) == (
        "not comparable",
        f"it is defined otherwise in the second run: {word}",
    )


def test_what_is_only_said_otherwise_is_the_same_number() -> None:
    spec = run(1).header.workloads["hand-off"]
    titles = [{**metric, "title": "another"} for metric in spec["metric"]]
    words = {
        "title": "Another",
        "question": "Another?",
        "metric": titles,
        "citation": [],
        "verify": spec["verify"][:1],
    }
    cell = next(cell for cell in summarise(run(2)).cells if cell.workload == "hand-off")
    assert (
        environment.definition_changes(
            run(1).header, redefined(run(2), "hand-off", **words).header, cell
        )
        == []
    )


def test_points_that_are_measured_otherwise_spoil_the_numbers_that_are_made_of_them_alone() -> None:
    later = run(2, DAY)
    more = msgspec.structs.replace(later.header.plan.points["spawn/n=10000"], iterations=999)
    plan = msgspec.structs.replace(
        later.header.plan, points={**later.header.plan.points, "spawn/n=10000": more}
    )
    found = compare(
        run(1),
        msgspec.structs.replace(later, header=msgspec.structs.replace(later.header, plan=plan)),
    )
    spoilt = {
        (one.workload, one.point)
        for one in found.changes
        if one.reason.endswith("second run: points")
    }
    assert spoilt == {("spawn", "n=10000"), ("spawn", "n=1000..100000")}


def with_tools(one: log.Run, **tools: dict[str, str]) -> log.Run:
    return msgspec.structs.replace(one, header=msgspec.structs.replace(one.header, tools=tools))


OLD, NEW = (
    {"version": "1.19", "sha256": "a", "origin": "system"},
    {"version": "1.20", "sha256": "b", "origin": "system"},
)


def test_another_instrument_confounds_what_it_measured_and_nothing_else() -> None:
    runs = (
        make_run(
            seed=seed,
            blocks=12,
            workloads=["startup", "hand-off"],
            start_s=start,
            build=Build(slow=slow),
        )
        for seed, start, slow in (
            (1, 0.0, {}),
            (2, DAY, {("startup", "uvloop"): 1.3, ("hand-off", "uvloop"): 1.3}),
        )
    )
    found = compare(
        *(
            with_tools(one, hyperfine=tool, nginx=tool)
            for one, tool in zip(runs, (OLD, NEW), strict=True)
        )
    )
    told = {one.key: (one.kind, one.workloads) for one in found.environment}
    assert told == {
        "tools.hyperfine": ("confounding", ["startup"]),
        "tools.nginx": ("intended", []),
    }
    verdicts = {
        one.workload: one.verdict
        for one in found.changes
        if one.runtime == "uvloop" and "bare" not in one.point
    }
    assert verdicts == {"startup": "inconclusive", "hand-off": "higher"}
    assert (
        "confounding differences (tools.hyperfine, of startup only): no verdict but inconclusive"
        in found.warnings
    )


@pytest.mark.parametrize(
    ("first", "second", "kinds"),
    [
        ({}, {"hyperfine": NEW}, ["confounding"]),
        ({"hyperfine": NEW}, {"hyperfine": {**NEW, "origin": "provisioned"}}, []),
        (
            {"hyperfine": {**OLD, "recipe": "x"}},
            {"hyperfine": {**OLD, "sha256": "c", "recipe": "x"}},
            [],
        ),
        (
            {"hyperfine": {**OLD, "recipe": "x"}},
            {"hyperfine": {**OLD, "sha256": "c", "recipe": "y"}},
            ["confounding"],
        ),
        ({"hyperfine": OLD}, {"hyperfine": {**OLD, "sha256": "c"}}, ["confounding"]),
    ],
)
def test_a_tool_is_the_same_where_its_file_is_or_what_it_was_made_of(
    first: dict[str, dict[str, str]], second: dict[str, dict[str, str]], kinds: list[str]
) -> None:
    made = make_run(blocks=1, workloads=["startup"])
    found = environment.differences(
        with_tools(made, **first).header, with_tools(made, **second).header
    )
    assert [one.kind for one in found] == kinds


def test_a_reference_that_starts_another_tool_is_no_anchor() -> None:
    one, other = (with_tools(run(1), nginx=tool) for tool in (OLD, NEW))
    assert not environment.program_changed(one.header, other.header, "asyncio")
    one.header.runtimes["asyncio"]["tools"] = ["nginx"]
    assert environment.program_changed(one.header, other.header, "asyncio")
