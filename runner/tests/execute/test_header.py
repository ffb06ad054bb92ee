"""What a run knows of itself before its first program starts: the tools it is measured with, and
the CPUs of its tracks.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import planted

from corobench.execute import begin
from corobench.plan import Selection, make_plan
from corobench.suite.load import load_suite
from corobench.toolchains.tools import Tool


def test_a_run_says_with_which_tools_and_on_which_cpus_it_is_measured(tmp_path: Path) -> None:
    suite = planted.plant(tmp_path, {name: planted.honest(name) for name in ("startup", "spawn")})
    plan = make_plan(suite, Selection(profile="smoke", workloads=["startup", "spawn"]), seed=1)
    assert begin.helpers(suite, plan) == ["hyperfine"]
    file = tmp_path / "hyperfine"
    file.write_text("#!/bin/sh\n")
    tools = {"hyperfine": Tool(name="hyperfine", path=file, version="1.20.0", origin="system")}
    made = begin.header(
        suite, plan, {"planted": planted.prepared()}, [], {"name": "box"}, "run", tools
    )
    digest = hashlib.sha256(b"#!/bin/sh\n").hexdigest()
    assert made.tools == {"hyperfine": {"version": "1.20.0", "origin": "system", "sha256": digest}}
    allowed = sorted(os.sched_getaffinity(0))
    assert made.box["tracks"] == {"one-cpu": allowed[-1:], "all-cpus": allowed}
    assert made.box["name"] == "box"


def test_a_variant_with_programs_of_its_own_is_described_by_their_command() -> None:
    """`check` holds a run to the same words: those of its manifest would refuse an honest one."""
    runtimes = load_suite(planted.REPOSITORY).runtimes
    own = {name: one for name, one in runtimes.items() if one.variant.program}
    assert own
    for runtime in own.values():
        assert runtime.described()["command"] == list(runtime.variant.program.command)
    words = begin._runtime(runtimes["asyncio"], None)
    assert words.items() >= runtimes["asyncio"].described().items()
