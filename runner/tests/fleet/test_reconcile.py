"""The course of a campaign over a queue that forgets, refuses and repeats: each run comes home once,
whatever dies.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import fleets
import msgspec
import patience
import pytest
from fleets import Queue, sealed

from corobench.errors import RunFailed
from corobench.fleet.campaign import Campaign, Job, jobs, records
from corobench.fleet.reconcile import Fleet
from corobench.results import log


@pytest.fixture
def queue() -> Queue:
    return Queue()


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    return fleets.write(tmp_path, "a" * 40, {"name": "local"}, ("classa", "classb"))


def fleet(campaign: Campaign, queue: Queue, patience_s: float = 0.0) -> Fleet:
    patient = msgspec.structs.replace(campaign, patience_s=patience_s)
    return Fleet(patient, queue, lambda _text: None)


def home(
    campaign: Campaign,
    job: Job,
    outcome: Literal["measured", "failed"] = "measured",
    at: str = "",
) -> Path:
    """An attempt at a job comes home; where it lies."""
    coming = campaign.inbox_folder / ".test"
    made = sealed(coming, job, outcome, *([at] if at else []))
    place = campaign.inbox_folder / made.place
    place.parent.mkdir(exist_ok=True)
    coming.rename(place)
    return place


def only_the_first(campaign: Campaign) -> Campaign:
    return msgspec.structs.replace(campaign, boxes={"classa": campaign.boxes["classa"]})


def words(states: list) -> list[str]:
    return [state.word for state in states]


def test_asked_twice_submits_once(campaign: Campaign, queue: Queue) -> None:
    assert words(fleet(campaign, queue).submit()) == ["queued", "queued"]
    assert words(fleet(campaign, queue).submit()) == ["queued", "queued"]
    assert queue.submitted == list(jobs(campaign).values())


def test_a_finished_campaign_needs_no_queue(campaign: Campaign, queue: Queue) -> None:
    for job in jobs(campaign).values():
        home(campaign, job)
    queue.reachable = False
    assert words(fleet(campaign, queue).submit()) == ["done", "done"]
    assert queue.submitted == []


def test_nothing_is_submitted_while_the_queue_does_not_answer(
    campaign: Campaign, queue: Queue
) -> None:
    queue.reachable = False
    with pytest.raises(RunFailed, match="does not answer"):
        fleet(campaign, queue).submit()
    assert queue.submitted == []


def test_what_left_the_queue_without_a_result_is_waited_for_then_submitted_again(
    campaign: Campaign, queue: Queue
) -> None:
    fleet(campaign, queue).submit()
    queue.there.clear()
    assert words(fleet(campaign, queue, 60.0).submit()) == ["awaited", "awaited"]
    assert words(fleet(campaign, queue).submit()) == ["queued", "queued"]
    assert len(queue.submitted) == 4


def test_a_job_that_never_comes_home_is_given_up_and_said(campaign: Campaign, queue: Queue) -> None:
    for _ in range(20):
        states = fleet(campaign, queue).submit()
        queue.there.clear()
    assert words(states) == ["exhausted", "exhausted"]
    assert "4 times" in states[0].reason
    assert len(queue.submitted) == 8
    assert words(fleet(campaign, queue).submit(again=True)) == ["queued", "queued"]


def test_an_altered_result_is_measured_again(campaign: Campaign, queue: Queue) -> None:
    first, second = jobs(campaign).values()
    home(campaign, second)
    place = home(campaign, first)
    assert words(fleet(campaign, queue).states()) == ["done", "done"]
    file = place / "job.log"
    file.write_text(file.read_text().upper())
    state = fleet(campaign, queue).submit()[0]
    assert state.word == "queued"
    assert "job.log is not what was sealed" in next(iter(state.refused.values()))
    assert queue.submitted == [first]


def test_the_first_is_told_by_the_time_and_not_by_its_text(
    campaign: Campaign, queue: Queue
) -> None:
    campaign = only_the_first(campaign)
    job = next(iter(jobs(campaign).values()))
    home(campaign, job, at="2026-01-01T09:30:00.000+00:00")
    earlier = home(campaign, job, at="2026-01-01T10:00:00.000+01:00")
    state = fleet(campaign, queue).states()[0]
    assert state.attempts[0].id == earlier.name


def test_of_two_attempts_the_one_that_was_sealed_first_counts(
    campaign: Campaign, queue: Queue, tmp_path: Path
) -> None:
    campaign = only_the_first(campaign)
    first = next(iter(jobs(campaign).values()))
    later = home(campaign, first, at="2026-01-02T10:00:00.000+00:00")
    earlier = home(campaign, first, at="2026-01-01T10:00:00.000+00:00")
    made = fleet(campaign, queue).collect(tmp_path / "results")[0]
    assert made.others == [f"{first.key}/{later.name}"]
    found = log.read_header(tmp_path / "results" / made.run)
    assert found == log.read_header(earlier / "run/run-1")
    record = records(tmp_path / "results")[campaign.name]
    assert record.jobs[0] == made


def test_a_failed_attempt_ends_a_job_until_it_is_asked_for_again(
    campaign: Campaign, queue: Queue
) -> None:
    first, second = jobs(campaign).values()
    home(campaign, first, "failed")
    home(campaign, second)
    assert words(fleet(campaign, queue).submit()) == ["failed", "done"]
    assert queue.submitted == []
    assert words(fleet(campaign, queue).submit(again=True)) == ["queued", "done"]


@pytest.mark.parametrize("at", ["2001-01-01T00:00:00.000+00:00", "2101-01-01T00:00:00.000+00:00"])
def test_asking_again_does_not_depend_on_the_clock_of_a_box(
    campaign: Campaign, queue: Queue, at: str
) -> None:
    only = only_the_first(campaign)
    job = next(iter(jobs(only).values()))
    home(only, job, "failed", at=at)
    assert words(fleet(only, queue).submit()) == ["failed"]
    assert words(fleet(only, queue).submit(again=True)) == ["queued"]
    queue.there.clear()
    # the failed attempt is no answer to the second submission
    assert words(fleet(only, queue, 60.0).submit()) == ["awaited"]
    home(only, job, "failed", at=at)
    assert words(fleet(only, queue).submit()) == ["failed"]
    home(only, job, at=at)
    assert words(fleet(only, queue).submit()) == ["done"]
    assert len(queue.submitted) == 1


def test_a_client_that_was_killed_before_it_wrote_what_it_submitted(
    campaign: Campaign, queue: Queue
) -> None:
    for job in jobs(campaign).values():
        queue.submit(job)
    assert words(fleet(campaign, queue).submit()) == ["queued", "queued"]
    queue.there.clear()
    assert words(fleet(campaign, queue, 60.0).submit()) == ["awaited", "awaited"]
    assert len(queue.submitted) == 2


def test_a_cancelled_job_counts_from_the_beginning(campaign: Campaign, queue: Queue) -> None:
    fleet(campaign, queue).submit()
    assert fleet(campaign, queue).cancel() == list(jobs(campaign))
    states = fleet(campaign, queue, 60.0).states()
    assert words(states) == ["open", "open"]
    assert states[0].submissions == 0


def test_a_torn_line_of_events_is_left_out(campaign: Campaign, queue: Queue) -> None:
    fleet(campaign, queue).submit()
    file = campaign.inbox_folder / ".campaigns" / campaign.name / "events.jsonl"
    file.write_bytes(file.read_bytes() + b'\n{"key": "0')
    assert words(fleet(campaign, queue).submit()) == ["queued", "queued"]
    fleet(campaign, queue).cancel()
    assert words(fleet(campaign, queue, 60.0).states()) == ["open", "open"]


def test_collecting_twice_changes_nothing_and_never_replaces_another_run(
    campaign: Campaign, queue: Queue, tmp_path: Path
) -> None:
    for job in jobs(campaign).values():
        home(campaign, job)
    results = tmp_path / "results"
    # both runs have the same name and box here, and only one of them may have the place
    with pytest.raises(RunFailed, match="another run is there already"):
        fleet(campaign, queue).collect(results)
    one = only_the_first(campaign)
    made = fleet(one, queue).collect(results)
    assert made == fleet(one, queue).collect(results)


def test_two_collectors_at_once_make_one_result(
    campaign: Campaign, queue: Queue, tmp_path: Path
) -> None:
    only = only_the_first(campaign)
    home(only, next(iter(jobs(only).values())))
    results = tmp_path / "results"
    other: list[str] = []
    first = Fleet(only, queue, lambda _text: None)
    second = Fleet(only, queue, other.append)
    with ThreadPoolExecutor(1) as pool, first._alone():
        late = pool.submit(second.collect, results)
        patience.until(lambda: other, lambda: not late.done())
        assert not results.exists()
    assert late.result() == first.collect(results)
    assert "waiting for process" in other[0]
