"""Where gevent runs CPU-bound work beside its hub; each pool is the function that runs another in it and returns its result."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager

from gevent import get_hub
from gevent.event import Event

from probing import workers

Execute = Callable[[Callable[[int], int], int], int]


@contextmanager
def threadpool() -> Iterator[Execute]:
    def execute(function: Callable[[int], int], ns: int) -> int:
        taken: int = get_hub().threadpool.apply(function, (ns,))
        return taken

    yield execute


@contextmanager
def process() -> Iterator[Execute]:
    """The standard library's pool: gevent has none. Its futures wake the hub from the pool's own thread."""

    def wait(future: Future[int]) -> int:
        done = Event()
        with get_hub().loop.async_() as watcher:
            watcher.start(done.set)
            future.add_done_callback(lambda _: watcher.send())
            done.wait()
        return future.result()

    with workers() as pool:
        yield lambda function, ns: wait(pool.submit(function, ns))


POOLS: dict[str, Callable[[], AbstractContextManager[Execute]]] = {"threadpool": threadpool, "process": process}
