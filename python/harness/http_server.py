"""Servers as programs: started, announced, ended, with nginx in front where that is asked for.

The server, any process of it, tells the launcher by datagrams where it serves and that its workers have begun;
so it need not know the runner's protocol, and its own signals and stdin stay its own.
"""

import json
import multiprocessing
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, NoReturn

from arguments import usage
from child_processes import adopt_orphans, end_children, end_with
from harness import Program

FRONTS = ("none", "tcp", "unix")
_TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
_CONFIGURATION = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    {temporary}
    server {{
        listen 127.0.0.1:{port};
        location / {{ proxy_pass http://{upstream}; }}
    }}
}}
"""


@contextmanager
def in_front(front: str, upstream: str, folder: Path) -> Iterator[int | None]:
    """The port of an nginx that passes all on to `upstream`; None where there is to be none.

    Its socket is made here and handed over in the variable by which one nginx hands its sockets to the next:
    nginx by itself can't be asked for a free port.
    """
    if front == "none":
        yield None
        return
    nginx = os.environ.get("COROBENCH_NGINX") or shutil.which("nginx") or usage(f"front={front}: there is no nginx here")
    with socket.create_server(("127.0.0.1", 0), backlog=socket.SOMAXCONN) as listening:
        port: int = listening.getsockname()[1]
        configuration = folder / "nginx.conf"
        configuration.write_text(_configuration(folder, port, upstream))
        server = subprocess.Popen(  # noqa: S603  the manifest names it
            [nginx, "-p", folder, "-c", configuration],
            env=os.environ | {"NGINX": f"{listening.fileno()};"},
            pass_fds=[listening.fileno()],
            preexec_fn=partial(end_with, os.getpid()),  # noqa: PLW1509  there are no threads yet
        )
    try:
        yield port
    finally:
        server.terminate()
        server.wait()


def _configuration(folder: Path, port: int, upstream: str) -> str:
    temporary = "\n    ".join(f"{name}_temp_path {folder}/{name};" for name in _TEMPORARY)
    # Started by root, its workers would be nobody's, who has no way to a socket in this folder.
    user = "user root;" if os.geteuid() == 0 else ""
    return _CONFIGURATION.format(user=user, folder=folder, port=port, upstream=upstream, temporary=temporary)


PHASES = ("one-new", "one-keep", "many-new", "many-keep", "open")
ENDED = (0, -signal.SIGTERM)
_ADDRESS = "COROBENCH_LAUNCHER"
_LONGEST = 4096
_MOMENT = 0.01  # seconds
_PATIENCE = 30.0  # seconds for a server to end before it is killed

Serve = Callable[[Path | None, int], None]
"""Runs a server with so many workers until SIGTERM: on a unix socket at a path, or on any free port of 127.0.0.1."""


def announce(version: str, settings: dict[str, object], port: int = 0) -> None:
    """Told once by the server: what it is, and the port that the kernel chose (none on a unix socket)."""
    _tell({"version": version, "settings": settings, "port": port})


def worker_ready(settings: dict[str, object] | None = None) -> None:
    """Told by each worker when it is about to serve, with settings that only a worker can know."""
    _tell({"worker": os.getpid(), "settings": settings or {}})


def _tell(fact: dict[str, object]) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as teller:
        teller.sendto(json.dumps(fact).encode(), "\0" + os.environ[_ADDRESS])


def http(serve: Serve) -> None:
    """The program of the workload http: one worker; the phase is the load generator's affair."""
    _run(Program("http", choices={"phase": PHASES}), serve, 1, "none")


def webmatrix(serve: Serve) -> None:
    """The program of the workload webmatrix; clients, rounds and wait are the load generator's affair."""
    parameters = ("workers", "clients", "rounds", "wait_us")
    program = Program("webmatrix", *parameters, zeros=["wait_us"], choices={"front": FRONTS})
    _run(program, serve, program["workers"], program.word("front"))


def _run(program: Program, serve: Serve, workers: int, front: str) -> None:
    with TemporaryDirectory(prefix="corobench-") as folder, _listening() as facts:
        path = Path(folder, "server") if front == "unix" else None
        with _child(lambda: serve(path, workers), folder) as server:
            told = _await_workers(facts, server, workers)
            _await_listening(path or told["port"], server)
            upstream = f"unix:{path}" if path else f"127.0.0.1:{told['port']}"
            with in_front(front, upstream, Path(folder)) as port:
                program.hello(told["version"], told["settings"])
                program.serving(port or told["port"], launcher=True)
                if server.end in wait([sys.stdin.fileno(), server.end]):
                    server.give_up()
                program.wait_for_line("serving")
    program.end()


@contextmanager
def _listening() -> Iterator[socket.socket]:
    """A socket for announcements, at an abstract address that the kernel chooses and all children inherit."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as facts:
        facts.bind("")
        os.environ[_ADDRESS] = facts.getsockname()[1:].decode()
        yield facts


class _Server(NamedTuple):
    """The server's process; `end` becomes readable when it ends (its sentinel would wait for the workers, which inherit it)."""

    process: ForkProcess
    end: int

    def give_up(self) -> NoReturn:
        self.process.join()
        sys.exit(f"the server ended by itself, with status {self.process.exitcode}")


def _await_workers(facts: socket.socket, server: _Server, workers: int) -> dict[str, Any]:
    """What the server announced, when that and all its workers are there."""
    told: dict[str, Any] = {}
    settings: dict[str, object] = {"workers": workers}
    ready: set[int] = set()
    while not told or len(ready) < workers:
        if facts not in wait([facts, server.end]):
            server.give_up()
        fact = json.loads(facts.recv(_LONGEST))
        settings |= fact["settings"]
        if "worker" in fact:
            ready.add(fact["worker"])
        else:
            told = fact
    return told | {"settings": settings}


def _await_listening(place: Path | int, server: _Server) -> None:
    """Granian's workers listen only after the application has told that they are ready."""
    while not _accepts(place):
        if wait([server.end], _MOMENT):
            server.give_up()


def _accepts(place: Path | int) -> bool:
    """Whether a unix socket at a path, or a port, accepts a connection."""
    family, address = (socket.AF_UNIX, str(place)) if isinstance(place, Path) else (socket.AF_INET, ("127.0.0.1", place))
    with socket.socket(family) as trying:
        return trying.connect_ex(address) == 0


@contextmanager
def _child(serve: Callable[[], None], folder: str) -> Iterator[_Server]:
    """The server's process, which is ended on the way out with all that it leaves behind, and must itself end well."""
    adopt_orphans()
    process = multiprocessing.get_context("fork").Process(target=_become, args=(serve, folder, os.getpid()))
    process.start()
    assert process.pid
    server = _Server(process, os.pidfd_open(process.pid))
    try:
        yield server
    finally:
        process.terminate()
        process.join(_PATIENCE)
        if process.is_alive():
            process.kill()
            process.join()
        end_children()
        os.close(server.end)
    if process.exitcode not in ENDED:
        sys.exit(f"the server ended with status {process.exitcode}")


def _become(serve: Callable[[], None], folder: str, parent: int) -> None:
    """stdout is the runner's, so what the server prints goes to stderr; its folder is empty, as some import from there first."""
    end_with(parent)
    os.chdir(folder)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    serve()
