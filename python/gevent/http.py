"""HTTP: the server that comes with the runtime."""

import http_server
from server import serve

if __name__ == "__main__":
    http_server.http(serve)
