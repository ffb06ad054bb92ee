"""What test_pages holds, held by what its site hasn't: every chart of the scenarios, forty
runtimes, and hostile names.

Also the cheap ones on the pages of real runs: of each profile the smallest that is published.
"""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import report_runs
import scenario_runs
from browser import (
    BROKEN,
    LAPTOP,
    OF_COLOUR,
    PHONE,
    PRUNE,
    WITHOUT_COLOUR,
    artefacts,
    page_of,
    unfold,
    violations,
    visit,
    window,
)
from playwright.sync_api import Browser, Page
from shared import made_once

from corobench.cli.report import committed
from corobench.report import build, units
from corobench.statistics.types import Estimate

ROOT = Path(__file__).resolve().parents[3]
HEAVIEST = 350_000
PAPER = {"width": 718, "height": 1000}  # what Chromium makes of A4 with its margins
KINDS = {
    "position",
    "spread",
    "curve",
    "fit",
    "residual",
    "multiples",
    "tradeoff",
    "heat",
    "percentiles",
    "histogram",
    "modes",
}
OVERFLOWS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
SIDEWAYS = """() => [...document.querySelectorAll('body *')].filter(e => {
  const style = getComputedStyle(e);
  return ['auto', 'scroll'].includes(style.overflowX) && e.scrollWidth > e.clientWidth + 1 && !e.matches('.scroll, .interactive');
}).map(e => e.tagName + '.' + e.className)"""
FOLLOWED = """id => {
  const figure = document.getElementById(id);
  figure.scrollIntoView();
  return figure.querySelector('.drawing').hidden;
}"""
CONTROLS = """() => [...document.querySelectorAll('a[href], button, select, input, summary, [tabindex="0"]')].filter(
  e => e.checkVisibility() && e.type !== 'hidden' && !e.closest('.hide')).length"""


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of scenarios, forty runtimes in the core workloads, two runs of a box for history, and
    a run of hostile names.
    """
    return made_once(tmp_path_factory, "wide", _wide) / "site"


def _wide(results: Path) -> None:
    scenario_runs.write(
        results / "widebox/2-all", blocks=2, profile="scenarios", copies=5, thin=True
    )
    for place in (1, 2):
        created = f"2025-0{place}-01T10:00:00+00:00"
        report_runs.write(
            results / f"widebox/{place}",
            blocks=9,
            seed=place,
            workloads=["spawn", "switch"],
            created=created,
        )
    report_runs.with_hostile_names(
        scenario_runs.write(results / "hostilebox/1", blocks=1, profile="quick")
    )
    build.build(results, results / "site")


def run_of(folder: Path, name: str) -> Path:
    return next(
        path.parent for path in folder.glob("runs/*/*/index.html") if name in path.parent.name
    )


def one_of_each(folder: Path) -> list[Path]:
    every = run_of(folder, "2-all")
    some = [
        "index",
        "boxes",
        "compare",
        "findings",
        "history",
        "history/switch",
        "pairs/uvloop-or-asyncio",
        "runtimes",
        "runtimes/go",
        "method",
        "notes",
        "data",
    ]
    pair = next(folder.glob("compare/*/*/index.html"))
    hostile = next(folder.glob("runs/hostilebox*/*/index.html")).parent
    pages = [
        every / "index.html",
        every / "cells.html",
        hostile / "index.html",
        hostile / "cells.html",
        pair,
    ]
    return [*(folder / f"{name}.html" for name in some), *pages]


def weight(page: Page) -> int:
    files = {Path(urlsplit(url).path) for url in page.requests if url.startswith("file:")}  # type: ignore[attr-defined]
    return sum(len(gzip.compress(file.read_bytes())) for file in files)


def test_every_kind_of_chart_is_there(wide: Path) -> None:
    page = (run_of(wide, "2-all") / "index.html").read_text()
    assert set(re.findall(r'id="chart-([a-z]+)--', page)) >= KINDS
    assert page.count('<tr class="runtime"') >= 40


@pytest.mark.parametrize("viewport", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_pages_open_offline_and_scroll_only_tables(
    wide: Path, browser: Browser, viewport: dict[str, int]
) -> None:
    with window(browser, offline=True, viewport=viewport) as page:
        for path in one_of_each(wide):
            visit(page, path)
            assert all(url.startswith(("file:", "data:")) for url in page.requests), path  # type: ignore[attr-defined]
            assert page.troubles == [], path  # type: ignore[attr-defined]
            assert page.evaluate(OVERFLOWS) <= 0, path
            assert page.evaluate(SIDEWAYS) == [], path
            assert page.evaluate("() => window.hacked") is None, path
            assert page.locator("main img, main script[src], main b.planted").count() == 0, path


@pytest.mark.parametrize("viewport", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_first_page_is_light_and_begins_with_a_number(
    wide: Path, browser: Browser, viewport: dict[str, int]
) -> None:
    with page_of(browser, wide / "index.html", viewport=viewport) as page:
        assert weight(page) < HEAVIEST
        box = page.locator(".question-card p").first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < viewport["height"]


@pytest.mark.parametrize(
    ("viewport", "scheme", "looked_for"),
    [
        (LAPTOP, "light", BROKEN),
        (LAPTOP, "dark", OF_COLOUR),
        (PHONE, "light", WITHOUT_COLOUR),
    ],
    ids=["laptop-light", "laptop-dark", "phone-light"],
)
def test_axe_finds_nothing(
    wide: Path,
    browser: Browser,
    viewport: dict[str, int],
    scheme: str,
    looked_for: dict[str, Any],
) -> None:
    """On the phone all but colours, which are those of the laptop."""
    with window(browser, color_scheme=scheme, viewport=viewport) as page:
        for path in one_of_each(wide):
            visit(page, path)
            page.add_style_tag(content="* { content-visibility: visible !important }")
            unfold(page)
            page.evaluate(PRUNE)
            assert violations(page, looked_for) == [], path


def test_numbers_that_a_reader_sees_are_those_of_the_summary(wide: Path, browser: Browser) -> None:
    """What is written, and not only what scripts read: with the digits that the interval supports,
    in the unit of the column.
    """
    folder = run_of(wide, "2-all")
    summary = json.loads((folder / "summary.json").read_text())
    cells = {
        "/".join(c[k] for k in ("workload", "point", "track", "runtime", "metric")): c
        for c in summary["cells"]
    }
    with page_of(browser, folder / "index.html", "?rows=all") as page:
        heads = page.eval_on_selector_all(
            "#matrix thead th",
            "es => es.map(e => e.querySelector('.unit')?.innerText.trim() ?? '')",
        )
        seen = page.eval_on_selector_all(
            "#matrix td[data-value]",
            "es => es.map(e => [e.dataset.key, e.cellIndex, ...['.value', '.interval'].map(s => "
            "e.querySelector(s).innerText)])",
        )
    assert len(seen) >= 100
    for key, place, value, interval in seen:
        typical = Estimate(**cells[key]["median"])
        factor = next(
            f for f, symbol in units._LADDERS[cells[key]["unit"]] if symbol == heads[place]
        )
        scale = units.Scale(factor, heads[place])
        assert (value, interval) == (
            units.show(typical, scale),
            units.show_interval(typical, scale),
        ), key


def test_reads_without_scripts_and_in_print(wide: Path, browser: Browser) -> None:
    path = run_of(wide, "2-all") / "index.html"
    with page_of(browser, path, java_script_enabled=False) as page:
        assert (
            page.locator("figure.chart svg:visible").count()
            == page.locator("figure.chart:visible").count()
            > 30
        )
        assert page.locator(".controls:visible, button:visible").count() == 0
    with page_of(browser, path, color_scheme="dark", viewport=PAPER) as page:
        page.emulate_media(media="print", color_scheme="dark")
        assert page.pdf(path=str(artefacts() / "scenarios.pdf")).startswith(b"%PDF")
        assert page.evaluate(OVERFLOWS) <= 0


@pytest.mark.parametrize("name", ["index.html", "history/switch.html", "compare"])
def test_every_control_is_reached_by_keyboard(wide: Path, browser: Browser, name: str) -> None:
    path = next(wide.glob("compare/*/*/index.html")) if name == "compare" else wide / name
    with page_of(browser, path) as page:
        wanted = page.evaluate(CONTROLS)
        page.evaluate("() => { window.reached = new Set() }")
        for _ in range(wanted + 5):
            page.keyboard.press("Tab")
            page.evaluate("() => { reached.add(document.activeElement) }")
        assert page.evaluate("() => reached.size") >= wanted


def test_a_case_of_the_history_stands_in_the_url(wide: Path, browser: Browser) -> None:
    with page_of(browser, wide / "history/switch.html") as page:
        shown = page.locator("[data-case]:visible").count()
        values = page.eval_on_selector_all(
            "[data-control=case] option", "es => es.map(e => e.value)"
        )
        assert len(values) > 3
        page.locator("[data-control=case]").select_option(values[1])
        chosen = page.eval_on_selector_all(
            "[data-case]:not([hidden])", "es => es.map(e => e.dataset.case)"
        )
        assert set(chosen) == {values[1]}
        assert len(chosen) < shown
        query = "?" + urlsplit(page.url).query
    with page_of(browser, wide / "history/switch.html", query) as page:
        assert (
            page.eval_on_selector_all(
                "[data-case]:not([hidden])", "es => es.map(e => e.dataset.case)"
            )
            == chosen
        )
        assert page.troubles == []  # type: ignore[attr-defined]


def test_filters_of_a_comparison_stand_in_the_url(wide: Path, browser: Browser) -> None:
    path = next(wide.glob("compare/*/*/index.html"))
    names = "rows => rows.map(r => r.dataset.name + r.dataset.key)"
    with page_of(browser, path) as page:
        page.locator("[data-control=q]").fill("go")
        page.locator("[data-control=track]").select_option("one-cpu")
        seen = page.eval_on_selector_all("#changes tr[data-name]:not([hidden])", names)
        query = "?" + urlsplit(page.url).query
    assert seen
    with page_of(browser, path, query) as page:
        assert page.eval_on_selector_all("#changes tr[data-name]:not([hidden])", names) == seen


MOST_NODES = 15_000
NODES = """() => {
  const walker = document.createTreeWalker(document);
  let nodes = 1;
  while (walker.nextNode()) nodes++;
  return nodes;
}"""


def test_what_nobody_looks_at_is_no_element_of_the_page(wide: Path, browser: Browser) -> None:
    """Tables, charts and notes wait as text until a reader comes near or opens them; a filter that
    was chosen before holds for them.
    """
    with window(browser) as page:
        for path in (wide / "index.html", run_of(wide, "2-all") / "index.html"):
            visit(page, path, "?language=Rust")
            assert page.evaluate(NODES) < MOST_NODES, path
        figure = page.locator("#chart-position--spawn")
        assert figure.locator("table").count() == 0
        figure.locator("summary").click()
        figure.locator("table").wait_for()
        page.locator("#timers").scroll_into_view_if_needed()
        page.locator("#timers .drawing svg").first.wait_for()
        page.locator("#switch .scroll.later").first.scroll_into_view_if_needed()
        table = page.locator("#switch table.cells").first
        table.wait_for()
        languages = {
            row.get_attribute("data-language")
            for row in table.locator("tr[data-name]:not([hidden])").all()
        }
        assert languages == {"Rust"}
        unfold(page)
        assert page.evaluate(NODES) > MOST_NODES
        assert page.locator("noscript").count() == 0
        assert page.troubles == []  # type: ignore[attr-defined]


def test_a_link_leads_to_what_still_waits(wide: Path, browser: Browser) -> None:
    """A chart that is folded away with others has an address all the same."""
    path = run_of(wide, "2-all") / "index.html"
    waiting = re.findall(r"<noscript>.*?</noscript>", path.read_text("utf-8"), re.DOTALL)
    chart = next(found for text in waiting for found in re.findall(r'id="(chart-[\w-]+)"', text))
    with window(browser) as page:
        visit(page, path, f"#{chart}")
        figure = page.locator(f"#{chart}")
        figure.wait_for()
        page.wait_for_function(
            "e => e.getBoundingClientRect().top >= 0 && e.getBoundingClientRect().top < innerHeight",
            arg=figure.element_handle(),
            timeout=30_000,
        )
        assert page.troubles == []  # type: ignore[attr-defined]


def test_an_interactive_chart_stands_in_the_url(wide: Path, browser: Browser) -> None:
    path = run_of(wide, "2-all") / "index.html"
    with page_of(browser, path) as page:
        page.locator("#chart-curve--switch button[data-do=toggle]").click()
        query = "?" + urlsplit(page.url).query
    assert query == "?interactive=curve--switch"
    with page_of(browser, path, query + ",no-chart-of-this-name") as page:
        figure = page.locator("#chart-curve--switch")
        # What is above is laid out when it comes near, and moves the figure: a reader follows it.
        page.wait_for_function(FOLLOWED, arg="chart-curve--switch")
        assert figure.locator("button[data-do=toggle]").inner_text() == "As printed"
        assert page.troubles == []  # type: ignore[attr-defined]


def test_a_picture_is_made_in_the_page(wide: Path, browser: Browser) -> None:
    with page_of(
        browser,
        run_of(wide, "2-all") / "index.html",
        offline=True,
        color_scheme="dark",
        accept_downloads=True,
    ) as page:
        with page.expect_download() as download:
            page.locator("#chart-curve--switch button[data-do=png]").click()
        kept = artefacts() / "curve--switch.png"
        download.value.save_as(kept)
        assert download.value.suggested_filename == "curve--switch.png"
        assert page.troubles == []  # type: ignore[attr-defined]
    data = kept.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20]) > 900, "at twice the size"


@pytest.mark.parametrize(
    ("viewport", "scheme", "name"),
    [(LAPTOP, "light", "laptop-light"), (PHONE, "dark", "phone-dark")],
    ids=["laptop-light", "phone-dark"],
)
def test_screenshots_of_whole_pages_for_a_person(
    wide: Path, browser: Browser, viewport: dict[str, int], scheme: str, name: str
) -> None:
    with window(browser, viewport=viewport, color_scheme=scheme) as page:
        for path in one_of_each(wide):
            shown = path.relative_to(wide).with_suffix("").as_posix().replace("/", "_")[-60:]
            visit(page, path)
            target = artefacts() / f"wide.{shown}.{name}.png"
            page.screenshot(path=str(target), full_page=True)
            assert target.stat().st_size > 5_000


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a few published runs: of each profile the one with the smallest log."""
    return made_once(tmp_path_factory, "published", _published) / "site"


