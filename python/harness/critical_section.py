"""What tasks share that exclude each other by a lock, or are let in by a semaphore."""

from itertools import count


class Section:
    """Those who are inside, the most that ever were, and a value that each of them makes one greater.

    They give way between reading it and writing it: two that are inside at once lose an increment.
    """

    __slots__ = ("arrived", "contended", "counts", "inside", "most", "nonce", "value", "yields")

    def __init__(self, nonce: int, *, contended: bool) -> None:
        self.arrived: list[int] = []
        self.contended = contended
        self.counts: list[tuple[int, int]] = []
        self.inside = self.most = self.yields = 0
        self.nonce = self.value = nonce

    def enter(self) -> int:
        """The value that is found."""
        self.inside += 1
        self.most = max(self.most, self.inside)
        return self.value

    def leave(self, value: int) -> None:
        self.value = value
        self.inside -= 1

    def evidence(self, counts: list[tuple[int, int]]) -> dict[str, int]:
        """`counts`: of each task its acquisitions, and the most by others between two of them."""
        return {
            "ops": sum(acquired for acquired, _ in counts),
            "finished": len(counts),
            "most": self.most,
            "yields": self.yields,
            "passed": max(passed for _, passed in counts),
            "checksum": self.value,
        }


class Room:
    """Those whom a semaphore has let in, and the numbers that they take. Tasks may be threads: each change is a single step."""

    __slots__ = ("arrived", "contended", "counts", "inside", "nonce", "numbers", "yields")

    def __init__(self, nonce: int, *, contended: bool) -> None:
        self.arrived: list[int] = []
        self.contended = contended
        self.counts: list[tuple[int, int, int]] = []
        self.nonce = nonce
        self.inside: list[int] = []
        self.yields: list[int] = []
        self.numbers = count()

    def evidence(self, counts: list[tuple[int, int, int]]) -> dict[str, int]:
        """`counts`: of each task its permits, counted from the nonce on; the most tasks inside; the most permits of others
        between two of its own.
        """
        taken, most, passed = zip(*counts, strict=True)
        return {
            "ops": sum(taken) - len(counts) * self.nonce,
            "finished": len(counts),
            "most": max(most),
            "yields": len(self.yields),
            "passed": max(passed),
            "checksum": sum(taken),
        }
