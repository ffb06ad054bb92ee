"""The page of notes: what variants of one thing share stands once."""

from __future__ import annotations

from pathlib import Path

from browser import page_of
from playwright.sync_api import Browser

from corobench.report.pages import reference


def test_variants_are_told_of_together() -> None:
    told = {
        "pthread": ["a thread", "a yield"],
        "fiber": ["a fiber"],
        "pthread-limit": ["a thread", "a yield", "no queue"],
    }
    threads, fiber = reference.groups(told)
    assert [name for name, _ in threads.runtimes] == ["pthread", "pthread-limit"]
    assert threads.shared == ["a thread", "a yield"]
    assert threads.own == [("pthread-limit", ["no queue"])]
    assert (fiber.shared, fiber.own) == (["a fiber"], [])


def test_what_one_of_them_lacks_is_not_said_of_all() -> None:
    (both,) = reference.groups({"a": ["same", "more"], "b": ["same", "other"]})
    assert both.shared == ["same"]
    assert both.own == [("a", ["more"]), ("b", ["other"])]


def test_those_without_notes_are_not_one_thing() -> None:
    assert [len(group.runtimes) for group in reference.groups({"a": [], "b": []})] == [1, 1]


def test_every_note_and_runtime_stands_on_the_page(site_folder: Path, browser: Browser) -> None:
    with page_of(browser, site_folder / "notes.html") as page:
        names = page.locator("h3 a").all_inner_texts()
        assert {"asyncio", "uvloop", "gevent", "go", "node", "tokio-current-thread"} <= set(names)
        assert "a stack of its own: two system calls each." in page.locator("main").inner_text()
