"""The benchmark of tracing (bench/tracing_cost.py) still finds what traces in the programs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

import tracing_cost


@pytest.mark.parametrize("name", tracing_cost.LANGUAGES)
def test_a_copy_without_tracing_differs_in_nothing_else(tmp_path: Path, name: str) -> None:
    kept, cut = tracing_cost.copies(name, tracing_cost.LANGUAGES[name], tmp_path)
    changed = {
        str(file.relative_to(kept))
        for file in kept.rglob("*")
        if file.is_file() and file.read_bytes() != (cut / file.relative_to(kept)).read_bytes()
    }
    assert changed == set(tracing_cost.LANGUAGES[name].cuts)


def test_a_program_whose_tracing_has_changed_is_named(tmp_path: Path) -> None:
    language = tracing_cost.LANGUAGES["rust"]._replace(cuts={"tokio/spawn.rs": [("none", "")]})
    with pytest.raises(SystemExit, match=r"rust/tokio/spawn\.rs: its tracing has changed"):
        tracing_cost.copies("rust", language, tmp_path)
