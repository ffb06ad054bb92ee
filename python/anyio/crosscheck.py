"""Cross-check: spawn and switch under pyperf, one event loop a value."""

from functools import partial
from pathlib import Path

import anyio

import pyperf_support
from anyio_support import backend
from programs import load
from tracing import Tracing

if __name__ == "__main__":
    folder = Path(__file__).parent
    spawn, switch = (load(folder, name) for name in ("spawn", "switch"))
    bench = pyperf_support.runner().bench_func
    run = partial(anyio.run, backend=backend())
    off = Tracing()
    nonce = pyperf_support.NONCE
    pyperf_support.report(bench, "spawn", {"n": 1000}, 1000, partial(run, spawn.spawn, range(nonce, nonce + 1000), off))
    for k, m in ((100, 200), (2, 500)):
        pyperf_support.report(bench, "switch", {"k": k, "m": m}, k * m, partial(run, switch.switch, k, m, nonce, off, off.turns))
