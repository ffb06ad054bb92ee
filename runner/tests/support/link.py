"""The link between a box and its collector, as ssh's ProxyCommand: `link.py FILE HOST PORT`. Breaks
after as many bytes of the box as the file says, where there is one.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import sys
import threading
from pathlib import Path


def main(file: Path, host: str, port: int) -> None:
    left = int(file.read_text()) if file.exists() else None
    with socket.create_connection((host, port)) as link:
        threading.Thread(target=_answers, args=(link,), daemon=True).start()
        while data := os.read(0, 4096):
            if left is not None and len(data) > left:
                # reset at once, as by a box without power
                link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return
            link.sendall(data)
            left = None if left is None else left - len(data)
        link.shutdown(socket.SHUT_WR)
        threading.Event().wait()


def _answers(link: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := link.recv(65536):
            os.write(1, data)
    os._exit(0)


main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
