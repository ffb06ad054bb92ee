"""What a runtime can't be measured at is a gap with its reason: it does not vanish from the
page.
"""

from __future__ import annotations

import msgspec
import planted
import pytest

from corobench.plan import Selection, chosen, make_plan
from corobench.suite.load import load_suite
from corobench.suite.workload import parse_case

SUITE = load_suite(planted.REPOSITORY)


def test_a_size_that_a_runtime_does_not_reach_is_a_gap_that_says_up_to_where() -> None:
    plan = make_plan(
        SUITE,
        Selection(profile="publish", workloads=["spawn"], runtimes=["rust-thread", "asyncio"]),
        seed=0,
    )
    measured = {
        parse_case(key).point for key in plan.cases if parse_case(key).runtime == "rust-thread"
    }
    gaps = {gap.point: gap.reason for gap in plan.gaps if gap.runtime == "rust-thread"}
    assert (
        gaps["n=10000"]
        == f"{SUITE.runtimes['rust-thread'].limit_reason('spawn')} (measured up to 1,000)"
    )
    assert measured.isdisjoint(gaps)
    assert {parse_case(key).point for key in plan.cases} == measured | set(gaps)


def test_a_runtime_of_which_no_point_is_left_does_not_vanish() -> None:
    plan = make_plan(
        SUITE,
        Selection(profile="scale", workloads=["spawn"], runtimes=["rust-thread", "asyncio"]),
        seed=0,
    )
    assert [(gap.runtime, gap.point) for gap in plan.gaps] == [("rust-thread", None)]
    assert plan.gaps[0].reason.endswith(" (measured up to 1,000)")


Said = str | dict[str, str]


@pytest.mark.parametrize(
    ("of_manifest", "of_variant", "told"),
    [
        ({"spawn": "the kernel has 32,768"}, {}, "the kernel has 32,768"),
        ("of all its workloads", {"switch": "of another"}, "of all its workloads"),
        ({"spawn": "of the manifest"}, "of the variant", "of the variant"),
        ("of the manifest", {"spawn": "of the variant's spawn"}, "of the variant's spawn"),
    ],
)
def test_a_manifest_says_why_its_values_end(of_manifest: Said, of_variant: Said, told: str) -> None:
    runtime = SUITE.runtimes["rust-thread"]
    manifest = msgspec.structs.replace(runtime.manifest, limit_reason=of_manifest)
    variant = msgspec.structs.replace(runtime.variant, limit_reason=of_variant)
    own = msgspec.structs.replace(runtime, manifest=manifest, variant=variant)
    suite = msgspec.structs.replace(SUITE, runtimes={"rust-thread": own})
    plan = make_plan(suite, Selection(profile="publish", workloads=["spawn"]), seed=0)
    assert {gap.reason for gap in plan.gaps} == {f"{told} (measured up to 1,000)"}


def test_a_size_that_is_left_out_in_between_is_not_beyond_the_runtime() -> None:
    plan = make_plan(
        SUITE, Selection(profile="publish", workloads=["memory"], runtimes=["rust-thread"]), seed=0
    )
    assert {gap.point: gap.reason for gap in plan.gaps}["n=150"] == "it is not measured at n = 150"


def test_a_mode_that_a_runtime_does_not_have_is_no_gap() -> None:
    plan = make_plan(
        SUITE,
        Selection(profile="scenarios", workloads=["starvation"], runtimes=["asyncio"]),
        seed=0,
    )
    assert plan.gaps == []


def test_tasks_without_a_poller_name_a_runtime_of_their_language_that_adds_one() -> None:
    """Where there were none, the poller would have to be ours: docs/contract.md, "Tasks without a
    loop of their own".
    """
    lacking = [
        (runtime, workload, reason)
        for runtime in SUITE.runtimes.values()
        for workload, reason in runtime.manifest.gaps.items()
        if "no poller" in reason or "no timer" in reason
    ]
    assert lacking
    for runtime, workload, reason in lacking:
        others = [
            other
            for other in SUITE.runtimes.values()
            if other.toolchain == runtime.toolchain and other.source("timers").is_file()
        ]
        assert any(
            other.name in reason.lower() or other.manifest.title in reason for other in others
        ), (
            f"{runtime.name}: the gap at {workload} names no runtime that has what is "
            f"missing: {reason}"
        )


def test_what_has_tasks_is_asked_for_a_million_too() -> None:
    """Who can't is shown with the limit that stopped it; other versions of a runtime say nothing
    that the usual one doesn't.
    """
    asked = {
        profile: set(chosen(SUITE, Selection(profile=profile))) for profile in ("breadth", "scale")
    }
    unasked = asked["breadth"] - asked["scale"]
    assert {name for name in unasked if SUITE.runtimes[name].manifest.toolchain is None} == set()


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_each_loop_has_its_eager_tasks_and_says_what_is_none(loop: str) -> None:
    eager, other = SUITE.runtimes[f"{loop}-eager"], SUITE.runtimes["asyncio-eager"]
    assert eager.variant.settings["eager_tasks"] is True
    assert {"spawn", "spawn-chain", "tree"} <= set(eager.manifest.gaps)
    assert eager.manifest.gaps.keys() == other.manifest.gaps.keys()
