"""The order in which a sender visits channels: a number draws it, so that nobody else knows it."""

from collections.abc import Iterator


def visits(k: int, rounds: int, nonce: int) -> Iterator[int]:
    """Each of k channels once a round, in an order of the round's own; k is a power of two."""
    for number in range(nonce, nonce + rounds):
        for turn in range(k):
            yield (number + turn * (2 * number + 1)) % k
