"""Where threads run CPU-bound work: in other processes; what a pool executes has ended when it returns."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from starvation_probes import Pool, workers


@contextmanager
def process() -> Iterator[Pool]:
    with workers() as (processes, tally):
        yield Pool(lambda function, ns: processes.submit(function, ns).result(), tally)


POOLS: dict[str, Callable[[], AbstractContextManager[Pool]]] = {"process": process}