def _published(folder: Path) -> None:
    of_profile: dict[str, list[Path]] = {}
    for run in committed(ROOT):
        of_profile.setdefault(run.name.rsplit("-", 1)[-1], []).append(run)
    smallest = [
        min(runs, key=lambda run: sum(file.stat().st_size for file in run.iterdir()))
        for runs in of_profile.values()
    ]
    assert len(smallest) > 3, "this checkout brings no published runs"
    build.build(ROOT / "results", folder / "site", source_root=ROOT, only=smallest)


@pytest.mark.parametrize("viewport", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_pages_of_published_runs_hold_the_bars(
    published: Path, browser: Browser, viewport: dict[str, int]
) -> None:
    with window(browser, offline=True, viewport=viewport) as page:
        for path in [
            *sorted(published.glob("*.html")),
            *sorted(published.glob("runs/*/*/index.html")),
        ]:
            visit(page, path)
            assert all(url.startswith(("file:", "data:")) for url in page.requests), path  # type: ignore[attr-defined]
            assert page.troubles == [], path  # type: ignore[attr-defined]
            assert page.evaluate(OVERFLOWS) <= 0, path
            assert page.evaluate(SIDEWAYS) == [], path
            if path == published / "index.html":
                assert weight(page) < HEAVIEST
                box = page.locator(".question-card p").first.bounding_box()
                assert box is not None
                assert box["y"] + box["height"] < viewport["height"]
