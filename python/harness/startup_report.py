"""The startup program's part beyond what is measured: other spellings of its arguments, and the report for verify."""

import os
import sys
from collections.abc import Callable
from time import monotonic_ns, process_time_ns

import protocol
from arguments import integer, pairs, usage

Facts = Callable[[], tuple[str, dict[str, object]]]


def report(first_task: Callable[[], int], facts: Facts) -> None:
    """Does what `mode` asks for and, with report=1, says so; `facts` gives version and settings, asked for afterwards."""
    given = pairs(sys.argv[1:], ["mode", "report"])
    mode = given.get("mode", "") or usage("mode is missing")
    if mode not in ("bare", "first-task"):
        usage(f"mode={mode} must be bare or first-task")
    reporting = integer("report", given.get("report", "0"), 0, 1)
    cpu_ns, start_ns = process_time_ns(), monotonic_ns()
    finished = first_task() if mode == "first-task" else 0
    elapsed_ns, cpu_ns = monotonic_ns() - start_ns, process_time_ns() - cpu_ns
    if mode == "first-task" and finished != 1:
        sys.exit("the first task did not return 1")
    if reporting:
        runtime = os.environ.get("COROBENCH_RUNTIME") or usage("the environment variable COROBENCH_RUNTIME is not set")
        version, settings = facts()
        protocol.hello(runtime, version, "startup", {"mode": mode}, settings)
        protocol.iteration(0, elapsed_ns, cpu_ns, 1, {"finished": finished})
        protocol.end()
