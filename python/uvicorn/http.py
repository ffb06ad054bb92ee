"""HTTP: a plain ASGI application under uvicorn."""

from functools import partial

import uvicorn_server

import serving

if __name__ == "__main__":
    serving.http(partial(uvicorn_server.serve, "blah_asgi:application"))
