"""HTTP: a plain ASGI application under granian."""

from functools import partial

import granian_server

import serving

if __name__ == "__main__":
    serving.http(partial(granian_server.serve, "blah_asgi:application"))
