"""webmatrix in Japronto; the arguments are the port and the number of workers."""

import sys
import time

from japronto import Application

START = 2463534242
MASK = 0xFFFFFFFF


def evaluate(values, rounds, wait_us):
    """As in the harness, whose own text this CPython can't read."""
    x = START
    for value in values:
        x ^= value
    for _ in range(rounds):
        x ^= (x << 13) & MASK
        x ^= x >> 17
        x ^= (x << 5) & MASK
    if wait_us:
        time.sleep(wait_us / 1e6)
    return x


def answer(request):
    return request.Response(json={"result": evaluate(**request.json)})


if __name__ == "__main__":
    application = Application()
    application.router.add_route("/eval", answer, method="POST")
    application.run("127.0.0.1", int(sys.argv[1]), worker_num=int(sys.argv[2]))
