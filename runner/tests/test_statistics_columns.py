"""Columns of many runtimes: what is judged together needs blocks enough for all of it."""

from __future__ import annotations

import msgspec
import pytest
from synthetic import make_run

from corobench import store
from corobench.statistics.summary import summarise


@pytest.mark.parametrize(("copies", "grouped"), [(4, True), (12, False)])
def test_no_groups_where_the_blocks_are_too_few_for_the_runtimes(copies: int, grouped: bool) -> None:
    run = make_run(blocks=9, workloads=["spawn"], runtimes=["asyncio", "uvloop"])
    names = [f"copy-{i}" for i in range(copies)]
    of = [key for key in run.header.plan.cases if key.endswith("/uvloop")]
    keys = [*run.header.plan.cases, *(key.replace("uvloop", name) for key in of for name in names)]
    more = [
        msgspec.structs.replace(line, case=line.case.replace("uvloop", name))
        for line in run.lines
        if isinstance(line, store.Invocation) and line.case in of
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
