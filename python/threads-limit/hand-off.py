"""Hand-off through two queues without a bound, which the standard library has in C."""

from functools import partial
from pathlib import Path
from queue import SimpleQueue

from harness import Program
from launch import run
from programs import load

idiom = load(Path(__file__).parents[1] / "gevent", "hand-off")


if __name__ == "__main__":
    hand_off = partial(idiom.ring, 2, queue=SimpleQueue)
    run(Program("hand-off", "m"), partial(idiom.main, hand_off=hand_off))
