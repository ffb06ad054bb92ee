"""Ring: k tasks, each waiting at a memory channel with room for one, pass a token round."""

import trio_support
from harness import Program
from tracing import Tracing
from trio_support import ring


async def main(program: Program, trace: Tracing) -> None:
    k, rounds = program["k"], program["rounds"]
    for lap in program.laps():
        finished, messages, token = await ring(k, rounds, lap, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    trio_support.run(Program("ring", "k", "rounds"), main)
