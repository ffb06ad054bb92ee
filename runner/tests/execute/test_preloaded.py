"""A library that a program is to be started with is there, or there is no number: the loader only
warns of one that it can't use.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import planted
import pytest

from corobench.execute import reader
from corobench.execute.memory import mapped_files
from corobench.execute.process import Trouble
from corobench.execute.program import track_cpus
from corobench.execute.reader import Reading, converse


def started(root: Path, *libraries: Path) -> Reading:
    suite = planted.plant(root, {"spawn": planted.honest("spawn")})
    program, cpus = planted.program(suite, "spawn"), track_cpus("one-cpu")
    arguments, expected = program.ask({"n": 10}, 1, 1)
    launch = program.launch(cpus, arguments)
    env = launch.env | {"LD_PRELOAD": ":".join(map(str, libraries))}
    return converse(msgspec.structs.replace(launch, env=env), expected)


def library() -> Path:
    """A library that every process here has."""
    return next(Path(file) for file in mapped_files(os.getpid()) if "libc.so" in file)


def test_a_library_that_is_loaded_is_seen(tmp_path: Path) -> None:
    link = tmp_path / "linked.so"
    link.symlink_to(library())
    assert len(started(tmp_path, library(), link).iterations) == 1


@pytest.mark.parametrize("content", [None, "no library"])
def test_one_that_is_not_loaded_ends_the_program(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "libfast.so"
    if content is not None:
        file.write_text(content)
    with pytest.raises(Trouble, match=r"started with libfast\.so and has not loaded it"):
        started(tmp_path, library(), file)


def test_a_program_that_ended_before_it_was_looked_at_is_not_blamed() -> None:
    """Its maps are gone then; what the loader had to say of a library stands on its stderr."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    try:
        assert reader._absent(child, "/nowhere/libfast.so") is None
    finally:
        os.waitpid(child, 0)
    assert reader._absent(child, "/nowhere/libfast.so") is None
    said = (
        "ERROR: ld.so: object '/nowhere/libfast.so' from LD_PRELOAD cannot be preloaded: ignored."
    )
    assert reader._refused(said, "/lib/libc.so:/nowhere/libfast.so") == (
        "it was to be started with libfast.so and has not loaded it"
    )
    assert reader._refused("all is well", "/nowhere/libfast.so") is None
