"""Web matrix: FastAPI under granian."""

from functools import partial

import granian_server

import http_server

if __name__ == "__main__":
    http_server.webmatrix(partial(granian_server.serve, "fastapi_app:on_loop"))
