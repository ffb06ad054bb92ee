"""Web matrix: FastAPI under uvicorn alone."""

from functools import partial

import uvicorn_server

import http_server

if __name__ == "__main__":
    http_server.webmatrix(partial(uvicorn_server.serve, "fastapi_app:on_loop"))
