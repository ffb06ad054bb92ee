"""Mixed: the requests of all chains, and when each arrived, began, computed and ended, for every Python runtime."""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from time import monotonic_ns
from typing import NamedTuple

from cpu_work import Work
from harness import Lap, Program

Span = tuple[int, int]
WAITS = ("timer", "peer")
MESSAGE_BYTES = 8  # to the peer: after how many microseconds it is to send them back
# A chart can't show more: numbers, three for each piece.
_MOST_TIMELINE = 600


class Request:
    """One request in the hands of one task; times are nanoseconds of the monotonic clock."""

    __slots__ = ("_shares_ns", "arrival_ns", "begin_ns", "end_ns", "number", "pieces", "work")

    def __init__(self, number: int, shares_ns: Sequence[int]) -> None:
        self.number = number
        self.pieces: list[Span] = []
        self.work = Work()
        self._shares_ns = shares_ns
        self.arrival_ns = self.begin_ns = self.end_ns = monotonic_ns()

    def begin(self) -> None:
        """First statement of its task."""
        self.begin_ns = monotonic_ns()

    def compute(self) -> None:
        """The next piece of its CPU work."""
        start_ns = monotonic_ns()
        self.work.spin(self._shares_ns[len(self.pieces)])
        self.pieces.append((start_ns, monotonic_ns()))

    def end(self) -> None:
        """Last statement, before the task spawns the next request."""
        self.end_ns = monotonic_ns()


class Course:
    """One run: the count of requests left that the chains share, and the parameters in the units that tasks need."""

    def __init__(self, program: Program) -> None:
        self.waits = program["splits"]
        self.wait_us = program["wait_us"] // self.waits
        self._shares_ns = _shares(program["cpu_us"] * 1000, self.waits + 1)
        self.requests: list[Request] = []
        # One step of the interpreter takes the next of a range: threads can't take the same one.
        self._numbers = iter(range(program["requests"]))

    def arrive(self) -> Request | None:
        """The request that arrives now, to be handed to a new task at once; None when all have arrived."""
        number = next(self._numbers, None)
        if number is None:
            return None
        request = Request(number, self._shares_ns)
        self.requests.append(request)
        return request

    def record(self, lap: Lap, program: Program) -> None:
        """The evidence of all requests, and the series of those that ended in the steady window, in the order of their ends."""
        requests = self.requests
        window = steady(requests, program["c"])
        lap.record(
            ops=len(requests),
            finished=sum(len(request.pieces) == self.waits + 1 for request in requests),
            pieces=sum(len(request.pieces) for request in requests),
            asked_ns=sum(request.work.asked_ns for request in requests),
            worked_ns=sum(request.work.worked_ns for request in requests),
            most_alive=most_alive([(request.arrival_ns, request.end_ns) for request in requests]),
            steady_ops=len(window.requests),
            steady_ns=window.ns,
            steady_alive_ns=window.alive_ns,
        )
        program.series("response", [request.end_ns - request.arrival_ns for request in window.requests])
        program.series("service", [request.end_ns - request.begin_ns for request in window.requests])
        program.series("queueing", [request.begin_ns - request.arrival_ns for request in window.requests])
        program.series("timeline", timeline(requests, window.requests))


def _shares(whole: int, parts: int) -> list[int]:
    """Equal parts of a whole that is not a multiple of them."""
    return [whole * (part + 1) // parts - whole * part // parts for part in range(parts)]


class Window(NamedTuple):
    """A stretch of time: the requests that ended in it, in the order of their ends, how long it was, and how long all
    requests together were between arrival and end in it.
    """

    requests: Sequence[Request]
    ns: int
    alive_ns: int


def steady(requests: Sequence[Request], chains: int) -> Window:
    """Whole rounds of all chains, up to the end that started the last request, and without the first ends, one for each chain.

    Every chain was busy all that time, and no longer in step with the others, as all were when they began.
    """
    ended = sorted(requests, key=lambda request: request.end_ns)
    last = len(ended) - chains - 1
    count = max(last - chains, 0) // chains * chains
    if not count:
        return Window([], 0, 0)
    opens_ns, closes_ns = ended[last - count].end_ns, ended[last].end_ns
    inside = (min(request.end_ns, closes_ns) - max(request.arrival_ns, opens_ns) for request in requests)
    return Window(ended[last - count + 1 : last + 1], closes_ns - opens_ns, sum(ns for ns in inside if ns > 0))


def most_alive(lives: Sequence[Span]) -> int:
    """Most of the spans that overlap at one time; one that ends as another begins does not overlap it."""
    most = 0
    ends: list[int] = []
    for begin, end in sorted(lives):
        while ends and ends[0] <= begin:
            heappop(ends)
        heappush(ends, end)
        most = max(most, len(ends))
    return most


def timeline(requests: Sequence[Request], among: Sequence[Request]) -> list[int]:
    """Who computed while the longest of some requests was alive: number, begin, end of each piece, in one row.

    Nanoseconds after that request's arrival; its own pieces come first, the others in the order in which they began.
    """
    longest = max(among, key=lambda request: request.end_ns - request.arrival_ns, default=None)
    if longest is None:
        return []
    others = [piece for request in requests if request is not longest for piece in _overlapping(request, longest)]
    row = [*_overlapping(longest, longest), *sorted(others, key=lambda piece: piece[1])]
    return [number for piece in row for number in piece][:_MOST_TIMELINE]


def _overlapping(request: Request, longest: Request) -> Iterator[tuple[int, int, int]]:
    for begin, end in request.pieces:
        if end > longest.arrival_ns and begin < longest.end_ns:
            yield request.number, max(0, begin - longest.arrival_ns), end - longest.arrival_ns
