"""Spawn: start n threads, then join each and collect its result."""

import gc
import platform
import threading

from harness import Program
from tracing import Function, Recorder, Tracing


def task(i: int, results: dict[int, int]) -> None:
    results[i] = i


def start(body: Function, i: int, results: dict[int, int]) -> threading.Thread:
    thread = threading.Thread(target=body, args=(i, results))
    thread.start()
    return thread


def spawn(n: int, first: int, trace: Tracing) -> tuple[int, int, int]:
    """Threads created, results received, their sum. A thread that failed has left no result:
    KeyError.
    """
    begin, body = trace.starts(start, first), trace.body(task)
    results: dict[int, int] = {}
    threads = [begin(body, i, results) for i in range(first, first + n)]
    created = len(threads)
    finished = checksum = 0
    for i, thread in enumerate(trace.collects(threads, first), first):
        thread.join()
        checksum += results[i]
        finished += 1
    return created, finished, checksum


if __name__ == "__main__":
    program = Program("spawn", "n")
    recorder = Recorder(lambda: threading.current_thread().name) if program.traced else Tracing()
    program.hello(platform.python_version(), {"gc": gc.isenabled()})
    for lap in program.laps():
        with lap:
            created, finished, checksum = spawn(program["n"], lap.nonce, recorder)
        lap.record(ops=finished, created=created, finished=finished, checksum=checksum)
    program.end(recorder.events)
