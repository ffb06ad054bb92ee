"""The first number stands in the first screen, whatever a run makes its page say above it."""

from __future__ import annotations

import re
import shutil
from itertools import cycle
from pathlib import Path

import msgspec
import pytest
import scenario_runs
from browser import LAPTOP, PHONE, page_of
from planted import REPOSITORY
from playwright.sync_api import Browser

from corobench.report import view
from corobench.report.pages import run as run_page
from corobench.report.render import render
from corobench.results import log
from corobench.statistics.flags import WORDS
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell, Flag, RunSummary

UNRANKED = 8
WIDEST = 28  # characters of the longest name of a runtime here
WARNINGS = [
    f"cross-check of go-p1, switch k={k},m=500: go test -bench reads 1.38 times as much: testing "
    "collects before every sample, "
    "and the scavenger that the collection wakes waits by a timer."
    for k in (2, 100, 1000)
]
BOX = {
    "cpu": {
        "model": "Intel(R) Xeon(R) Platinum 8581C CPU @ 2.10GHz, of a name that goes on",
        "cpus": 128,
    },
    "kernel": "5.15.167.4-microsoft-standard-WSL2-with-a-suffix-of-its-own",
    "virtualisation": "microsoft",
    "warnings": [
        "virtual machine: a virtual machine (kvm), in a container (docker)",
        "2 CPUs are shared with other guests",
    ],
}
DOUBT = Flag(
    name="doubt",
    level="amber",
    text="the load generator was busy over 90 % of the time: it may be the limit",
)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> RunSummary:
    """Three times as many runtimes as there are, in spawn, switch, memory, timers and scenarios."""
    folder = (
        tmp_path_factory.mktemp("results")
        / "a-box-of-which-the-name-is-long"
        / "2026-11-24T095441-scenarios"
    )
    return summarise(log.read(scenario_runs.write(folder, blocks=9, copies=3, thin=True)))


def longest(summary: RunSummary) -> RunSummary:
    """The same with the longest names, the most that can be unranked, in doubt and warned of, and a
    box of many words.
    """
    text = msgspec.json.encode(summary).decode()
    names = {r.name: f"{r.name}-current-thread-selfwake"[:WIDEST] for r in summary.runtimes}
    renamed = re.sub(
        r'(?<=["/])([^"/]+)(?=["/])', lambda found: names.get(found[1], found[1]), text
    )
    made = msgspec.json.decode(renamed, type=RunSummary)
    reasons = cycle(
        Flag(name=name, level="red", text=words) for name, words in WORDS.items() if name != "few"
    )
    ends = unranked(made)
    cells = [
        msgspec.structs.replace(c, flags=[next(reasons), DOUBT] if c.runtime in ends else [DOUBT])
        for c in made.cells
    ]
    return many_columns(msgspec.structs.replace(made, cells=cells, warnings=WARNINGS, box=BOX))


def many_columns(summary: RunSummary) -> RunSummary:
    """With two more workloads in each family, so that its heads are the narrow ones of a wide
    table.
    """
    core = [w.name for w in summary.workloads if w.group == "core"]
    again = [
        msgspec.structs.replace(w, name=f"{w.name}-{place}", title=f"{w.title} with state")
        for place in (2, 3)
        for w in summary.workloads
        if w.name in core
    ]
    cells = [
        msgspec.structs.replace(c, workload=f"{c.workload}-{place}")
        for place in (2, 3)
        for c in summary.cells
        if c.workload in core
    ]
    return msgspec.structs.replace(
        summary, workloads=[*summary.workloads, *again], cells=[*summary.cells, *cells]
    )


def unranked(summary: RunSummary) -> set[str]:
    """Those that read lowest of one column: they are named as reading lower."""
    head = next(c for c in summary.cells if c.workload == "spawn" and c.median)
    column = [
        c
        for c in summary.cells
        if (c.workload, c.point, c.track, c.metric) == place(head) and c.median
    ]
    return {
        c.runtime
        for c in sorted(column, key=lambda c: c.median.center if c.median else 0.0)[:UNRANKED]
    }


def place(cell: Cell) -> tuple[str, str, str, str]:
    return cell.workload, cell.point, cell.track, cell.metric


