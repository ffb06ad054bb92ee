"""HTTP: a server made of one asyncio.Protocol, which reads no more of a request than it must."""

import asyncio
from pathlib import Path
from typing import cast

import asyncio_support
import http_answers
import http_server

HEAD_END = b"\r\n\r\n"
FOUND = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n" + http_answers.BODY
MISSING = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


class Blah(asyncio.Protocol):
    """One connection; requests have no bodies."""

    def __init__(self) -> None:
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        *heads, self._received = (self._received + data).split(HEAD_END)
        for head in heads:
            self._transport.write(FOUND if head.startswith(b"GET / ") else MISSING)
            if closes(head):
                self._transport.close()
                return


def closes(head: bytes) -> bool:
    """Whether the connection ends with this request."""
    request, _, fields = head.lower().partition(b"\r\n")
    return b"connection: close" in fields or (request.endswith(b"http/1.0") and b"connection: keep-alive" not in fields)


async def listen() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Blah, "127.0.0.1", 0)
    http_server.announce(asyncio_support.version(), asyncio_support.settings(loop), server.sockets[0].getsockname()[1])
    http_server.worker_ready()
    await server.serve_forever()


def serve(_path: Path | None, _workers: int) -> None:
    with asyncio.Runner(loop_factory=asyncio_support.new_event_loop()) as runner:
        runner.run(listen())


if __name__ == "__main__":
    http_server.http(serve)
