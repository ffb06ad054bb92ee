"""Ring: k tasks, each waiting at a queue of one, pass a token round."""

from harness import Program
from launch import run
from stackful_support import ring
from tracing import Tracing


def main(program: Program, trace: Tracing) -> None:
    k, rounds = program["k"], program["rounds"]
    for lap in program.laps():
        finished, messages, token = ring(k, rounds, lap, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    run(Program("ring", "k", "rounds"), main)
