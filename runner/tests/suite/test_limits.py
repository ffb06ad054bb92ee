"""A runtime at its limit can be measured beside its idiom: in one run, in the same cells."""

from __future__ import annotations

import planted
import pytest

from corobench.plan import Selection, make_plan
from corobench.suite.load import load_suite
from corobench.suite.workload import parse_case

SUITE = load_suite(planted.REPOSITORY)
OPERATIONS = ["spawn", "switch", "hand-off"]
_LIMIT = "-limit"
LIMITS = [name for name in SUITE.runtimes if name.endswith(_LIMIT)]


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_stands_beside_its_idiom(name: str) -> None:
    idiom = name.removesuffix(_LIMIT)
    limit = SUITE.runtimes[name]
    assert limit.manifest.unit == SUITE.runtimes[idiom].manifest.unit
    assert set(limit.variant.workloads or []) <= set(OPERATIONS)
    plan = make_plan(
        SUITE, Selection(profile="breadth", workloads=OPERATIONS, runtimes=[name, idiom]), seed=0
    )
    cases = [parse_case(key) for key in plan.cases]
    cells = {
        runtime: {case.cell for case in cases if case.runtime == runtime}
        for runtime in (name, idiom)
    }
    assert {cell.split("/")[0] for cell in cells[name]} == set(limit.variant.workloads or [])
    assert cells[name] <= cells[idiom]


def test_versions_of_a_manifest_have_environments_of_their_own() -> None:
    """Variants of one folder share what was made for the first; versions must not."""
    suite = load_suite(planted.REPOSITORY)
    versions = {name: r for name, r in suite.runtimes.items() if r.version}
    assert {"asyncio-py312", "gevent-py310", "tokio-1-28", "go-1-24-p1"} <= set(versions)
    assert len({runtime.build_name for runtime in versions.values()}) == len(versions)
    assert suite.runtimes["asyncio-gcoff"].build_name == suite.runtimes["asyncio"].build_name


def test_a_version_has_the_sizes_tracks_and_build_that_it_gives_and_no_others() -> None:
    threads, free = SUITE.runtimes["threads"], SUITE.runtimes["threads-py313t"]
    assert free.variant.tracks == ["one-cpu", "all-cpus"]
    assert free.listed("spawn") == {"n": [2, 100, 1_000, 10_000]}
    assert free.limit_reason("spawn").startswith("all threads may exist at once")
    assert threads.limit_reason("spawn").startswith("a thread takes some 50 us")
    old, new = SUITE.runtimes["tokio-1-28"], SUITE.runtimes["tokio-current-thread"]
    assert old.manifest.build is not None
    assert new.manifest.build is not None
    assert old.manifest.build.env != new.manifest.build.env
    assert old.source("spawn") == new.source("spawn")
