"""nginx in front of a server, as a child of the program."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from arguments import usage
from lineage import end_with

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
