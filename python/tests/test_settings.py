"""Every variant runs as its manifest says, as far as it can tell itself."""

from dataclasses import replace
from typing import Any

import pytest
from processes import Variant, lines, variants

# Every runtime with tasks or timers has one of these.
TINY = {"spawn": "n=2", "memory-timer": "n=2", "hand-off": "m=2"}
# What is pinned to another interpreter or to tools is for verify.
TRIED = [name for name, variant in variants().items() if not variant.pinned and any(variant.has(workload) for workload in TINY)]


def hello(variant: Variant) -> dict[str, Any]:
    """What a variant says of itself, in whatever small program it has."""
    if variant.missing:
        pytest.skip(f"{variant.library} is not installed here")
    workload, size = next((name, size) for name, size in TINY.items() if variant.has(name))
    return lines(variant.run(workload, size, stdin="\n" * 5))[0]


@pytest.mark.parametrize("name", TRIED)
def test_settings_are_those_of_the_manifest(name: str) -> None:
    variant = variants()[name]
    said = hello(variant)
    assert said["runtime"] == name
    assert {key: said["settings"][key] for key in variant.settings} == variant.settings


@pytest.mark.parametrize("loop", ["", "no_such_loop", "json"])
def test_a_loop_is_a_module_that_makes_one(loop: str) -> None:
    """Nobody lists them: a runtime of another loop brings a module of that name."""
    variant = variants()["asyncio"]
    done = replace(variant, env={**variant.env, "COROBENCH_LOOP": loop}).run("spawn", "n=2")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"usage: the environment variable COROBENCH_LOOP is {loop!r}, no module with new_event_loop")
