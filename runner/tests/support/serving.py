"""A small HTTP server for tests of what the runner does with servers, and the ways in which it can
misbehave.
"""

from __future__ import annotations

HONEST = """
import os
import platform
import socket
import subprocess
import sys
import threading

from harness import Program

ANSWER = b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\nContent-Length: 5\\r\\n\\r\\nBlah\\n"


def answer(connection: socket.socket) -> None:
    with connection, connection.makefile("rb") as lines:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for line in lines:
            if line == b"\\r\\n":
                connection.sendall(ANSWER)


def accept(listener: socket.socket) -> None:
    while True:
        threading.Thread(target=answer, args=(listener.accept()[0],), daemon=True).start()


def main() -> None:
    program = Program("http", choices={"phase": ["one-new", "one-keep", "many-new", "many-keep", "open"]})
    program.hello(platform.python_version(), {})
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    threading.Thread(target=accept, args=(listener,), daemon=True).start()
    program.serving(listener.getsockname()[1])
    program.wait_for_line("serving")
    program.end()


main()
"""


def changed(old: str, new: str) -> str:
    """The honest server with a part replaced: the fault is all that differs."""
    assert HONEST.count(old) == 1, old
    return HONEST.replace(old, new)
