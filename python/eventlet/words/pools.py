"""Where eventlet runs CPU-bound work beside its hub; each pool is the function that runs another in it and returns its result."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from eventlet import tpool

from probing import workers

Execute = Callable[[Callable[[int], int], int], int]


@contextmanager
def process() -> Iterator[Execute]:
    """The standard library's pool: eventlet has none. A thread of its own pool waits for each result."""
    with workers() as pool:
        yield lambda function, ns: tpool.execute(pool.submit(function, ns).result)


POOLS: dict[str, Callable[[], AbstractContextManager[Execute]]] = {
    "threadpool": lambda: nullcontext(tpool.execute),
    "process": process,
}
