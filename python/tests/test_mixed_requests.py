"""Mixed: what it makes of the times that tasks told it."""

import json
from itertools import count

import pytest

import cpu_work
import mixed_requests
from harness import Lap, Program
from mixed_requests import Course, Request, Window, most_alive, steady, timeline


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock is 10 ns after the one before; the CPU clock goes 100 ns at a time."""
    monkeypatch.setenv("COROBENCH_RUNTIME", "asyncio")
    monkeypatch.setattr(mixed_requests, "monotonic_ns", count(0, 10).__next__)
    monkeypatch.setattr(cpu_work, "thread_time_ns", count(0, 100).__next__)


def program(*arguments: str) -> Program:
    return Program("mixed", "c", "splits", "cpu_us", "wait_us", "requests", arguments=arguments)


def course(requests: int) -> Course:
    return Course(program("c=1", "splits=2", "cpu_us=1", "wait_us=101", f"requests={requests}"))


@pytest.mark.parametrize(
    ("lives", "most"),
    [
        ([(0, 10)], 1),
        ([(0, 10), (10, 20), (20, 30)], 1),
        ([(0, 10), (9, 20)], 2),
        ([(0, 100), (1, 5), (2, 4), (50, 60)], 3),
    ],
)
def test_counts_the_most_alive_at_once(lives: list[tuple[int, int]], most: int) -> None:
    assert most_alive(lives) == most


def test_all_arrive_once_and_no_more() -> None:
    made = course(3)
    arrived = [made.arrive() for _ in range(4)]
    assert [request and request.number for request in arrived] == [0, 1, 2, None]
    assert (made.waits, made.wait_us) == (2, 50)


def test_the_pieces_add_up_to_the_work_of_a_request() -> None:
    request = course(1).arrive()
    assert request
    for _ in range(3):
        request.compute()
    assert request.work.asked_ns == 1000
    with pytest.raises(IndexError):
        request.compute()


def test_records_all_requests_and_the_series_of_the_steady_ones(capsys: pytest.CaptureFixture[str]) -> None:
    made, told = course(4), program("c=1", "splits=2", "cpu_us=1", "wait_us=101", "requests=4")
    while request := made.arrive():  # 0, 90, 180, 270: then begin, three pieces, end
        request.begin()
        for _ in range(3):
            request.compute()
        request.end()
    lap = Lap()
    made.record(lap, told)
    assert lap.ops == 4
    steady_ones = {"steady_ops": 1, "steady_ns": 90, "steady_alive_ns": 80}
    assert lap.evidence == {
        "finished": 4, "pieces": 12, "asked_ns": 4000, "worked_ns": 4800, "most_alive": 1, **steady_ones,
    }  # fmt: skip
    told.end()
    *series, _ = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["name"]: line["values"] for line in series} == {
        "response": [80],
        "service": [70],
        "queueing": [10],
        "timeline": [2, 20, 30, 2, 40, 50, 2, 60, 70],
    }


def request(number: int, arrival_ns: int, end_ns: int, *pieces: tuple[int, int]) -> Request:
    made = Request(number, [])
    made.arrival_ns, made.end_ns = arrival_ns, end_ns
    made.pieces = list(pieces)
    return made


def test_the_steady_window_is_whole_rounds_until_the_last_start() -> None:
    """Two chains whose requests end by turns, every 10 ns: the end at 80 starts the last of them."""
    ended = [request(i, max(0, 10 * (i - 1)), 10 * (i + 1)) for i in range(10)]
    assert steady(ended[::-1], 2) == Window(ended[4:8], 40, 80)
    assert steady(ended[:6], 2) == Window([], 0, 0)
    assert timeline(ended[:6], []) == []


def test_the_timeline_shows_who_computed_during_the_longest_request() -> None:
    others = [request(0, 0, 95, (5, 95)), request(2, 150, 700, (160, 190), (690, 700)), request(3, 50, 130, (60, 110))]
    longest = request(1, 100, 690, (140, 160), (500, 510))
    assert timeline([*others, longest], [longest, others[0]]) == [1, 40, 60, 1, 400, 410, 3, 0, 10, 2, 60, 90]


def test_the_timeline_ends_before_it_is_too_long() -> None:
    longest = request(0, 0, 10_000, *[(ns, ns + 5) for ns in range(0, 10_000, 10)])
    assert len(timeline([longest], [longest])) == 600
