"""The scenarios' CPU work: its arithmetic, and when it stops."""

from itertools import count

import pytest

import cpu_work
from cpu_work import START, Work, xorshift32


@pytest.mark.parametrize(("rounds", "state"), [(0, START), (1, 723471715), (1000, 3298996588)])
def test_xorshift_gives_the_known_states(rounds: int, state: int) -> None:
    assert xorshift32(START, rounds) == state


def test_rounds_can_be_done_in_parts() -> None:
    assert xorshift32(xorshift32(START, 300), 700) == xorshift32(START, 1000)


def test_spins_until_the_clock_of_the_thread_says_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_work, "thread_time_ns", count(5000, 300).__next__)
    done = Work()
    assert done.spin(1000) == 1200
    assert (done.asked_ns, done.worked_ns) == (1000, 1200)


def test_never_spins_for_less_than_was_asked() -> None:
    done = Work()
    taken = [done.spin(50_000) for _ in range(5)]
    assert min(taken) >= 50_000
    assert (done.asked_ns, done.worked_ns) == (250_000, sum(taken))


def test_adds_what_another_thread_has_worked() -> None:
    done = Work()
    done.add(100, 110)
    done.add(200, 205)
    assert (done.asked_ns, done.worked_ns) == (300, 315)
