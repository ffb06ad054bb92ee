"""Where gevent runs CPU-bound work beside its hub; what a pool executes has ended when it returns."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager

from gevent import get_hub
from gevent.event import Event

from starvation_probes import Pool, workers


@contextmanager
def threadpool() -> Iterator[Pool]:
    yield Pool(lambda function, ns: get_hub().threadpool.apply(function, (ns,)))


@contextmanager
def process() -> Iterator[Pool]:
    """The standard library's pool: gevent has none. Its futures wake the hub from the pool's own thread."""

    def wait(future: Future[object]) -> object:
        done = Event()
        with get_hub().loop.async_() as watcher:
            watcher.start(done.set)
            future.add_done_callback(lambda _: watcher.send())
            done.wait()
        return future.result()

    with workers() as (processes, tally):
        yield Pool(lambda function, ns: wait(processes.submit(function, ns)), tally)


POOLS: dict[str, Callable[[], AbstractContextManager[Pool]]] = {"threadpool": threadpool, "process": process}
