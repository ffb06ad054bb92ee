"""HTTP: the server that comes with the runtime."""

import serving
from server import serve

if __name__ == "__main__":
    serving.http(serve)
