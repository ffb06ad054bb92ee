"""Where threads run CPU-bound work: in other processes."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from probing import workers

Execute = Callable[[Callable[[int], int], int], int]


@contextmanager
def process() -> Iterator[Execute]:
    """The function that runs another in a worker and returns its result."""
    with workers() as pool:
        yield lambda function, ns: pool.submit(function, ns).result()


POOLS: dict[str, Callable[[], AbstractContextManager[Execute]]] = {"process": process}
