"""A real browser for the tests of pages: Debian's Chromium or Playwright's own, without any
network.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from needed import missing
from patience import SECONDS
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from corobench.suite.load import load_suite
from corobench.toolchains.devtools import BROWSER
from corobench.toolchains.provision import helper
from corobench.toolchains.tools import Tool

ROOT = Path(__file__).resolve().parents[3]

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--disable-dev-shm-usage",  # a container's is small, and a page that doesn't fit crashes
]
TIMEOUT_MS = SECONDS * 1000
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Of what is in order axe would tell every element, too, with a selector that finds it: most of its
# time.
BROKEN = {
    "runOnly": {"type": "tag", "values": TAGS},
    "resultTypes": ["violations"],
    "selectors": False,
}
LAPTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


def executable() -> str | None:
    """The browser to use: the one that is named, that of the system or of .toolchain/; None for
    Playwright's own.
    """
    if named := os.environ.get(BROWSER):
        return named
    found = helper(load_suite(ROOT), "chromium", lambda _progress: None, fetch="never")
    return str(found.path) if isinstance(found, Tool) else None


@contextmanager
def open_browser() -> Iterator[Browser]:
    """A browser. Without one the tests fail in CI, and are skipped with what helps elsewhere."""
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(
                executable_path=executable(), args=ARGUMENTS, timeout=TIMEOUT_MS
            )
        except Error as error:
            helps = f"make test fetches one; or set {BROWSER}"
            missing(
                f"NO BROWSER: the result pages were not looked at; {helps} ({error.message[:200]})"
            )
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def page_of(browser: Browser, path: Path, query: str = "", **options: object) -> Iterator[Page]:
    """A page from a file in a window of its own: what it asked for is in `page.requests`, what went
    wrong in `page.troubles`.
    """
    with window(browser, **options) as page:
        visit(page, path, query)
        yield page


@contextmanager
def window(browser: Browser, **options: object) -> Iterator[Page]:
    """A window for pages that are only looked at, one after the other: to open it takes longer than
    to show a page.
    """
    context: BrowserContext = browser.new_context(**{"viewport": LAPTOP, **options})  # type: ignore[arg-type]
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    requests: list[str] = []
    troubles: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on(
        "console",
        lambda message: (
            troubles.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    page.__dict__.update(requests=requests, troubles=troubles)
    try:
        yield page
    finally:
        context.close()


def unfold(page: Page) -> None:
    """All of a page, as it is printed: what waits until a reader comes near or opens it, too."""
    page.evaluate("() => { dispatchEvent(new Event('beforeprint')) }")


def visit(page: Page, path: Path, query: str = "") -> None:
    """Shows another file in a window; what the one before asked for is forgotten, what went wrong
    is not.
    """
    page.requests.clear()  # type: ignore[attr-defined]
    page.goto(path.as_uri() + query)


# The rules that a colour can break: all else is the same in both themes.
OF_COLOUR: dict[str, Any] = {
    **BROKEN,
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
}
WITHOUT_COLOUR = {
    **BROKEN,
    "rules": {name: {"enabled": False} for name in OF_COLOUR["runOnly"]["values"]},
}
# What axe has seen once it need not see fifty times: most of its time goes into asking for each
# text what lies behind it.
PRUNE = """() => {
  document.querySelectorAll('details').forEach(d => d.open = true);
  for (const table of document.querySelectorAll('table')) [...table.tBodies].slice(2).forEach(body => body.remove());
  for (const body of document.querySelectorAll('tbody')) [...body.rows].slice(4).forEach(row => row.remove());
  for (const group of document.querySelectorAll('svg g')) [...group.children].slice(12).forEach(mark => mark.remove());
  const seen = {};
  for (const part of document.querySelectorAll('figure[data-chart], article.cell, .notes li')) {
    const kind = part.dataset.chart?.split('--')[0] ?? part.tagName;
    seen[kind] = (seen[kind] ?? 0) + 1;
    if (seen[kind] > 1) part.remove();
  }
}"""


def violations(page: Page, looked_for: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """What axe finds wrong with a page: its rules, each with the first elements that break it.
    `looked_for`: BROKEN is every rule; the other view of a theme or a width has the rest in common.
    """
    found = Axe().run(page, options=looked_for).response["violations"]
    return [(one["id"], [node["html"][:300] for node in one["nodes"]][:3]) for one in found]


def artefacts() -> Path:
    """Where screenshots are left for a person to look at."""
    folder = Path(os.environ.get("COROBENCH_ARTEFACTS") or Path(__file__).parents[1] / "artefacts")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
