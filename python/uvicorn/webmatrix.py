"""Web matrix: FastAPI under uvicorn alone."""

from functools import partial

import uvicorn_server

import serving

if __name__ == "__main__":
    serving.webmatrix(partial(uvicorn_server.serve, "fastapi_app:on_loop"))
