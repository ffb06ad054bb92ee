"""Tells the runner about one interpreter: version, rank and real path, or (argument `flags`) how it was built.

With the argument `free-threaded` only a build without the interpreter's lock answers, and without it none.

It must run on the oldest interpreter that a manifest asks for, CPython 3.7.
"""

import platform
import shlex
import sys
import sysconfig
from pathlib import Path

TELLING = ("optimiz", "lto", "shared", "bolt", "jit", "tail-call", "gil", "pydebug")


def rank(options: str) -> int:
    """1 for a profile-guided build, which is what users run, 0 for others: on one box those were 20 % slower at a switch.

    Debian and Ubuntu build with PGO and LTO but describe another, shared build in sysconfig (bug 934771);
    their place for wheels gives them away.
    """
    distribution = sys.base_prefix == "/usr" and "/usr/share/python-wheels" in options
    return int("--enable-optimizations" in options or distribution)


def refusal(*, free_threaded: bool) -> str:
    """Why this interpreter is not what the manifests mean by Python; empty where it is."""
    if platform.python_implementation() != "CPython":
        return "not CPython"
    if sys.version_info.releaselevel != "final":
        return "not a final release"
    if sysconfig.get_config_var("Py_DEBUG"):
        return "a debug build"
    if bool(sysconfig.get_config_var("Py_GIL_DISABLED")) != free_threaded:
        return "not free-threaded" if free_threaded else "a free-threaded build"
    return ""


if __name__ == "__main__":
    options = str(sysconfig.get_config_var("CONFIG_ARGS") or "")
    reason = refusal(free_threaded=sys.argv[1:] == ["free-threaded"])
    if sys.argv[1:] == ["flags"]:
        told = [option for option in shlex.split(options) if any(word in option for word in TELLING)]
        print(f"rank {rank(options)};", *told, f"OPT={sysconfig.get_config_var('OPT')}")
    elif reason:
        sys.exit(reason)
    else:
        # From inside a virtual environment this is the interpreter that it was made from.
        executable = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
        print(f"python {platform.python_version()} rank {rank(options)} path {executable}")
