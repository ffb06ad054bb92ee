"""CPU work for the scenarios: xorshift32, as many rounds as a known result needs or as a stretch of thread CPU time holds."""

from time import thread_time_ns

START = 2463534242
_MASK = 0xFFFFFFFF
# About 2 us of CPython, ten times what the clock takes; a stretch lasts at most a slice longer than was asked.
_SLICE = 16


def xorshift32(x: int, rounds: int) -> int:
    """The state after so many rounds (Marsaglia 2003); 1,000 rounds from START give 3298996588."""
    for _ in range(rounds):
        x ^= (x << 13) & _MASK
        x ^= x >> 17
        x ^= (x << 5) & _MASK
    return x


class Work:
    """What one thread was asked to work and what it worked, in nanoseconds of its CPU time."""

    def __init__(self) -> None:
        self.asked_ns = self.worked_ns = 0
        self._state = START

    def spin(self, ns: int) -> int:
        """Computes until the thread's CPU clock has gone on by `ns`: a count of rounds fixed beforehand drifts in CPython.

        Returns the CPU time that it took, nanoseconds.
        """
        state, start = self._state, thread_time_ns()
        while (taken := thread_time_ns() - start) < ns:
            state = xorshift32(state, _SLICE)
        self._state = state
        self.add(ns, taken)
        return taken

    def add(self, asked_ns: int, worked_ns: int) -> None:
        """Counts work that was done elsewhere: in another thread or process."""
        self.asked_ns += asked_ns
        self.worked_ns += worked_ns
