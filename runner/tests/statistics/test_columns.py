"""Columns of many runtimes: what is judged together needs blocks enough for all of it."""

from __future__ import annotations

import msgspec
import pytest
from synthetic import COST, Build, make_run

from corobench.results import log
from corobench.statistics.summary import summarise
from corobench.statistics.verdicts import sole_fastest


@pytest.mark.parametrize(("copies", "grouped"), [(4, True), (12, False)])
def test_no_groups_where_the_blocks_are_too_few_for_the_runtimes(
    copies: int, grouped: bool
) -> None:
    run = make_run(blocks=9, workloads=["spawn"], runtimes=["asyncio", "uvloop"])
    names = [f"copy-{i}" for i in range(copies)]
    of = [key for key in run.header.plan.cases if key.endswith("/uvloop")]
    keys = [*run.header.plan.cases, *(key.replace("uvloop", name) for key in of for name in names)]
    more = [
        msgspec.structs.replace(line, case=line.case.replace("uvloop", name))
        for line in run.lines
        if isinstance(line, log.Invocation) and line.case in of
        for name in names
    ]
    header = msgspec.structs.replace(
        run.header,
        plan=msgspec.structs.replace(run.header.plan, cases=keys),
        runtimes={**run.header.runtimes, **dict.fromkeys(names, run.header.runtimes["uvloop"])},
    )
    found = summarise(msgspec.structs.replace(run, header=header, lines=[*run.lines, *more]))
    column = [cell for cell in found.cells if cell.key.startswith("spawn/n=10000/one-cpu/")]
    assert len(column) == copies + 2
    assert all((cell.group is not None) == grouped for cell in column)


@pytest.mark.parametrize(("flagged", "known"), [("tokio-current-thread", False), ("gevent", True)])
def test_groups_are_formed_among_what_can_be_ranked(flagged: str, known: bool) -> None:
    """One failure keeps a runtime out of the groups: the others still have theirs. Where it reads
    best, nobody is the best.
    """
    failing = Build(failures={f"spawn/n=1000/one-cpu/{flagged}": [4]})
    summary = summarise(make_run(blocks=12, workloads=["spawn"], build=failing))
    column = [cell for cell in summary.cells if cell.key.startswith("spawn/n=1000/one-cpu/")]
    groups = {cell.runtime: cell.group for cell in column if cell.group is not None}
    assert groups.keys() == {cell.runtime for cell in column} - {flagged}
    assert sole_fastest(groups) == min(groups, key=lambda name: COST[name]["spawn"])
    assert {cell.best_known for cell in column} == {known}
