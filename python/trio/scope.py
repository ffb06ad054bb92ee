"""Scope: a nursery of n children, of which one fails; the others are cancelled, and the error is caught."""

import trio

import trio_support
from harness import Program
from scopes import Failure, Scopes, Waiting
from tracing import Tracing


async def wait(_i: int, siblings: Waiting[trio.Event], scopes: Scopes) -> None:
    try:
        siblings.arrive()
        await trio.sleep_forever()
    except trio.Cancelled:
        scopes.cancelled += 1
        raise
    finally:
        scopes.cleaned += 1


async def fail(_i: int, siblings: Waiting[trio.Event], value: int) -> None:
    if siblings.missing:
        await siblings.all.wait()
    raise Failure(value)


async def scope(first: int, n: int, value: int, scopes: Scopes, trace: Tracing) -> None:
    siblings, waits, fails = Waiting(n - 1, trio.Event()), trace.body(wait), trace.body(fail)
    last = first + n - 1
    try:
        async with trio.open_nursery() as nursery:
            start = trace.starts(nursery.start_soon)
            for i in range(first, last):
                start(waits, i, siblings, scopes)
                scopes.created += 1
            start(fails, last, siblings, value)
            scopes.created += 1
    except* Failure as failures:
        scopes.catch(failures.exceptions)


async def main(program: Program, trace: Tracing) -> None:
    n, m = program["n"], program["m"]
    for lap in program.laps():
        scopes, open_scope = Scopes(), trace.scopes(scope)
        with lap:
            for i in range(m):
                await open_scope(i * n, n, lap.nonce + i, scopes, trace)
        lap.record(**scopes.evidence())


if __name__ == "__main__":
    trio_support.run(Program("scope", "n", "m"), main)
