"""HTTP: a plain ASGI application under uvicorn."""

from functools import partial

import uvicorn_server

import http_server

if __name__ == "__main__":
    http_server.http(partial(uvicorn_server.serve, "blah_asgi:application"))
