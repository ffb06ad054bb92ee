"""Scope: a group of n children, of which one fails; the others are killed for it, and the error is caught."""

import waiting
from harness import Program
from launch import run
from scopes import Failure, Scopes, Waiting
from tracing import Tracing


def wait(_i: int, siblings: Waiting[waiting.Event], scopes: Scopes) -> object:
    try:
        siblings.arrive()
        return waiting.Event().wait()
    finally:
        scopes.cleaned += 1


def fail(_i: int, siblings: Waiting[waiting.Event], value: int) -> None:
    if siblings.missing:
        siblings.all.wait()
    raise Failure(value)


def scope(first: int, n: int, value: int, scopes: Scopes, trace: Tracing) -> None:
    siblings, waits, fails = Waiting(n - 1, waiting.Event()), trace.body(wait), trace.body(fail)
    last = first + n - 1
    group = waiting.Group()
    start = trace.starts(group.spawn)
    children = [start(waits, i, siblings, scopes) for i in range(first, last)]
    children.append(start(fails, last, siblings, value))
    scopes.created += len(children)
    try:
        waiting.joinall(children, raise_error=True)
    except Failure as failure:
        group.kill()  # returns when all of them have ended
        scopes.cancelled += sum(map(waiting.was_cancelled, children[:-1]))
        scopes.catch([failure])


def main(program: Program, trace: Tracing) -> None:
    waiting.expect(Failure)
    n, m = program["n"], program["m"]
    for lap in program.laps():
        scopes, open_scope = Scopes(), trace.scopes(scope)
        with lap:
            for i in range(m):
                open_scope(i * n, n, lap.nonce + i, scopes, trace)
        lap.record(**scopes.evidence())


if __name__ == "__main__":
    run(Program("scope", "n", "m"), main)
