"""Records what tasks did, in order; `Tracing` is the one that records nothing and hands everything back untouched.

A program takes its primitives through one of the two before the clock starts, so that without a trace
the timed code holds the runtime's own functions and no branch.
"""

from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from itertools import count
from threading import Lock, current_thread
from typing import Any, TypeVar, cast

Event = tuple[str, int, str]
Function = TypeVar("Function", bound=Callable[..., Any])
Handle = TypeVar("Handle")
Guard = TypeVar("Guard")
Turns = Callable[[int, int], Iterable[int]]


class Tracing:
    """Off: what comes in goes out."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def note(self, kind: str, i: int) -> None:
        """Records one event of the running unit, only where nothing is timed: this empty call remains without a trace."""

    def starts(self, start: Function, first: int = 0) -> Function:
        """The call that starts a task; its calls are numbered from `first` on."""
        return start

    def starts_any(self, start: Function) -> Function:
        """The same for tasks that do not know their numbers: it tells of their runs and ends too."""
        return start

    def body(self, body: Function) -> Function:
        """The body of a task, whose first argument is the number of the task."""
        return body

    def turns(self, i: int, times: int) -> Iterable[int]:
        """What task i counts its yields by; a turn has ended when it has been resumed."""
        return range(times)

    def receives(self, i: int, receive: Function) -> Function:
        """The call by which task i receives a token."""
        return receive

    def guards(self, i: int, lock: Guard) -> Guard:
        """What task i enters by `with`, or by `async with`: a lock, a semaphore."""
        return lock

    def scopes(self, scope: Function) -> Function:
        """What opens a scope of tasks and returns when it has closed."""
        return scope

    def sends(self, i: int, send: Function) -> Function:
        """The call by which task i sends a message; when it returns, the channel has let the message in."""
        return self.receives(i, send)

    def beside(self) -> "Tracing":
        """The same for plain functions that run in a thread beside the tasks."""
        return self

    def ends(self, i: int, body: Function) -> Function:
        """The body of task i, where `receives` tells of its runs."""
        return body

    def collects(self, handles: Sequence[Handle], first: int = 0) -> Iterable[Handle]:
        """Handles in order, of tasks numbered from `first` on; a result has been collected when the next is asked for."""
        return handles


class Recorder(Tracing):
    """On, for runtimes whose tasks run plain functions; `unit` asks the runtime who is running."""

    def __init__(self, unit: Callable[[], str]) -> None:
        super().__init__()
        self._unit = unit
        self._numbers = count()
        self._numbering = Lock()  # threads start tasks, too

    def note(self, kind: str, i: int) -> None:
        self.events.append((kind, i, self._unit()))

    def starts(self, start: Function, first: int = 0) -> Function:
        @wraps(start)
        def starting(*arguments: Any, **named: Any) -> Any:
            return self._start(first + self._number(), start, *arguments, **named)

        return cast(Function, starting)

    def starts_any(self, start: Function) -> Function:
        @wraps(start)
        def starting_any(function: Callable[..., Any], *arguments: Any) -> Any:
            def body(_i: int, *given: Any) -> Any:
                return function(*given)

            i = self._number()
            return self._start(i, start, self.body(body), i, *arguments)

        return cast(Function, starting_any)

    def beside(self) -> "Recorder":
        recorder = Recorder(lambda: current_thread().name)
        recorder.events = self.events
        return recorder

    def _number(self) -> int:
        with self._numbering:
            return next(self._numbers)

    def _start(self, i: int, start: Function, *arguments: Any, **named: Any) -> Any:
        self.note("spawn", i)
        handle = start(*arguments, **named)
        self.note("spawned", i)
        return handle

    def body(self, body: Function) -> Function:
        @wraps(body)
        def traced(i: int, *arguments: Any) -> Any:
            self.note("run", i)
            return self.ends(i, body)(i, *arguments)

        return cast(Function, traced)

    def turns(self, i: int, times: int) -> Iterator[int]:
        for turn in range(times):
            yield turn
            self.note("run", i)
        self.note("done", i)

    def receives(self, i: int, receive: Function) -> Function:
        @wraps(receive)
        def receiving(*arguments: Any) -> Any:
            result = receive(*arguments)
            self.note("run", i)
            return result

        return cast(Function, receiving)

    def guards(self, i: int, lock: Guard) -> Guard:
        return cast(Guard, Guarded(self, i, lock))

    def scopes(self, scope: Function) -> Function:
        numbers = count()

        @wraps(scope)
        def scoped(*arguments: Any) -> Any:
            with self._opened(next(numbers)):
                return scope(*arguments)

        return cast(Function, scoped)

    def ends(self, i: int, body: Function) -> Function:
        @wraps(body)
        def ending(*arguments: Any) -> Any:
            with self._ending(i):
                return body(*arguments)

        return cast(Function, ending)

    @contextmanager
    def _opened(self, i: int) -> Iterator[None]:
        """A scope has closed when it returns; one that raises has not told how its tasks ended."""
        self.note("open", i)
        yield
        self.note("close", i)

    @contextmanager
    def _ending(self, i: int) -> Iterator[None]:
        """A task ends, too, when it is cancelled (no Exception in any of the runtimes); when it fails, that is told apart."""
        try:
            yield
        except BaseException as error:
            self.note("fail" if isinstance(error, Exception) else "done", i)
            raise
        self.note("done", i)

    def collects(self, handles: Sequence[Handle], first: int = 0) -> Iterator[Handle]:
        for i, handle in enumerate(handles, first):
            yield handle
            self.note("collect", i)


class Coroutines(Recorder):
    """On, for runtimes whose tasks run coroutine functions: so are their bodies and receives."""

    def body(self, body: Function) -> Function:
        @wraps(body)
        async def traced(i: int, *arguments: Any) -> Any:
            self.note("run", i)
            return await self.ends(i, body)(i, *arguments)

        return cast(Function, traced)

    def receives(self, i: int, receive: Function) -> Function:
        @wraps(receive)
        async def receiving(*arguments: Any) -> Any:
            result = await receive(*arguments)
            self.note("run", i)
            return result

        return cast(Function, receiving)

    def scopes(self, scope: Function) -> Function:
        numbers = count()

        @wraps(scope)
        async def scoped(*arguments: Any) -> Any:
            with self._opened(next(numbers)):
                return await scope(*arguments)

        return cast(Function, scoped)

    def ends(self, i: int, body: Function) -> Function:
        @wraps(body)
        async def ending(*arguments: Any) -> Any:
            with self._ending(i):
                return await body(*arguments)

        return cast(Function, ending)


class AwaitedSpawns(Coroutines):
    """On, where the call that starts a task is itself awaited: the task has been started when the call returns."""

    async def _start(self, i: int, start: Function, *arguments: Any, **named: Any) -> Any:
        self.note("spawn", i)
        handle = await start(*arguments, **named)
        self.note("spawned", i)
        return handle


class TaskRecorder(Coroutines):
    """On, where what is started is a coroutine, not a function and its arguments."""

    def starts_any(self, start: Function) -> Function:
        @wraps(start)
        def starting_any(coroutine: Coroutine[Any, Any, Any]) -> Any:
            async def body(_i: int) -> Any:
                return await coroutine

            i = self._number()
            return self._start(i, start, self.body(body)(i))

        return cast(Function, starting_any)


class Guarded:
    """A lock, plain or awaited, that tells when it is asked for, entered and left."""

    def __init__(self, recorder: Recorder, i: int, lock: Any) -> None:
        self._note = recorder.note
        self._i = i
        self._lock = lock

    def __enter__(self) -> None:
        self._note("ask", self._i)
        self._lock.__enter__()
        self._note("enter", self._i)

    def __exit__(self, *error: Any) -> None:
        self._note("leave", self._i)
        self._lock.__exit__(*error)

    async def __aenter__(self) -> None:
        self._note("ask", self._i)
        await self._lock.__aenter__()
        self._note("enter", self._i)

    async def __aexit__(self, *error: Any) -> None:
        self._note("leave", self._i)
        await self._lock.__aexit__(*error)


class Identities:
    """Tells units apart by the identity of what is running, and keeps them all, so that no identity is used twice."""

    def __init__(self, current: Callable[[], object]) -> None:
        self._current = current
        self._seen: dict[int, object] = {}

    def __call__(self) -> str:
        current = self._current()
        self._seen[id(current)] = current
        return f"{type(current).__name__}-{id(current):x}"


class SwitchCounter:
    """Counts resumes of a task other than the one resumed before; the first resume counts."""

    def __init__(self) -> None:
        self.true_switches = 0
        self._last = -1
        self._counting = Lock()  # tasks may be threads

    def over(self, turns: Turns) -> Turns:
        """The same turns, counted at the end of each, inside the task."""

        def counted(i: int, times: int) -> Iterator[int]:
            for turn in turns(i, times):
                yield turn
                with self._counting:
                    self.true_switches += i != self._last
                    self._last = i

        return counted
