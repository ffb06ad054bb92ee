"""Web matrix: FastAPI under granian."""

from functools import partial

import granian_server

import serving

if __name__ == "__main__":
    serving.webmatrix(partial(granian_server.serve, "fastapi_app:on_loop"))
