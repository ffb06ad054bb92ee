"""Ring: k tasks, each waiting at a memory channel with room for one, pass a token round."""

import nurseries
from harness import Program
from nursery_ring import ring
from tracing import Tracing


async def main(program: Program, trace: Tracing) -> None:
    k, rounds = program["k"], program["rounds"]
    for lap in program.laps():
        finished, messages, token = await ring(k, rounds, lap, trace)
        lap.record(ops=messages, finished=finished, messages=messages, checksum=token)


if __name__ == "__main__":
    nurseries.run(Program("ring", "k", "rounds"), main)
