"""Burst: a root that has slept starts n tasks at once; each tells when it first ran."""

import runtime
from harness import Program
from launch import run
from start_times import PARAMETERS, Bursts
from tracing import Tracing


def task(i: int, bursts: Bursts) -> int:
    bursts.run(i)
    return i


def main(program: Program, trace: Tracing) -> None:
    for lap in program.laps(most=1):
        start, body = trace.starts(runtime.spawn, lap.nonce), trace.body(task)
        bursts = Bursts(program, lap)
        created = finished = checksum = 0
        with lap:
            for numbers in bursts:
                runtime.sleep(bursts.idle)
                bursts.begin()
                tasks = [start(body, i, bursts) for i in numbers]
                created += len(tasks)
                for running in trace.collects(tasks, numbers.start):
                    checksum += runtime.join(running)
                    finished += 1
        bursts.record(program, lap, created, finished, checksum)


if __name__ == "__main__":
    run(Program("burst", *PARAMETERS), main)
