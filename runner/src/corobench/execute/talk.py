"""One conversation with a program: collects its lines, answers its holds, and says what it got wrong.

Everything that the contract asks of a single process is checked here, so that no number exists without a right answer.
"""

from __future__ import annotations

from corobench import checks, distribution
from corobench.checks import Expectation
from corobench.distribution import Distribution
from corobench.execute import memory
from corobench.execute.process import Answer, Stop
from corobench.execute.protocol import End, Hello, Hold, Iterated, Line, Sampled, Traced, decode
from corobench.store import Iteration, Memory


class Talk:
    """The listener of one process. After it ended, `problem()` is None or what was wrong."""

    def __init__(self, expected: Expectation) -> None:
        self._expected = expected
        self.hello: Hello | None = None
        self.iterated: list[Iterated] = []
        self.holds: dict[str, Memory] = {}
        self.samples: dict[str, list[int]] = {}
        self.trace: Traced | None = None
        self._ended = False

    def listen(self, line: bytes, pid: int) -> Answer:
        """Takes one line of stdout; raises Stop at the first one that breaks the contract."""
        try:
            message = decode(line)
        except ValueError as error:
            raise Stop("wrong", str(error)) from error
        if self._ended:
            raise Stop("wrong", "a line after 'end'")
        if (self.hello is None) != isinstance(message, Hello):
            raise Stop("wrong", "the first line must be 'hello', and no other")
        return self._take(message, pid)

    def _take(self, message: Line, pid: int) -> Answer:
        match message:
            case Hello():
                self.hello = message
                if problem := checks.hello(message, self._expected):
                    raise Stop("wrong", problem)
            case Iterated():
                self.iterated.append(message)
            case Hold():
                if message.point in self.holds:
                    raise Stop("wrong", f"hold {message.point!r} was announced twice")
                self.holds[message.point] = _memory(pid, message)
                return b"\n"
            case Sampled():
                if message.name in self.samples:
                    raise Stop("wrong", f"the series {message.name!r} was written twice")
                self.samples[message.name] = message.values
            case Traced():
                self.trace = message
            case End():
                self._ended = True
        return None

    def problem(self) -> str | None:
        """What breaks the contract in a conversation that is over."""
        if self.hello is None:
            return "it ended without a 'hello' line"
        if not self._ended:
            return "it ended without an 'end' line"
        return (
            checks.iterations(self.iterated, self._expected)
            or checks.holds({point: read.units for point, read in self.holds.items()}, self._expected)
            or self._unlike()
            or checks.trace(self.trace.events if self.trace else None, self._expected)
        )

    def _unlike(self) -> str | None:
        counts = {name: len(values) for name, values in self.samples.items()}
        return checks.series(counts, self._expected.workload, self._expected.params)

    @property
    def distributions(self) -> dict[str, Distribution]:
        """The series that are kept as distributions."""
        return {name: distribution.of(values) for name, values in self.samples.items() if not self._is_raw(name)}

    @property
    def raw(self) -> dict[str, list[int]]:
        """The series that are kept as they are."""
        return {name: values for name, values in self.samples.items() if self._is_raw(name)}

    def _is_raw(self, name: str) -> bool:
        return self._expected.workload.series[name].keep == "raw"

    @property
    def iterations(self) -> list[Iteration]:
        return [Iteration(i.elapsed_ns, i.cpu_ns, i.ops) for i in self.iterated]


def _memory(pid: int, hold: Hold) -> Memory:
    try:
        return memory.read(pid, hold.units)
    except (ProcessLookupError, FileNotFoundError) as error:
        raise Stop("failed", f"it ended at the hold {hold.point!r}") from error
    except OSError as error:
        raise Stop("failed", f"its memory cannot be read at the hold {hold.point!r}: {error}") from error
