"""Measures the programs' own functions under pyperf, inside this one process, and prints normalised lines.

pyperf rather than pytest-benchmark: it takes coroutine functions and a loop factory, and its worker mode measures
here and hands the values over, where pytest-benchmark wants a pytest session and a synchronous function.
"""

import json
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

import pyperf

# Five calls a value, as collector pauses do not fall into every call.
WORKER = ["--worker", "--warmups=3", "--values=15", "--loops=5"]

# As long as those of the runner, so that numbers are no small integers here either, which CPython has ready.
NONCE = 1_000_000

Bench = Callable[[str, Callable[[], Any]], pyperf.Benchmark]


def runner() -> pyperf.Runner:
    """A runner that starts no other process."""
    made = pyperf.Runner()
    made.parse_args(WORKER)
    return made


def report(bench: Bench, workload: str, params: dict[str, int], ops: int, function: Callable[[], Any]) -> None:
    """Runs one benchmark and prints its values as nanoseconds an operation."""
    with redirect_stdout(sys.stderr):  # pyperf has words for people
        values = bench(f"{workload} {params}", function).get_values()
    line = {
        "workload": workload,
        "params": params,
        "harness": f"pyperf {pyperf.__version__}",
        "per_op_ns": [value * 1e9 / ops for value in values],
    }
    print(json.dumps(line), flush=True)
