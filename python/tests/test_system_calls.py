"""System calls, counted by strace: what the kernel was asked for can't be claimed, and is free of noise."""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from processes import PATIENCE, Variant, variants

# What the socket of any runtime is read and written by.
SOCKET = ("read", "readv", "recvfrom", "recvmsg", "write", "writev", "sendto", "sendmsg")


def count(folder: Path, runtime: Variant, workload: str, calls: tuple[str, ...], *arguments: str) -> int:
    """Calls of these kinds that one iteration makes, those of the start and the end included."""
    strace = shutil.which("strace") or pytest.skip("strace is not installed: the system calls are not counted")
    runtime.skip_without(workload)
    table = folder / "calls"
    program = [sys.executable, "-s", "-P", str(runtime.program(workload)), *arguments, "iterations=1"]
    words = [strace, "-f", "-c", "-o", str(table), "-e", f"trace={','.join(calls)}"]
    command = [*words, *program]
    subprocess.run(command, env=runtime.environment, capture_output=True, timeout=PATIENCE, check=True)
    rows = [line.split() for line in table.read_text().splitlines()]
    return sum(int(row[3]) for row in rows if row and row[-1] in calls)


def test_each_byte_of_io_switch_goes_through_the_kernel(runtime: Variant, tmp_path: Path) -> None:
    few, many = (count(tmp_path, runtime, "io-switch", SOCKET, f"m={m}") for m in (100, 600))
    starts_differ_by = 20
    assert many - few >= 500 * 4 - starts_differ_by, "a round trip is two bytes, each written and read"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="before 3.11 the interpreter's frames have no stack of their own")
@pytest.mark.skipif(bool(sysconfig.get_config_var("Py_GIL_DISABLED")), reason="greenlet is not built for it here")
@pytest.mark.parametrize("name", ["greenlet", "gevent"])
@pytest.mark.parametrize("call", ["mmap", "munmap"])
def test_a_greenlet_that_runs_maps_a_stack_of_the_interpreter(name: str, call: str, tmp_path: Path) -> None:
    runtime = variants()[name]
    if runtime.missing:
        pytest.skip(f"{runtime.library} is not installed here")
    few, many = (count(tmp_path, runtime, "spawn", (call,), f"n={n}") for n in (100, 1100))
    assert 990 <= many - few <= 1100
