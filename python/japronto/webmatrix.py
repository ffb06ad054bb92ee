"""Web matrix: Japronto, which no CPython after 3.7 can have; that is why this launcher shares little with the harness."""

import json
import os
import platform
import socket
import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pkg_resources

from child_processes import adopt_orphans, end_children, end_with
from interpreter import facts

LEAST = {"workers": 1, "clients": 1, "rounds": 1, "wait_us": 0}
SHARED = {"iterations", "min_warm_ms", "trace"}
READY = "Accepting connections"  # printed by each worker
APPLICATION = Path(__file__).with_name("application.py")


def usage(message):
    print("usage: " + message, file=sys.stderr)
    sys.exit(2)


def parameters(arguments):
    """The parameters of the workload; nginx in front is not tried with a server that is history."""
    pairs = [argument.partition("=") for argument in arguments]
    given = {key: value for key, _, value in pairs}
    if len(given) < len(pairs) or not LEAST.keys() | {"front"} <= given.keys() <= LEAST.keys() | {"front"} | SHARED:
        usage("wanted, once each: {}, front=none".format(", ".join(key + "=number" for key in LEAST)))
    for key, least in LEAST.items():
        if not given[key].isdigit() or int(given[key]) < least:
            usage(f"{key}={given[key]} must be an integer of at least {least}")
    if given["front"] != "none":
        usage("front={front} must be none".format(**given))
    return dict({key: int(given[key]) for key in LEAST}, front="none")


def tell(**line):
    print(json.dumps(line), flush=True)


@contextmanager
def reserved_port():
    """A free port that nobody else gets: the server can share it while this socket does not listen."""
    with socket.socket() as reserving:
        reserving.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserving.bind(("127.0.0.1", 0))
        yield reserving.getsockname()[1]


@contextmanager
def server(port, workers):
    """The server's process, whose workers all accept connections; it and they are gone afterwards."""
    adopt_orphans()
    command = [sys.executable, "-u", "-s", str(APPLICATION), str(port), str(workers)]
    tied = partial(end_with, os.getpid())
    running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, preexec_fn=tied)  # noqa: S603, PLW1509
    try:
        ready = 0
        for line in running.stdout:
            ready += line.count(READY)  # two workers may write into one line
            if ready == workers:
                break
        else:
            sys.exit("the server ended before it served")
        yield running
    finally:
        end_children()  # told to end by SIGTERM, its workers hang


def main():
    params = parameters(sys.argv[1:])
    runtime = os.environ.get("COROBENCH_RUNTIME") or usage("the environment variable COROBENCH_RUNTIME is not set")
    with reserved_port() as port, server(port, params["workers"]):
        tell(
            type="hello",
            protocol=1,
            runtime=runtime,
            version=pkg_resources.get_distribution("japronto").version,
            language_version=platform.python_version(),
            workload="webmatrix",
            params=params,
            settings=dict(facts(), workers=params["workers"]),
        )
        tell(type="hold", point="serving", units=0, port=port, launcher=True)
        if not sys.stdin.readline():
            sys.exit("stdin ended at the hold 'serving': the runner is gone")
    tell(type="end")


if __name__ == "__main__":
    main()
