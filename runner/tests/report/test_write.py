"""A site that can't be written is one line that names the place, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from corobench.errors import RunFailed
from corobench.report.runs import make_folder, write


def test_a_folder_below_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunFailed, match=r"file/site: cannot be made: Not a directory"):
        make_folder(tmp_path / "file" / "site")
    with pytest.raises(RunFailed, match=r"file/site: cannot be made: Not a directory"):
        write(tmp_path / "file" / "site" / "index.html", b"")


def test_what_is_written_is_there_and_alone(tmp_path: Path) -> None:
    page = write(tmp_path / "new" / "index.html", b"1")
    assert write(page, b"2").read_bytes() == b"2"
    assert [p.name for p in page.parent.iterdir()] == ["index.html"]
