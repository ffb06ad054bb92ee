"""Cross-check: spawn and switch under pyperf, each value one run of the trampoline."""

from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import loop
import pyperf_support
from programs import load
from tracing import Tracing


def run(function: Callable[..., Coroutine[Any, Any, Any]], *arguments: Any) -> Any:
    return loop.run_root(function(*arguments))


if __name__ == "__main__":
    folder = Path(__file__).parents[1] / "asyncio"
    spawn, switch = (load(folder, name) for name in ("spawn", "switch"))
    bench = pyperf_support.runner().bench_func
    off = Tracing()
    nonce = pyperf_support.NONCE
    pyperf_support.report(bench, "spawn", {"n": 1000}, 1000, partial(run, spawn.spawn, range(nonce, nonce + 1000), off))
    for k, m in ((100, 200), (2, 500)):
        pyperf_support.report(bench, "switch", {"k": k, "m": m}, k * m, partial(run, switch.switch, k, m, nonce, off, off.turns))
