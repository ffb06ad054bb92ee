"""The method page tells every rule that keeps a number out of the groups, and cites each of its
sources.
"""

from __future__ import annotations

import re

import pytest

from corobench.report.pages.reference import SOURCES, write_method
from corobench.statistics.flags import WORDS

TOLD = {
    "few": "fewer than 9 invocations",
    "wide": "an interval wider than ±25 % (a caution from ±10 %)",
    "too fast": "a time in which no CPU runs the instructions that were counted",
    "other-cpu": "other programs used more than 0.1 cores in over 20 % of the invocations",
    "steal": "the hypervisor took more than 1 %",
    "drift": "drift over the run",
    "modes": "two modes",
    "not steady": "iterations that don't settle",
    "not linear": "a ladder that is not linear",
    "unfinished": "a ladder that lacks its upper end",
    "short": (
        "less than 20 ms of warm work in an invocation, iterations under 100 steps of the clock"
    ),
    "control": "an A/A control that failed",
    "no control": "or none with a 95 % interval",
    "failed": "failed or repeated invocations",
    "retried": "failed or repeated invocations",
    "steadiness": "steadiness that too few iterations can't show",
    "cross-check": "a cross-check that disagrees",
    "control flagged": "an A/A control that is itself flagged",
    "run control": "or that failed elsewhere in the run",
    "quota": "CPU quota",
    "plain call": "an operation no dearer than a plain call of its language",
    "untimed": "0.75 times as much time outside of what is timed as within",
    "alive": "grown by less than 0.3 times what so many parked tasks hold",
    "no ratio": "too few blocks with a ratio to the reference",
}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_method([], tmp_path_factory.mktemp("site")).read_text()


def test_every_flag_is_told(page: str) -> None:
    words = re.sub(r"<[^>]+>", "", page).replace("&#39;", "'")
    assert set(TOLD) == set(WORDS)
    assert [text for text in TOLD.values() if text not in words] == []


def test_every_source_is_cited_and_listed(page: str) -> None:
    for key in SOURCES:
        assert f'href="#source-{key}"' in page, key
        assert f'id="source-{key}"' in page, key


def test_each_part_of_the_method_has_its_place(page: str) -> None:
    titles = re.findall(r"<h3[^>]*>([^<]+)</h3>", page)
    assert {
        "Blocks",
        "Median and minimum",
        "Startup",
        "Memory",
        "Intervals",
        "Verdicts and groups",
        "Two runs",
    } <= set(titles)
