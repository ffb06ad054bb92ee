"""Where eventlet runs CPU-bound work beside its hub; what a pool executes has ended when it returns."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from eventlet import tpool

from starvation_probes import Pool, workers


@contextmanager
def process() -> Iterator[Pool]:
    """The standard library's pool: eventlet has none. A thread of its own pool waits for each result."""
    with workers() as (processes, tally):
        yield Pool(lambda function, ns: tpool.execute(processes.submit(function, ns).result), tally)


POOLS: dict[str, Callable[[], AbstractContextManager[Pool]]] = {
    "threadpool": lambda: nullcontext(Pool(tpool.execute)),
    "process": process,
}
