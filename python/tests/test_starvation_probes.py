"""Starvation: what it makes of the times at which probes were answered, and what counts of the load."""

from collections.abc import Iterable

import pytest

import starvation_probes
from harness import Lap, Program
from starvation_probes import Load, Pool, Probes, Scene, Tally, burn, tallied, workers


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COROBENCH_RUNTIME", "asyncio")


def at(monkeypatch: pytest.MonkeyPatch, times_ns: Iterable[int]) -> None:
    monkeypatch.setattr(starvation_probes, "monotonic_ns", iter(times_ns).__next__)


def program(probes: int = 3, job_us: int = 2500) -> Program:
    arguments = [f"probes={probes}", "period_us=2", "series_count=4", f"job_us={job_us}", "cap_ms=1"]
    return Program("starvation", *starvation_probes.PARAMETERS, arguments=arguments)


def test_lateness_counts_from_the_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    probes = Probes(program(), first_ns=10_000, takes_ns=1000)
    at(monkeypatch, [9_000, 12_500, 11_000, 13_000, 20_000])
    assert (probes.left(0), probes.left(1)) == (1e-6, -5e-7)
    for i in range(3):
        probes.answer(i)
    assert probes.close(end_ns=30_000) == (3, [0, 0, 5_000])


def test_what_has_no_answer_is_as_late_as_it_was_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    probes = Probes(program(probes=4), first_ns=0, takes_ns=1000)
    at(monkeypatch, [1_500, 6_000])
    probes.answer(0)
    probes.answer(1)  # too late
    assert probes.close(end_ns=5_500) == (1, [500, 2_500, 500, 0])


def test_a_timer_that_is_early_is_not_late(monkeypatch: pytest.MonkeyPatch) -> None:
    probes = Probes(program(probes=1), first_ns=0, takes_ns=1000)
    at(monkeypatch, [900])
    probes.answer(0)
    assert probes.close(end_ns=5_000) == (1, [0])


def test_a_scene_ends_at_its_cap(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    told, lap = program(probes=1), Lap()
    at(monkeypatch, [0, 400_000, 1_700_000, 2_000_000, 2_100_000])
    scene = Scene(told, None)
    assert scene.left() == 0.0006
    assert scene.left() == 0
    scene.sleeping.answer(0)
    scene.close()
    scene.record(told, lap)
    assert (lap.ops, lap.evidence) == (1, {"answered": 0, "over_limit": 1, "jobs": 0, "asked_ns": 0, "worked_ns": 0})
    told.end()
    assert capsys.readouterr().out.splitlines()[:2] == [
        '{"type":"series","name":"lateness","values":[0]}',
        '{"type":"series","name":"small","values":[]}',
    ]


def test_a_job_in_slices_adds_up() -> None:
    assert list(Load(program()).slices(2_500_000)) == [1_000_000, 1_000_000, 500_000]


def test_a_slice_under_way_at_the_stop_does_not_count() -> None:
    load = Load(program())
    slices = load.slices(load.job_ns)
    load.add(next(slices), 1_100_000)
    load.end_job()
    assert load.stop() == {"jobs": 1, "asked_ns": 1_000_000, "worked_ns": 1_100_000}
    assert list(slices) == []
    load.add(1, 1)
    load.end_job()
    assert load.stop() == {"jobs": 1, "asked_ns": 1_000_000, "worked_ns": 1_100_000}


def test_a_job_without_a_pause_counts_each_slice_too(monkeypatch: pytest.MonkeyPatch) -> None:
    load = Load(program())
    burnt: list[int] = []

    def burn(ns: int) -> int:
        burnt.append(ns)
        if len(burnt) == 2:
            load.stop()
        return ns + 1

    monkeypatch.setattr(starvation_probes, "burn", burn)
    load.work(load.job_ns)
    assert burnt == [1_000_000, 1_000_000]
    assert load.stop() == {"jobs": 0, "asked_ns": 1_000_000, "worked_ns": 1_000_001}


def test_workers_tell_what_they_have_used() -> None:
    with workers() as (pool, tally):
        assert pool.submit(burn, 3_000_000).result() >= 3_000_000
        assert tally.sums() == (0, 0), "what is no job does not count"
        list(pool.map(tallied, [2_500_000, 1_500_000, 1_000_000]))
        asked_ns, worked_ns = tally.sums()
    assert asked_ns == 5_000_000 <= worked_ns


def test_each_worker_counts_in_its_own_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starvation_probes, "end_with", lambda parent: None)
    tally = Tally(2)
    for asked_ns in (1, 10):
        tally.begin(parent=1)
        tally.add(asked_ns, 2 * asked_ns)
    assert list(tally._sums) == [1, 2, 10, 20]
    assert tally.sums() == (11, 22)


def test_a_pool_does_jobs_where_they_count() -> None:
    told, tally = program(), Tally(1)
    in_thread, in_process = Load(told), Load(told, tally)
    assert Pool(lambda *asked: asked).work(in_thread) == (in_thread.work, 2_500_000)
    assert Pool(lambda *asked: asked, tally).work(in_process) == (tallied, 2_500_000)
    tally.add(5, 6)
    assert in_process.stop() == {"jobs": 0, "asked_ns": 5, "worked_ns": 6}
