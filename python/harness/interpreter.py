"""What programs tell of the interpreter that runs them. It also runs on CPython 3.7, which Japronto needs."""

from __future__ import annotations

import sys


def facts() -> dict[str, object]:
    """How the interpreter was started and built, as far as that changes what a program costs.

    How CPython itself was compiled (PGO, LTO) stands among the facts of a run: asking sysconfig here would take 270 KiB, which
    the memory workload would show.
    """
    jit = getattr(sys, "_jit", None)
    return {
        "optimize": sys.flags.optimize,
        "dev_mode": sys.flags.dev_mode,
        "jit": jit is not None and jit.is_enabled(),
        "debug_build": hasattr(sys, "gettotalrefcount"),
        "traced": sys.gettrace() is not None or sys.getprofile() is not None,
    }


def has_gil() -> bool:
    """Whether one thread at a time runs Python: always before CPython 3.13, and unless it was built without the lock."""
    told = getattr(sys, "_is_gil_enabled", None)
    return told is None or bool(told())
