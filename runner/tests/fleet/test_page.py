"""The page of a campaign: boxes as ratios to their own reference, what flips with the machine, and
what is missing.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
import report_runs
from browser import PHONE, page_of
from playwright.sync_api import Browser

from corobench.fleet.campaign import Collected, Record
from corobench.report import build

FLIPS = {"first": 0.5, "second": 2.0}  # of the one runtime whose order turns with the box


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = tmp_path_factory.mktemp("campaign") / "results"
    jobs = []
    for box, factor in FLIPS.items():
        report_runs.write(results / box / "one", slow={("spawn", "uvloop"): factor})
        jobs.append(collected(box, run=f"{box}/one"))
    jobs.append(collected("third", word="failed", reason="no fit box in 4 attempts: load: 9"))
    record = Record(title="Two <planted> boxes", commit="a" * 40, jobs=jobs)
    (results / "campaigns").mkdir()
    (results / "campaigns/planted.json").write_bytes(msgspec.json.encode(record))
    build.build(results, results.parent / "site")
    return results.parent / "site"


def collected(kind: str, run: str = "", word: str = "done", reason: str = "") -> Collected:
    return Collected(
        key="0" * 16,
        box_class=kind,
        selection={"profile": "default", "runtimes": ["asyncio", "go"]},
        repetition=1,
        word=word,
        run=run,
        reason=reason,
    )


def test_what_turns_and_what_is_missing_is_said(site: Path, browser: Browser) -> None:
    with page_of(browser, site / "campaigns/planted.html") as page:
        assert page.locator("h1").text_content() == "Two <planted> boxes"
        assert "2 of 3 runs, on 2 boxes" in page.locator("main").inner_text()
        flips = page.locator("#flips + p + .scroll tbody tr")
        rows = flips.all_text_contents()
        assert rows
        assert all("uvloop" in row for row in rows)
        assert all("lower" in row and "higher" in row for row in rows)
        runs = page.locator("#runs").locator("xpath=..").text_content() or ""
        assert "no fit box in 4 attempts" in runs
        link = page.locator("a", has_text="first/one").get_attribute("href")
        assert link is not None
        assert (site / "campaigns" / link).is_file()


def test_boxes_lead_there_and_a_phone_reads_it(site: Path, browser: Browser) -> None:
    with page_of(browser, site / "boxes.html", viewport=PHONE) as page:
        page.get_by_role("link", name="Two <planted> boxes").click()
        page.locator("#runs").wait_for()
        width = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(width) == 0


def test_another_record_makes_another_site(site: Path) -> None:
    file = site.parent / "results/campaigns/planted.json"
    file.write_bytes(file.read_bytes().replace(b"Two <planted>", b"Three <planted>"))
    build.build(site.parent / "results", site)
    assert re.search(
        "<h1>Three &lt;planted&gt; boxes</h1>", (site / "campaigns/planted.html").read_text()
    )
