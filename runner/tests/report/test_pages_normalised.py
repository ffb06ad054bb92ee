"""The page of multiples: its numbers are those that were shipped, whichever base is chosen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from browser import LAPTOP, PHONE, page_of
from playwright.sync_api import Browser, Page

from corobench.report import tables, units

MOST_WORDS = 60  # before the first table
MAIN = "runs/testbox/2025-03-01-main/"
CELLS = """cells => cells.map(cell => ({
  key: cell.dataset.key, track: cell.closest('tbody').dataset.track, kind: cell.className, title: cell.title,
  figure: cell.querySelector('.value').textContent, small: cell.querySelector('.interval').textContent,
  shade: +cell.dataset.shade, href: cell.querySelector('a').getAttribute('href')}))"""


def cells(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.eval_on_selector_all(".heat td[data-key]", CELLS)
    return found


def seen(page: Page) -> tuple[list[dict[str, Any]], list[str]]:
    """The cells, and what is said around them."""
    words = page.locator(".heat h2, .heat thead th, .doubts").all_inner_texts()
    return cells(page), words


@pytest.fixture(scope="module")
def path(site_folder: Path) -> Path:
    return site_folder / MAIN / "normalised.html"


def test_each_base_shows_the_ratios_of_the_run_and_their_shades(
    site_folder: Path, browser: Browser, path: Path
) -> None:
    text = (site_folder / MAIN / "index.html").read_text()
    ratios = json.loads(text.partition('id="ratios">')[2].partition("</script>")[0])
    with page_of(browser, path) as page:
        control = page.locator("[data-control=base]")
        bases = [
            value
            for value in control.locator("option").evaluate_all("es => es.map(e => e.value)")
            if value
        ]
        assert set(bases) == set(ratios)
        for base in bases:
            control.select_option(base)
            track, _, name = base.partition("/")
            shown = [cell for cell in cells(page) if cell["track"] == track]
            assert shown
            for cell in shown:
                figure, interval = ratios[base][cell["key"]]
                if cell["figure"] == "no base":
                    assert (figure, cell["small"]) == (units.NONE, "")
                    assert cell["title"].startswith("no base: ")
                    assert cell["kind"] == "flagged"
                else:
                    own = cell["key"].split("/")[-2] == name
                    assert (cell["figure"], cell["small"]) == (figure, "base" if own else interval)
                assert cell["shade"] == tables.shade(cell["figure"])
            assert (
                page.locator(f".heat[data-track={track}] tr.base").get_attribute("data-runtime")
                == name
            )
        assert page.troubles == []


def test_a_base_stands_in_the_url_and_is_restored(browser: Browser, path: Path) -> None:
    with page_of(browser, path) as page:
        before = cells(page)
        page.locator("[data-control=base]").select_option("one-cpu/uvloop")
        after = seen(page)
        query = urlsplit(page.url).query
        assert parse_qs(query) == {"base": ["one-cpu/uvloop"]}
        assert page.locator(".heat h2").first.inner_text() == "One CPU: multiples of uvloop"
        changed = {cell["track"] for cell, was in zip(after[0], before, strict=True) if cell != was}
        assert changed == {"one-cpu"}, "tracks are never compared"
    with page_of(browser, path, f"?{query}") as page:
        assert seen(page) == after
        page.locator("[data-control=base]").select_option("")
        assert cells(page) == before
        assert urlsplit(page.url).query == ""
        assert page.troubles == []
    with page_of(browser, path, "?base=one-cpu/klingon") as page:
        assert cells(page) == before
        assert page.troubles == []


def test_reads_the_same_without_scripts(browser: Browser, path: Path) -> None:
    with page_of(browser, path) as page:
        scripted = seen(page)
    with page_of(browser, path, java_script_enabled=False) as page:
        assert seen(page) == scripted
        assert page.locator("select:visible, form:visible").count() == 0


def test_gaps_failures_and_what_can_t_be_ranked_keep_their_reasons(
    browser: Browser, path: Path
) -> None:
    with page_of(browser, path) as page:
        failed, gap = page.locator(".heat td.failed"), page.locator(".heat td.gap")
        assert failed.count() == gap.count() == 1
        assert "MemoryError" in (failed.get_attribute("title") or "")
        assert gap.get_attribute("title") == "no program yet"
        assert "no program yet" in (gap.text_content() or "")
        noisy = page.locator("td[data-key^='spawn/'][data-key*='/one-cpu/node/']")
        assert noisy.get_attribute("class") == "flagged"
        assert "wide" in (noisy.get_attribute("title") or "")
        assert "not ranked: " in (noisy.text_content() or "")
        style = "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e.querySelector('.value')).fontStyle]"
        assert noisy.evaluate(style) == ["rgba(0, 0, 0, 0)", "italic"]
        rows = page.locator(".heat tbody tr").count()
        columns = page.locator(".heat").first.locator("thead th").count()
        assert page.locator(".heat tbody tr > *").count() == rows * columns


def test_a_column_without_a_base_says_so(browser: Browser, path: Path) -> None:
    with page_of(browser, path, "?base=one-cpu/gevent") as page:
        table = page.locator(".heat").first
        heads = table.locator("thead th").all_inner_texts()
        assert "no base" in next(head for head in heads if head.startswith("Memory"))
        told = table.locator(".doubts li:visible").all_inner_texts()
        assert any(text.startswith("Hand-off no base: no program yet") for text in told)
    with page_of(browser, path, "?base=one-cpu/node") as page:
        spawn = page.locator("td[data-key^='spawn/'][data-key*='/one-cpu/']")
        assert set(spawn.evaluate_all("es => es.map(e => e.className)")) == {"flagged"}
        assert all(
            "base not ranked: " in title
            for title in spawn.evaluate_all("es => es.map(e => e.title)")
        )


def test_each_number_leads_to_its_cell_and_each_row_names_its_unit(
    site_folder: Path, browser: Browser, path: Path
) -> None:
    matrix = "es => es.map(e => e.getAttribute('href'))"
    with page_of(browser, site_folder / MAIN / "index.html") as page:
        expected = page.eval_on_selector_all("#matrix td[data-value] a.value", matrix)
    with page_of(browser, path) as page:
        assert {cell["href"] for cell in cells(page)} == set(expected)
        rows = page.locator(".heat tbody th small").all_inner_texts()
        assert "Go · stackful task" in rows
        assert all(" · " in row for row in rows)


def test_few_words_stand_before_the_table(browser: Browser, path: Path) -> None:
    with page_of(browser, path) as page:
        words = page.locator(
            "#main > h1, #main > p:not(.heat ~ p), .heat:first-of-type h2"
        ).all_inner_texts()
        assert len(" ".join(words).split()) <= MOST_WORDS
        assert page.title() == "Every figure as a multiple of one base, 2025-03-01-main · corobench"


@pytest.mark.parametrize("viewport", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_pages_of_runs_and_the_first_page_lead_there(
    site_folder: Path, browser: Browser, viewport: dict[str, int]
) -> None:
    for name in ("index.html", f"{MAIN}index.html"):
        with page_of(browser, site_folder / name, viewport=viewport) as page:
            page.get_by_role("link", name="Normalised").click()
            assert page.url.endswith(f"{MAIN}normalised.html")


def test_prints_the_tables_and_no_control(browser: Browser, path: Path) -> None:
    with page_of(browser, path, color_scheme="dark") as page:
        page.emulate_media(media="print", color_scheme="dark")
        assert page.locator("select:visible").count() == 0
        assert page.locator(".heat td[data-key]:visible").count() == len(cells(page))
        # their end is on the paper
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
