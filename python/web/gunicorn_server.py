"""Runs an application under gunicorn, of the kind of worker that it is given."""

from pathlib import Path
from typing import Any

import gunicorn
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.util import import_app

from http_server import announce, worker_ready


class Gunicorn(BaseApplication):  # type: ignore[misc]
    """What the command line makes of its options, each worker importing the application by itself."""

    def __init__(self, application: str, options: dict[str, object]) -> None:
        self._application = application
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        return import_app(self._application)


def serve(application: str, worker: str, path: Path | None, workers: int, *, version: str = gunicorn.__version__) -> None:
    """`application` is module:name. An ASGI application tells by its lifespan that a worker is ready."""

    def tell(arbiter: Arbiter) -> None:
        address = arbiter.LISTENERS[0].sock.getsockname()
        announce(version, {"worker": arbiter.cfg.worker_class_str}, 0 if path else address[1])

    options: dict[str, object] = {
        "bind": f"unix:{path}" if path else "127.0.0.1:0",
        "workers": workers,
        "worker_class": worker,
        "loglevel": "warning",
        "control_socket_disable": True,  # it would be a file in the user's home
        "when_ready": tell,
    }
    if not worker.startswith("uvicorn"):
        options["post_worker_init"] = lambda _worker: worker_ready()
    Gunicorn(application, options).run()
