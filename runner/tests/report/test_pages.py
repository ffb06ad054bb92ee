"""What the pages promise, each held by a real browser that opens the site from a folder.

What they promise elsewhere is held by: test_answer (the sentence, no claims), test_build_site
(matrix, notes, colours, every chart with its numbers, history), test_scenarios (the charts of a
workload), test_axes (axes, marks, digits), test_units (no more digits than the interval supports),
test_pages_controls (controls, keyboard, URL), test_exports.
"""

from __future__ import annotations

import gzip
import html
import json
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import (
    BROKEN,
    LAPTOP,
    OF_COLOUR,
    PHONE,
    PRUNE,
    artefacts,
    page_of,
    unfold,
    violations,
    visit,
    window,
)
from playwright.sync_api import Browser

MOST_WORDS = 150  # before the first picture
MAIN = "runs/testbox/2025-03-01-main/"
OVERFLOWS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Elements outside of a scrolling box of a table that are wider than the window.
SIDEWAYS = """() => [...document.querySelectorAll('body *')].filter(e => {
  const style = getComputedStyle(e);
  return ['auto', 'scroll'].includes(style.overflowX) && e.scrollWidth > e.clientWidth + 1 && !e.matches('.scroll, .interactive');
}).map(e => e.tagName + '.' + e.className)"""


def pages(site_folder: Path) -> list[Path]:
    return sorted(site_folder.rglob("*.html"))


def one_of_each(site_folder: Path) -> list[Path]:
    """Every kind of page once."""
    pair = next(site_folder.glob("compare/*/*/index.html"))
    names = [
        "index",
        "compare",
        "boxes",
        "findings",
        "history",
        "history/switch",
        "pairs/uvloop-or-asyncio",
        "runtimes",
        "runtimes/asyncio",
    ]
    names += ["method", "notes", "data"]
    return [
        *(site_folder / f"{name}.html" for name in names),
        site_folder / MAIN / "cells.html",
        site_folder / MAIN / "normalised.html",
        pair,
        site_folder / "runs/testbox/2025-03-02-quick/index.html",
    ]


