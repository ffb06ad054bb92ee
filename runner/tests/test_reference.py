"""The reference of specs, findings and manifests: every key that can be written is explained, and
what it names is there.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from corobench.suite import runtime, workload

RUNNER = Path(__file__).resolve().parents[1]
SPECS, MANIFESTS, LANGUAGES = (
    (RUNNER.parent / "docs" / name).read_text()
    for name in ("specs.md", "manifests.md", "add-a-language.md")
)
# What a reader of the file adds to it, and no file says.
ADDED = {
    workload.Workload: {"name"},
    workload.Finding: {"name"},
    runtime.Toolchain: {"language", "folder"},
}
OF_SPECS = [
    *(workload.Workload, workload.Metric, workload.Difference, workload.Ratio),
    *(workload.SampleSeries, workload.Require, workload.Caution),
    *(
        workload.Citation,
        workload.Rule,
        workload.Advice,
        workload.Point,
        workload.VerifyPoint,
        workload.Load,
    ),
    *(workload.Number, workload.Check, workload.Source, workload.Finding),
]
OF_MANIFESTS = [
    *(
        runtime.Manifest,
        runtime.Version,
        runtime.VersionVariant,
        runtime.Variant,
        runtime.Toolchain,
        runtime.Find,
        runtime.Provision,
        runtime.Environment,
    ),
    *(
        runtime.Build,
        runtime.Commands,
        runtime.Pin,
        runtime.VersionSource,
        runtime.Program,
        runtime.Crosscheck,
    ),
]


def written(text: str) -> set[str]:
    """The words in backquotes or code blocks, in parts: `[series.<name>]` names series and name."""
    code = re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL)
    return {word for part in code for word in re.findall(r"[a-z_]+", part)}


@pytest.mark.parametrize("kind", OF_SPECS, ids=lambda kind: kind.__name__)
def test_every_key_of_a_spec_is_explained(kind: type[msgspec.Struct]) -> None:
    assert set(kind.__struct_fields__) - ADDED.get(kind, set()) - written(SPECS) == set()


@pytest.mark.parametrize("kind", OF_MANIFESTS, ids=lambda kind: kind.__name__)
def test_every_key_of_a_manifest_is_explained(kind: type[msgspec.Struct]) -> None:
    assert set(kind.__struct_fields__) - ADDED.get(kind, set()) - written(MANIFESTS) == set()


def test_examples_that_are_named_exist() -> None:
    """A path in the page on languages: of a file, or of a folder."""
    named = re.findall(r"`((?:lua|go|python)/[a-z./]*)`", LANGUAGES)
    assert len(named) > 5
    assert [path for path in named if not (RUNNER.parent / path).exists()] == []


def test_comments_cite_only_what_is_here() -> None:
    """A name in capitals stands for a document: of this repository, if it stands in one of its
    comments.
    """
    absent = re.compile(r"\b(MEASUREMENT|DESIGN|STYLE)\b|\b(WORKLOADS|PAGES)\.md\b")
    sources = [
        file for folder in ("src", "tests", "bench") for file in (RUNNER / folder).rglob("*.py")
    ]
    citing = [
        str(file.relative_to(RUNNER))
        for file in sources
        if file != Path(__file__) and absent.search(file.read_text())
    ]
    assert citing == []
