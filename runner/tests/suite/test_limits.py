"""A runtime at its limit can be measured beside its idiom: in one run, in the same cells."""

from __future__ import annotations

from pathlib import Path

import planted
import pytest

from corobench.errors import UserError
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


def test_a_variant_may_have_programs_of_its_own_and_a_program_several_places(
    tmp_path: Path,
) -> None:
    planted.plant(tmp_path, {"switch": "shared"})
    own = tmp_path / "planted/own/switch.py"
    own.parent.mkdir()
    manifest = tmp_path / "planted/one/runtime.toml"
    manifest.write_text(
        manifest.read_text().replace(
            'source = "{runtime}/{workload}.py"',
            'source = ["{language}/own/{workload}.py", "{runtime}/{workload}.py"]',
            1,
        )
        + '\n[[variant]]\nname = "other"\ntitle = "Other"\ntracks = ["one-cpu"]\n'
        'program = { source = "{language}/other/{workload}.py", command = ["{build}"] }\n'
    )
    with pytest.raises(UserError, match=r"variant other: program\.command"):
        load_suite(tmp_path)
    manifest.write_text(manifest.read_text().replace("{build}", "{tool}"))
    runtimes = load_suite(tmp_path).runtimes
    assert runtimes["planted"].source("switch").read_text() == "shared"
    own.write_text("own")
    assert runtimes["planted"].source("switch").read_text() == "own"
    assert runtimes["other"].source("switch") == tmp_path / "planted/other/switch.py"
    assert runtimes["other"].program.command == ["{tool}"]


def test_a_variant_with_programs_of_its_own_is_not_checked_by_the_manifests_crosscheck() -> None:
    def commands(name: str) -> list[str] | None:
        found = SUITE.runtimes[name].crosscheck
        return found and found.command

    assert commands("tokio-current-thread") == ["{build}/bin/crosscheck"]
    assert commands("tokio-current-thread-selfwake") == [
        "{build}/bin/crosscheck",
        "self_waking=1",
    ]
    assert commands("tokio-current-thread-limit") is None