@pytest.mark.parametrize("viewport", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_pages_open_from_a_folder_offline_and_scroll_only_tables(
    site_folder: Path, browser: Browser, viewport: dict[str, int]
) -> None:
    with window(browser, offline=True, viewport=viewport) as page:
        for path in {*one_of_each(site_folder), *hostile_pages(site_folder)}:
            visit(page, path)
            assert all(url.startswith(("file:", "data:")) for url in page.requests), (
                path,
                page.requests,
            )
            assert page.troubles == [], path
            assert page.locator("h1").count() == 1, path
            assert page.evaluate(OVERFLOWS) <= 0, path
            assert page.evaluate(SIDEWAYS) == [], path


def test_every_relative_link_and_anchor_leads_somewhere(site_folder: Path) -> None:
    text = {path.resolve(): path.read_text() for path in pages(site_folder)}
    ids = {path: set(re.findall(r'\bid="([^"]+)"', content)) for path, content in text.items()}
    links = [
        (path, html.unescape(href))
        for path, content in text.items()
        for href in re.findall(r'<a [^>]*href="([^"]+)"', content)
    ]
    assert len(links) > 1000
    for path, href in links:
        parts = urlsplit(href)
        if parts.scheme:
            assert not href.startswith("javascript:"), path
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        assert target.is_file(), f"{path}: {href}"
        if parts.fragment and target in ids:
            assert parts.fragment in ids[target], f"{path}: {href}"


def test_first_page_weighs_under_350_kb_compressed(site_folder: Path, browser: Browser) -> None:
    with page_of(browser, site_folder / "index.html") as page:
        files = {Path(urlsplit(url).path) for url in page.requests if url.startswith("file:")}
    weight = sum(len(gzip.compress(file.read_bytes())) for file in files)
    assert weight < 350_000, f"{weight} bytes in {files}"


@pytest.mark.parametrize("viewport", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_three_questions_are_answered_in_the_first_screen(
    site_folder: Path, browser: Browser, viewport: dict[str, int]
) -> None:
    """Each with a sentence and its picture; on a phone, of the third the picture begins there."""
    with page_of(browser, site_folder / "index.html", viewport=viewport) as page:
        sentences, pictures = (
            page.locator(f".question-card {what}").all() for what in ("p:first-of-type", "svg")
        )
        assert len(sentences) == len(pictures) == 3
        for sentence, picture in zip(sentences, pictures, strict=True):
            assert re.search(r"\d", sentence.inner_text())
            said, drawn = sentence.bounding_box(), picture.bounding_box()
            assert said is not None
            assert drawn is not None
            assert said["y"] + said["height"] < viewport["height"]
            assert drawn["y"] < viewport["height"]
            if viewport == LAPTOP:
                assert drawn["y"] + drawn["height"] < viewport["height"]
            assert drawn["width"] / float(picture.get_attribute("width") or 0) > 0.95, "readable"
        if viewport == LAPTOP:
            box = page.locator("#matrix td[data-value]").first.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] < viewport["height"]


def test_few_words_stand_before_the_first_picture(site_folder: Path, browser: Browser) -> None:
    with page_of(browser, site_folder / "index.html") as page:
        words = page.evaluate(
            """() => {
              const range = document.createRange();
              range.setStart(document.getElementById('main'), 0);
              range.setEndBefore(document.querySelector('main svg'));
              return range.toString().split(/\\s+/).filter(Boolean).length;
            }"""
        )
        assert words <= MOST_WORDS


@pytest.mark.parametrize(
    ("viewport", "scheme"),
    [(LAPTOP, "light"), (LAPTOP, "dark"), (PHONE, "light"), (PHONE, "dark")],
    ids=["laptop-light", "laptop-dark", "phone-light", "phone-dark"],
)
def test_axe_finds_nothing(
    site_folder: Path, browser: Browser, viewport: dict[str, int], scheme: str
) -> None:
    """On the laptop every kind of page in both themes; on the phone those whose layout differs
    there. Whole in one view, of each kind of part one in the others.
    """
    looked_at = (
        one_of_each(site_folder)
        if viewport == LAPTOP
        else [
            site_folder / "index.html",
            site_folder / "runtimes/asyncio.html",
            site_folder / MAIN / "normalised.html",
        ]
    )
    with window(browser, color_scheme=scheme, viewport=viewport) as page:
        for path in looked_at:
            visit(page, path)
            # as it is when a reader gets there
            page.add_style_tag(content="* { content-visibility: visible !important }")
            unfold(page)
            if (viewport, scheme) != (LAPTOP, "light"):
                page.evaluate(PRUNE)
            assert violations(page, OF_COLOUR if scheme == "dark" else BROKEN) == [], path


def test_numbers_on_the_page_equal_the_summary(site_folder: Path, browser: Browser) -> None:
    summary = json.loads((site_folder / MAIN / "summary.json").read_text())
    cells = {
        "/".join(c[k] for k in ("workload", "point", "track", "runtime", "metric")): c
        for c in summary["cells"]
    }
    with page_of(browser, site_folder / MAIN / "index.html") as page:
        unfold(page)
        matrix = page.eval_on_selector_all(
            "#matrix td[data-value]", "es => es.map(e => [e.dataset.key, +e.dataset.value])"
        )
        tables = page.eval_on_selector_all(
            "table.cells td[data-figure]",
            "es => es.map(e => [e.closest('tr').dataset.key, e.dataset.figure, +e.dataset.value])",
        )
    assert len(matrix) > 50
    for key, value in matrix:
        assert value == cells[key]["median"]["center"]
    for key, figure, value in tables:
        found = cells[key]["median"] if figure == "median" else cells[key]["figures"][figure]
        assert value == found["center"]
    assert {key for key, figure, _ in tables if figure == "median"} == {
        k for k, c in cells.items() if c["median"]
    }


def test_failed_missing_and_untrusted_cells_are_drawn_with_their_reason(
    site_folder: Path, browser: Browser
) -> None:
    with page_of(browser, site_folder / MAIN / "index.html") as page:
        failed = page.locator("#matrix td.failed")
        assert failed.count() == 1
        assert "MemoryError" in (failed.get_attribute("title") or "")
        assert page.locator("#matrix td.gap").get_attribute("title") == "no program yet"
        assert page.locator("#matrix td.flagged .group").count() == 0
        assert "wide" in (page.locator("#matrix td.flagged").first.get_attribute("title") or "")
        note = failed.locator(".marks a").first.get_attribute("href") or ""
        assert "MemoryError" in (page.locator(note).text_content() or "")
        unfold(page)
        assert "exit status 1" in (
            page.locator("#chart-position--memory svg").first.text_content() or ""
        )
        assert "MemoryError" in (page.locator("#chart-position--memory table").text_content() or "")


def test_hostile_text_is_only_text(site_folder: Path, browser: Browser) -> None:
    hostile = hostile_pages(site_folder)
    assert len(hostile) == 3
    assert all(path.resolve().is_relative_to(site_folder.resolve()) for path in hostile)
    with window(browser) as page:
        for path in [*hostile, *one_of_each(site_folder)]:
            visit(page, path)
            assert page.evaluate("() => window.hacked") is None, path
            assert page.locator("main img").count() == 0, path
    with page_of(browser, hostile[1]) as page:
        assert "<script>window.hacked=1</script>" in page.locator("main").inner_text()
        assert "49" not in page.locator("main .where").first.inner_text()


def hostile_pages(site_folder: Path) -> list[Path]:
    return [
        path
        for path in pages(site_folder)
        if "runs" in path.parts and not {"testbox", "otherbox"} & set(path.parts)
    ]


def test_compare_filters_by_verdict_and_shows_the_planted_change(
    site_folder: Path, browser: Browser
) -> None:
    path = next(site_folder.glob("compare/testbox/*before--2025-03-01-main/index.html"))
    with page_of(browser, path, "?verdict=lower") as page:
        rows = page.eval_on_selector_all(
            "#changes tr[data-name]:not([hidden])",
            "rows => rows.map(r => [r.dataset.name, r.dataset.verdict])",
        )
        assert rows, "the planted change was not found"
        assert {tuple(row) for row in rows} == {("uvloop", "lower")}
        assert page.locator("figure.chart svg").count() >= 5


def test_compare_shows_first_what_changed_and_says_how_much_can_t_be_compared(
    site_folder: Path, browser: Browser
) -> None:
    path = next(site_folder.glob("compare/testbox/*before--2025-03-01-main/index.html"))
    with page_of(browser, path) as page:
        verdicts = page.eval_on_selector_all(
            "#changes tr[data-name]", "rows => rows.map(r => r.dataset.verdict)"
        )
        place = ["lower", "higher", "equal", "inconclusive", "not comparable"].index
        regressions = page.locator("#changes tr[data-name]", has_text="(regression)").count()
        told = verdicts[regressions:]
        assert told == sorted(told, key=place)
        assert (
            f"{verdicts.count('not comparable')} can't be compared"
            in page.locator("h1").inner_text()
        )
        verdict = page.locator("#changes td.verdict").first.bounding_box()
        assert verdict is not None
        assert verdict["x"] + verdict["width"] <= LAPTOP["width"]


def test_the_first_screen_says_why_numbers_are_grey(site_folder: Path, browser: Browser) -> None:
    with page_of(browser, site_folder / "index.html") as page:
        grey = page.locator("#matrix td.flagged").count()
        numbers = page.locator("#matrix td[data-value]").count()
        words = page.locator(".unranked")
        assert grey > 0
        assert f"{grey} of {numbers} numbers can't be ranked" in words.inner_text()
        assert "too noisy on this box to order: " in words.inner_text()
        box = words.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < LAPTOP["height"]
    with page_of(browser, site_folder / "runtimes/node.html") as page:
        styles = page.eval_on_selector_all(
            "tr.flagged td.value", "es => es.map(e => getComputedStyle(e).fontStyle)"
        )
        assert styles
        assert set(styles) == {"italic"}


def test_the_heads_of_the_matrix_begin_at_its_top(site_folder: Path, browser: Browser) -> None:
    with page_of(browser, site_folder / "index.html") as page:
        table = page.locator("#matrix").bounding_box()
        titles = [title.bounding_box() for title in page.locator("#matrix thead .sorter").all()]
        assert table is not None
        assert len(titles) > 5
        assert all(
            title is not None and title["y"] - table["y"] < title["height"] for title in titles
        )


@pytest.mark.parametrize("viewport", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_what_is_said_of_a_number_stands_below_it_within_sight(
    site_folder: Path, browser: Browser, viewport: dict[str, int]
) -> None:
    with page_of(browser, site_folder / "runtimes/node.html", viewport=viewport) as page:
        said = [text.bounding_box() for text in page.locator(".said div").all()]
        assert said
        assert all(
            text is not None and text["x"] + text["width"] <= viewport["width"] for text in said
        )
        sideways = (
            "tables => tables.filter(table => table.scrollWidth > table.clientWidth + 1).length"
        )
        assert (
            viewport == PHONE
            or page.eval_on_selector_all(".scroll:has(table.newest)", sideways) == 0
        )
        kinds = set(page.locator(".said .kind").all_inner_texts())
        assert kinds <= {"not ranked", "caution", "failed", "no number", "note"}


def test_findings_tell_each_outcome_first(site_folder: Path, browser: Browser) -> None:
    with page_of(browser, site_folder / "findings.html") as page:
        told = page.locator("main > ul li").all_inner_texts()
        outcomes = {text.split(": ")[0]: text.split(": ")[1] for text in told}
        assert len(told) == page.locator("section.family:not(#judged)").count() > 3
        assert outcomes["A planted claim, borne-out"].startswith("borne out where decided (1 of 2)")
        assert outcomes["A planted claim, contradicted"].startswith(
            "not borne out where decided (1 of 2)"
        )
        assert page.locator("table.plain tbody tr").count() == 4


def test_reads_without_scripts(site_folder: Path, browser: Browser) -> None:
    with page_of(browser, site_folder / "index.html", java_script_enabled=False) as page:
        assert page.locator("#matrix tr.runtime:visible").count() == 9
        assert page.locator("figure.chart svg:visible").count() == 7
        assert page.locator(".controls:visible, .theme:visible, button:visible").count() == 0, (
            "a control that does nothing"
        )
        page.locator("figure.chart details summary").first.click()
        assert page.locator("details[open] table").first.is_visible()


def test_every_svg_is_named_and_its_numbers_stand_in_a_table(
    site_folder: Path, browser: Browser
) -> None:
    unnamed = """() => [...document.querySelectorAll('figure.chart')].filter(f => {
      const svg = f.querySelector('svg');
      const named = svg.getAttribute('aria-labelledby').split(' ').every(id => document.getElementById(id).textContent);
      return svg.getAttribute('role') !== 'img' || !named || !f.querySelector('details tbody tr');
    }).map(f => f.id)"""
    doubled = """() => {
      const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
      return ids.filter((id, i) => ids.indexOf(id) !== i);
    }"""
    with window(browser) as page:
        for path in one_of_each(site_folder):
            visit(page, path)
            unfold(page)
            assert page.evaluate(unnamed) == [], path
            assert page.evaluate(doubled) == [], path


def test_the_interactive_chart_comes_from_local_files_only_when_asked(
    site_folder: Path, browser: Browser
) -> None:
    with page_of(browser, site_folder / MAIN / "index.html", offline=True) as page:
        assert not any("vega" in url for url in page.requests)
        figure = page.locator("#chart-curve--switch")
        toggle = figure.locator("button[data-do=toggle]")
        toggle.click()
        figure.locator(".drawing").wait_for(state="hidden")
        assert figure.locator(".interactive svg.marks").is_visible()
        assert any(url.endswith("assets/vega.js") for url in page.requests)
        assert all(url.startswith(("file:", "data:")) for url in page.requests)
        toggle.click()
        figure.locator(".drawing").wait_for()
        assert page.troubles == []


def test_an_interactive_chart_follows_the_theme(site_folder: Path, browser: Browser) -> None:
    with page_of(browser, site_folder / MAIN / "index.html", color_scheme="dark") as page:
        figure = page.locator("#chart-curve--switch")
        figure.locator("button[data-do=toggle]").click()
        figure.locator(".drawing").wait_for(state="hidden")
        words = figure.locator(".interactive svg text").first
        dark = words.evaluate("e => getComputedStyle(e).fill")
        page.locator("#theme").select_option("light")
        assert words.evaluate("e => getComputedStyle(e).fill") != dark
        assert [
            v["id"] for v in Axe().run(page, context="#chart-curve--switch").response["violations"]
        ] == []


def test_a_specification_can_be_kept(site_folder: Path, browser: Browser) -> None:
    with page_of(browser, site_folder / MAIN / "index.html", accept_downloads=True) as page:
        with page.expect_download() as download:
            page.locator("#chart-curve--switch button[data-do=keep]").click()
        spec = json.loads(Path(download.value.path()).read_text())
    assert spec["$schema"].endswith("v6.json")
    assert "2025-03-01-main" in spec["title"]["subtitle"]


def test_prints_everything_and_no_controls(site_folder: Path, browser: Browser) -> None:
    with page_of(browser, site_folder / "index.html", color_scheme="dark") as page:
        page.emulate_media(media="print", color_scheme="dark")
        assert (
            page.evaluate("() => getComputedStyle(document.body).backgroundColor")
            == "rgb(255, 255, 255)"
        )
        assert page.locator(".controls:visible, .tools:visible").count() == 0
        assert page.locator("#matrix tr.runtime:visible").count() == 9
        height = page.evaluate(
            "() => document.querySelector('figure.chart details "
            "table').getBoundingClientRect().height"
        )
        assert height > 50, "folded tables must be printed"
        pdf = page.pdf(path=str(artefacts() / "index.pdf"))
        assert pdf.startswith(b"%PDF")


def test_quick_runs_say_so_on_every_page_and_in_every_file(
    site_folder: Path, browser: Browser
) -> None:
    folder = site_folder / "runs/testbox/2025-03-02-quick"
    for name in ("index.html", "cells.html", "normalised.html"):
        with page_of(browser, folder / name) as page:
            assert "Quick run: no claims" in page.locator("[role=note]").inner_text()
            assert page.locator("#matrix .group, #matrix td.first").count() == 0
    assert json.loads((folder / "run.json").read_text())["claims"] is False, (
        "raw, so that no words are added to it"
    )
    files = [file for file in folder.iterdir() if file.suffix in (".json", ".csv", ".md", ".txt")]
    exports = [file for file in files if file.name != "run.json"]
    parts = [file for file in exports if file.name.startswith("csv--")]
    assert parts
    assert len(exports) == 3 + len(parts)
    for file in [*exports, *folder.glob("charts/*.svg"), *folder.glob("charts/*.js")]:
        assert "quick run: no claims" in file.read_text(), file


@pytest.mark.parametrize(
    ("name", "viewport", "scheme"),
    [("laptop", LAPTOP, "light"), ("laptop-dark", LAPTOP, "dark"), ("phone", PHONE, "light")],
)
def test_screenshots_for_a_person(
    site_folder: Path, browser: Browser, name: str, viewport: dict[str, int], scheme: str
) -> None:
    with window(browser, viewport=viewport, color_scheme=scheme) as page:
        for path in one_of_each(site_folder):
            shown = path.relative_to(site_folder).with_suffix("").as_posix().replace("/", "_")
            visit(page, path)
            target = artefacts() / f"{shown}.{name}.png"
            page.screenshot(path=str(target))
            assert target.stat().st_size > 5_000
