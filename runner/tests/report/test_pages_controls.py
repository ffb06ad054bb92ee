"""Every control of the pages is real, works by keyboard, stands in the URL and changes no
number.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import report_runs
from browser import page_of
from playwright.sync_api import Browser, Locator, Page

from corobench.report import build
from corobench.report.charts import intervals

CONTROLS = {
    "q": "tokio", "rows": "single", "language": "Rust", "unit": "stackless task", "track": "one-cpu", "group": "2",
    "show": "ratio", "base": "one-cpu/uvloop", "scale": "linear", "theme": "dark",
}  # fmt: skip


def seen(page: Page) -> str:
    """What a reader sees of the matrix, the charts and the controls."""
    return str(
        page.evaluate(
            """() => JSON.stringify([
              document.getElementById('matrix').innerText, document.documentElement.dataset.theme ?? '',
              window.chartScale ?? '',
              [...document.querySelectorAll('[data-control]')].map(c => c.value),
              [...document.querySelectorAll('th[aria-sort]')].map(h => h.innerText + h.ariaSort)])"""
        )
    )


@pytest.mark.parametrize("name", list(CONTROLS))
def test_every_control_changes_the_view_and_stands_in_the_url(
    site_folder: Path, browser: Browser, name: str
) -> None:
    query = "?show=ratio" if name == "base" else ""
    with page_of(browser, site_folder / "index.html", query) as page:
        # those that a reader sees; what is chosen chart by chart is a field that nobody does
        controls = page.eval_on_selector_all(
            "[data-control]:not([type=hidden])", "es => es.map(e => e.dataset.control)"
        )
        assert set(controls) == set(CONTROLS), "a control without a round trip"
        before = seen(page)
        control = page.locator(f"[data-control={name}]")
        if name == "q":
            control.fill(CONTROLS[name])
        else:
            control.select_option(CONTROLS[name])
        after = seen(page)
        assert after != before
        query = "?" + urlsplit(page.url).query
        assert parse_qs(query[1:])[name] == [CONTROLS[name]]
    with page_of(browser, site_folder / "index.html", query) as page:
        assert seen(page) == after
        assert page.troubles == []


def test_all_controls_together_and_a_sort_are_restored_from_the_url(
    site_folder: Path, browser: Browser
) -> None:
    with page_of(browser, site_folder / "index.html") as page:
        for name, value in CONTROLS.items():
            control = page.locator(f"[data-control={name}]")
            control.fill(value) if name == "q" else control.select_option(value)
        page.locator("th[data-sort='2'] button").click()
        page.locator("th[data-sort='2'] button").click()
        after, query = seen(page), "?" + urlsplit(page.url).query
    assert set(parse_qs(query[1:])) == {*CONTROLS, "sort"}
    with page_of(browser, site_folder / "index.html", query) as page:
        assert seen(page) == after


def test_a_chart_is_drawn_in_the_chosen_scale_when_it_is_reached(
    site_folder: Path, browser: Browser
) -> None:
    with page_of(browser, site_folder / "index.html", "?scale=linear", offline=True) as page:
        figure = page.locator("figure[data-scales='log linear']").last
        assert figure.locator(".drawing").is_hidden() is False
        figure.scroll_into_view_if_needed()
        figure.locator(".drawing").wait_for(state="hidden")
        assert ", log" not in (figure.locator(".interactive svg").text_content() or "")
        page.locator("[data-control=scale]").select_option("")
        figure.locator(".drawing").wait_for()
        assert page.troubles == []


def test_a_chart_of_many_rows_fills_a_wide_window_and_fits_a_phone(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intervals, "MANY_ROWS", 5)
    report_runs.write(tmp_path / "testbox" / "run", blocks=9)
    build.build(tmp_path, tmp_path / "site", Path(__file__).parents[3])

    def width(figure: Locator, of: str) -> float:
        drawn = [one for one in figure.locator(f"{of} svg").all() if one.is_visible()]
        boxes = [one.bounding_box() for one in drawn]
        assert len(boxes) == 1
        assert boxes[0]
        return boxes[0]["width"]

    for window, least, most in ((1280, 900, 1160), (390, 300, 390)):
        viewport = {"width": window, "height": 844}
        for query, shown in (("", ".drawing"), ("?scale=linear", ".interactive")):
            index = tmp_path / "site" / "index.html"
            with page_of(browser, index, query, viewport=viewport) as page:
                figure = page.locator("figure.long[data-scales='log linear']").first
                figure.scroll_into_view_if_needed()
                figure.locator(f"{shown} svg").first.wait_for(state="attached")
                assert least < width(figure, shown) < most
                assert page.troubles == []


def test_controls_work_by_keyboard(site_folder: Path, browser: Browser) -> None:
    with page_of(browser, site_folder / "index.html") as page:
        page.locator("[data-control=rows]").focus()
        page.keyboard.press("P")
        languages = page.eval_on_selector_all(
            "#matrix tr.runtime:not([hidden])", "rows => rows.map(r => r.dataset.language)"
        )
        assert set(languages) == {"Python"}
        assert parse_qs(urlsplit(page.url).query)["rows"] == ["Python"]
        page.locator("[data-control=rows]").select_option("")
        head = page.locator("th[data-sort='1'] button")
        head.focus()
        page.keyboard.press("Enter")
        assert page.locator("th[data-sort='1']").get_attribute("aria-sort") == "ascending"
        assert in_order(page, 2)
        page.locator("[data-control=language]").focus()
        page.keyboard.press("G")
        names = page.eval_on_selector_all(
            "#matrix tr.runtime:not([hidden])", "rows => rows.map(r => r.dataset.name)"
        )
        assert names == ["go-p1", "go"]


def in_order(page: Page, column: int, sign: int = 1, shown: bool = False) -> bool:
    """Whether a column of the first track is sorted, ranked numbers before others; by what is
    shown, or by raw values.
    """
    cells = page.eval_on_selector_all(
        "#matrix tbody:nth-of-type(1) tr.runtime",
        f"""rows => rows.map(r => r.cells[{column}]).filter(c => c.dataset.value).map(c => [c.classList.contains('flagged'),
          {sign} * ({shown:d} ? c.querySelector('.value').innerText.replaceAll(',', '') : c.dataset.value)])""",
    )
    assert len(cells) > 3
    assert {flagged for flagged, _ in cells} == {True, False}, (
        "one that can't be ranked belongs to the question"
    )
    return bool(cells == sorted(cells))


def test_what_can_t_be_ranked_comes_after_what_can_in_either_direction(
    site_folder: Path, browser: Browser
) -> None:
    for query, sign, shown in (
        ("?sort=1:asc", 1, False),
        ("?sort=1:desc", -1, False),
        ("?sort=1:desc&show=ratio", -1, True),
    ):
        with page_of(browser, site_folder / "index.html", query) as page:
            assert in_order(page, 2, sign, shown), query


def test_choosing_a_baseline_shows_ratios_and_their_unit(
    site_folder: Path, browser: Browser
) -> None:
    with page_of(browser, site_folder / "index.html") as page:
        head = page.locator("#matrix thead th").nth(2)
        assert "a task" in head.inner_text()
        assert "median of invocations" in page.locator(".legend").inner_text()
        page.locator("[data-control=base]").select_option("one-cpu/uvloop")
        assert page.locator("[data-control=show]").input_value() == "ratio"
        assert parse_qs(urlsplit(page.url).query) == {"base": ["one-cpu/uvloop"], "show": ["ratio"]}
        assert "as a ratio" in head.inner_text()
        assert "a task" not in head.inner_text()
        assert "Ratios are medians" in page.locator(".legend").inner_text()
        page.locator("[data-control=show]").select_option("")
        assert "a task" in head.inner_text()


def test_presets_show_the_rows_that_they_name(site_folder: Path, browser: Browser) -> None:
    with page_of(browser, site_folder / "index.html", "?rows=Python") as page:
        names = page.eval_on_selector_all(
            "#matrix tr.runtime:not([hidden])", "rows => rows.map(r => r.dataset.name)"
        )
        assert set(names) == {"asyncio", "uvloop", "gevent"}
        rows = page.locator("[data-control=rows]")
        offered = rows.locator("optgroup option").all_inner_texts()
        assert len(offered) > 1, "each language of several runtimes"
        for language in offered:
            rows.select_option(language)
            assert parse_qs(urlsplit(page.url).query)["rows"] == [language]
            kinds = page.eval_on_selector_all(
                "#matrix tr.runtime:not([hidden])", "rows => rows.map(r => r.dataset.language)"
            )
            assert set(kinds) == {language}
        rows.select_option("single")
        shown = page.eval_on_selector_all(
            "#matrix tr.runtime:not([hidden])", "rows => rows.map(r => r.dataset.name)"
        )
        assert {"node", "go-p1"} <= set(shown)
        assert "go" not in shown


def test_a_mark_leads_to_its_note_and_unfolds_it(site_folder: Path, browser: Browser) -> None:
    with page_of(browser, site_folder / "index.html") as page:
        marks = page.locator("#matrix td.flagged .marks a")
        assert marks.first.get_attribute("href") == f"#note-{marks.first.inner_text()}"
        marks.first.click()
        assert page.locator(".notes li:target details").get_attribute("open") is not None


def test_hiding_rows_changes_no_number(site_folder: Path, browser: Browser) -> None:
    script = (
        "rows => Object.fromEntries(rows.map(r => [r.closest('tbody').dataset.track + "
        "r.dataset.name, r.innerText]))"
    )
    with page_of(browser, site_folder / "index.html") as page:
        full = page.eval_on_selector_all("#matrix tr.runtime", script)
        page.locator("[data-control=language]").select_option("Rust")
        some = page.eval_on_selector_all("#matrix tr.runtime:not([hidden])", script)
    assert len(some) == 3
    assert len(full) == 9
    assert all(full[name] == text for name, text in some.items())


def test_ratios_are_those_of_the_chosen_baseline_and_of_its_track_alone(
    site_folder: Path, browser: Browser
) -> None:
    with page_of(browser, site_folder / "index.html", "?show=ratio&base=one-cpu/uvloop") as page:
        shipped = page.evaluate("() => JSON.parse(document.getElementById('ratios').textContent)")
        ratios = shipped["one-cpu/uvloop"]
        shown = page.eval_on_selector_all(
            "#matrix tbody[data-track=one-cpu] td[data-value]",
            "es => es.map(e => [e.dataset.key, e.querySelector('.value').innerText])",
        )
        assert "ratios to go" in page.locator("tbody[data-track=all-cpus] .track").inner_text()
    assert all(text == ratios[key][0] for key, text in shown)
    assert all("/one-cpu/" in key for key in ratios)
    assert ratios["spawn/n=10000/one-cpu/uvloop/time"][0] == "1"


def test_an_unknown_value_in_the_url_is_forgotten(site_folder: Path, browser: Browser) -> None:
    with page_of(
        browser, site_folder / "index.html", "?language=Klingon&sort=99:asc&base=x/y&show=ratio"
    ) as page:
        assert page.locator("#matrix tr.runtime:not([hidden])").count() == 9
        assert page.troubles == []


def test_no_match_is_said(site_folder: Path, browser: Browser) -> None:
    with page_of(browser, site_folder / "index.html", "?q=nothing-like-it") as page:
        assert page.locator(".none-left").is_visible()
    with page_of(
        browser, next(site_folder.glob("compare/*/*/index.html")), "?q=nothing-like-it"
    ) as page:
        assert page.locator(".none-left").is_visible()
