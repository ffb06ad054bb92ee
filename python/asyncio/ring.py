"""Ring: k tasks, each waiting at a queue of one, pass a token round."""

from harness import Program
from loop_run import run
from stackless_support import ring
from tracing import Tracing


async def main(program: Program, trace: Tracing) -> None:
    k, rounds = program["k"], program["rounds"]
    for lap in program.laps():
        finished, messages, token = await ring(k, rounds, lap, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    run(Program("ring", "k", "rounds"), main)
