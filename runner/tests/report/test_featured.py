"""Which run the first page and the README show."""

from __future__ import annotations

from pathlib import Path

import pytest

from corobench.report.build import featured
from corobench.report.runs import Card, Entry


def entry(name: str, workloads: int, claims: bool = True, profile: str = "default") -> Entry:
    card = Card(
        created="2026-01-01", profile=profile, claims=claims, blocks=9, commit="", noise_floor=0.01, cpu="", warnings=[],
        runtimes=["go"], workloads=[], tracks=["one-cpu"], measured={f"w{i}": ["go"] for i in range(workloads)},
    )  # fmt: skip
    return Entry(box="b", name=name, folder=Path(name), card=card, digest="", kept=Path(), seal=b"")


@pytest.mark.parametrize(
    ("newest_first", "shown"),
    [
        ([], None),
        ([entry("new", 14), entry("old", 14)], "new"),
        ([entry("quick", 14, claims=False), entry("old", 14)], "old"),
        ([entry("quick", 14, claims=False), entry("older", 14, claims=False)], "quick"),
        ([entry("one question", 2), entry("whole", 14)], "whole"),
        ([entry("one question", 2)], "one question"),
        ([entry("core", 14), entry("core and scenarios", 20)], "core"),
        ([entry("forty runtimes", 14, profile="breadth"), entry("whole", 14)], "whole"),
        (
            [
                entry("forty runtimes", 14, profile="breadth"),
                entry("long", 14, profile="publish"),
                entry("whole", 14),
            ],
            "long",
        ),
        (
            [entry("forty runtimes", 14, profile="breadth"), entry("quick", 14, claims=False)],
            "forty runtimes",
        ),
    ],
)
def test_the_newest_whole_run_that_makes_claims(
    newest_first: list[Entry], shown: str | None
) -> None:
    found = featured(newest_first)
    assert (found.name if found else None) == shown