def page_in(folder: Path, assets: Path, summary: RunSummary) -> Path:
    """The page of a run, without its charts."""
    shutil.copytree(assets, folder / "assets", dirs_exist_ok=True)
    shown = view.make_view(
        "a-box-of-which-the-name-is-long", "2026-11-24T095441-scenarios", summary, "head"
    )
    values = {**run_page.page_values(shown, {}, []), "base": "", "brief": False}
    file = folder / "runs" / "box" / "run" / "index.html"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(render("run.html.j2", depth=3, **values))
    return file


def published() -> RunSummary:
    """Of the newest default run in this repository."""
    return summarise(
        log.read(max(REPOSITORY.glob("results/*/*-default"), key=lambda folder: folder.name))
    )


@pytest.mark.parametrize("kind", ["claims", "quick", "others", "scenarios", "published"])
def test_the_first_number_is_in_the_first_screen_of_any_run(
    site_folder: Path, browser: Browser, tmp_path: Path, many: RunSummary, kind: str
) -> None:
    summary = published() if kind == "published" else made_up(many, kind)
    path = page_in(tmp_path, site_folder / "assets", summary)
    for viewport in (LAPTOP, PHONE):
        for scripts in (True, False):
            with page_of(browser, path, viewport=viewport, java_script_enabled=scripts) as page:
                sentence = page.locator(".question-card p").first
                assert any(map(str.isdigit, sentence.inner_text()))
                box = sentence.bounding_box()
                assert box is not None
                assert box["y"] + box["height"] < viewport["height"], (kind, viewport, scripts)
                assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("kind", ["claims", "quick", "others", "published"])
def test_the_first_multiple_is_in_the_first_screen_of_any_run(
    site_folder: Path, browser: Browser, tmp_path: Path, many: RunSummary, kind: str
) -> None:
    summary = published() if kind == "published" else made_up(many, kind)
    path = page_in(tmp_path, site_folder / "assets", summary).with_name("normalised.html")
    shown = view.make_view("a-box-of-which-the-name-is-long", "2026-11-24", summary, "head")
    path.write_bytes(run_page.normalised_page(shown))
    for viewport in (LAPTOP, PHONE):
        for scripts in (True, False):
            with page_of(browser, path, viewport=viewport, java_script_enabled=scripts) as page:
                box = page.locator(".heat td[data-key] .value").first.bounding_box()
                assert box is not None
                assert box["x"] + box["width"] < viewport["width"], (kind, viewport, scripts)
                assert box["y"] + box["height"] < viewport["height"], (kind, viewport, scripts)
                assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def made_up(many: RunSummary, kind: str) -> RunSummary:
    """All that can be told; without claims; of none of the families that the questions are about;
    of scenarios alone.
    """
    summary = longest(many)
    if kind == "quick":
        return msgspec.structs.replace(summary, claims=False, profile="quick")
    core, main = (
        {w.name for w in summary.workloads if w.group == "core"},
        {"spawn", "switch", "memory"},
    )
    left = {
        "claims": set(),
        "others": {name for name in core if name.partition("-")[0] in main},
        "scenarios": core,
    }[kind]
    kept = [w for w in summary.workloads if w.name not in left]
    return msgspec.structs.replace(
        summary, workloads=kept, cells=[c for c in summary.cells if c.workload not in left]
    )


def test_the_longest_run_says_as_much_as_can_be_said(many: RunSummary) -> None:
    """Else the page above would not be the longest."""
    assert len(run_page.all_warnings(longest(many))) == 5


def test_warnings_are_named_under_the_answer_and_told_below(
    site_folder: Path, browser: Browser, tmp_path: Path, many: RunSummary
) -> None:
    path = page_in(tmp_path, site_folder / "assets", longest(many))
    with page_of(browser, path) as page:
        where, below = (
            page.locator("main .where").inner_text(),
            page.locator("#warnings").text_content() or "",
        )
        assert "5 warnings: cross-check of go-p1, switch k=2,m=500; " in where
        assert "; 2 more" in where
        assert "scavenger" not in where
        for warning in [*WARNINGS, *BOX["warnings"]]:
            assert below.count(str(warning)) == 1
