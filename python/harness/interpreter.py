"""What programs tell of the interpreter that runs them."""

import sys


def has_gil() -> bool:
    """Whether one thread at a time runs Python: always before CPython 3.13, and unless it was built without the lock."""
    told = getattr(sys, "_is_gil_enabled", None)
    return told is None or bool(told())
