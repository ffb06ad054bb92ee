"""Compiled templates are a memory beside their sources, and nothing more."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader

from corobench.report import templating


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> templating._Compiled:
    made = templating._Compiled()
    made.directory = str(tmp_path / "compiled")
    (tmp_path / "page.j2").write_text("{{ 6 * 7 }}")
    return made


def _render(folder: Path, memory: templating._Compiled) -> str:
    return Environment(loader=FileSystemLoader(folder), bytecode_cache=memory, autoescape=True).get_template("page.j2").render()


def test_a_template_is_compiled_once(tmp_path: Path, compiled: templating._Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(compiled.directory).mkdir()
    assert _render(tmp_path, compiled) == "42"
    monkeypatch.setattr(Environment, "_generate", lambda *_, **__: pytest.fail("compiled again"))
    assert _render(tmp_path, compiled) == "42"


def test_where_it_cannot_be_kept_it_is_compiled_each_time(tmp_path: Path, compiled: templating._Compiled) -> None:
    """A folder that is missing stands for one that can't be written, as root can write everywhere."""
    assert [_render(tmp_path, compiled) for _ in range(2)] == ["42", "42"]
    assert not Path(compiled.directory).exists()


def test_the_options_of_the_environment_are_part_of_the_key(
    compiled: templating._Compiled, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Jinja knows a template by its text; the same text means something else under another Jinja or other options."""
    monkeypatch.setattr(templating.metadata, "version", lambda _: "another")
    assert templating._Compiled().pattern != compiled.pattern
