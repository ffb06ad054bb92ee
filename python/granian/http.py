"""HTTP: a plain ASGI application under granian."""

from functools import partial

import granian_server

import http_server

if __name__ == "__main__":
    http_server.http(partial(granian_server.serve, "blah_asgi:application"))
