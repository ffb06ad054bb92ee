"""The site without a browser: what stands in it, what is remembered, what is chosen for the first
screen.
"""

from __future__ import annotations

import csv
import itertools
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import report_runs

from corobench.errors import UserError
from corobench.report import build, charts, headline, notes, render, reproduce, runs, tables, vega
from corobench.report.build import STAMP
from corobench.report.charts import base
from corobench.report.charts.curves import spread_out
from corobench.report.pages import history, reference
from corobench.report.runs import collect
from corobench.results import log
from corobench.statistics import estimates
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell, RunSummary


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("results") / "testbox" / "run"
    return report_runs.write(
        path, blocks=9, failing=[("memory", "gevent")], noisy=[("spawn", "node")]
    )


@pytest.fixture(scope="module")
def summary(folder: Path) -> RunSummary:
    return summarise(log.read(folder))


def test_a_server_is_told_with_the_versions_of_its_parts(summary: RunSummary) -> None:
    facts = next(one for one in summary.runtimes if one.name == "go-p1")
    parts = {"parts": "Falcon 4.4.0, gunicorn 27.0.1"}
    put_together = msgspec.structs.replace(
        facts, version="27.0.1", language_version="3.11", facts=parts
    )
    assert reference.version(put_together) == "Falcon 4.4.0, gunicorn 27.0.1"
    assert reference.version(msgspec.structs.replace(put_together, facts={})) == "27.0.1"
    told = {"version": "27.0.1", "language": "CPython", "language_version": "3.11", "facts": parts}
    assert ("Version", "Falcon 4.4.0, gunicorn 27.0.1 on CPython 3.11") in reproduce._facts(
        summary, told
    )


def files_of(site: Path) -> dict[Path, int]:
    return {file: file.stat().st_mtime_ns for file in site.rglob("*") if file.is_file()}


def test_a_second_build_makes_nothing_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results, out = folder.parents[1], tmp_path / "site"
    first = build.build(results, out)
    before = files_of(out)
    monkeypatch.setattr(vega, "begin", lambda *_: pytest.fail("drawn again"))
    monkeypatch.setattr(
        "corobench.report.runs.summarise_given", lambda _: pytest.fail("summarised again")
    )
    assert build.build(results, out) == first
    assert files_of(out) == before
    assert not any("<!-- chart" in page.read_text() for page in out.rglob("*.html")), (
        "each chart stands where it was to stand"
    )


def test_pages_of_a_run_are_kept_until_their_code_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results, out = tmp_path / "results", tmp_path / "site"
    report_runs.write(results / "box/a", profile="smoke", blocks=1)
    build.build(results, out)
    page = out / "runs/box/a/index.html"
    made = page.stat().st_mtime_ns
    report_runs.write(results / "box/b", profile="smoke", blocks=1, seed=2)
    build.build(results, out)
    assert page.stat().st_mtime_ns == made
    assert (out / "runs/box/b/index.html").is_file()
    monkeypatch.setattr(build, "report_digest", lambda: "other code")
    build.build(results, out)
    assert page.stat().st_mtime_ns > made


def test_a_summary_is_made_again_where_a_log_or_the_cache_changed(tmp_path: Path) -> None:
    results, cache = tmp_path / "results", tmp_path / "cache"
    made = report_runs.write(results / "box/a", profile="smoke", blocks=1)
    (first,) = collect(results, cache)
    known = first.summary
    first.kept.unlink()
    (again,) = collect(results, cache)
    assert (again.digest, again.summary) == (first.digest, known)
    log_file = made / "log.jsonl"
    log_file.write_text("".join(log_file.read_text().splitlines(keepends=True)[:-1]))
    (changed,) = collect(results, cache)
    assert changed.digest != first.digest


def spoilt(file: Path) -> None:
    """Doubles every median in a file of the memory, as an editor would."""
    seal, _, data = file.read_bytes().partition(b"\n")
    summary = json.loads(data)
    for cell in summary.get("cells", []):
        if cell["median"]:
            cell["median"]["center"] *= 10
    summary["commit"] = "forged"
    file.write_bytes(seal + b"\n" + json.dumps(summary).encode())


def test_a_forged_memory_changes_no_number(folder: Path, tmp_path: Path) -> None:
    results, cache = folder.parents[1], tmp_path / "cache"
    (first,) = collect(results, cache)
    known = first.summary
    for forge in (
        lambda: [spoilt(file) for file in cache.glob("*.json")],
        lambda: [file.write_bytes(b"") for file in cache.glob("*.json")],
        lambda: [file.write_bytes(file.read_bytes()[65:]) for file in cache.glob("*.json")],
        lambda: (cache / ".key").write_bytes(b"k" * 32),
    ):
        forge()
        (again,) = collect(results, cache)
        assert again.card == first.card
        runs._summary.cache_clear()
        assert again.summary == known
    # One that came with a clone: the same files, and another place on the disk.
    copied = tmp_path / "copied"
    shutil.copytree(cache, copied)
    assert runs.seal_of(copied) != runs.seal_of(cache)
    (elsewhere,) = collect(results, copied)
    assert elsewhere.card == first.card


def contents(site: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in site.rglob("*") if file.is_file()}


def test_what_is_planted_in_a_site_does_not_survive(tmp_path: Path) -> None:
    results, out = tmp_path / "results", tmp_path / "site"
    report_runs.write(results / "box/a", profile="smoke", blocks=1, workloads=["switch"])
    build.build(results, out)
    made, place = contents(out), next(out.glob("runs/*/*"))
    stamp = (place / STAMP).read_bytes()
    outside = tmp_path / "outside"
    outside.write_text("outside")

    def planted(file: Path, content: bytes) -> Callable[[], object]:
        return lambda: file.write_bytes(content)

    for plant in (
        planted(out / "evil.js", b"alert(1)"),
        planted(place / "evil.js", b"alert(1)"),
        planted(out / "assets/vega.js", b"alert(1)"),
        planted(place / "index.html", b"<script>alert(1)</script>"),
        planted(place / "csv.csv", b"forged"),
        planted(place / STAMP, stamp.replace(b"index.html", b"evil.html")),
        planted(out / STAMP, stamp),
        lambda: (place / "evil.js").symlink_to(outside),
        lambda: (tmp_path / ".site.new").symlink_to(tmp_path),
    ):
        plant()
        build.build(results, out)
        assert contents(out) == made
    assert outside.read_text() == "outside"


def test_each_part_of_a_page_has_its_numbers_and_notes(folder: Path, tmp_path: Path) -> None:
    build.build(folder.parents[1], tmp_path / "site")
    (entry,) = collect(folder.parents[1], tmp_path / "cache")
    place = tmp_path / "site" / entry.place

    def rows(name: str) -> list[dict[str, str]]:
        return list(csv.DictReader((place / name).read_text().splitlines()))

    page, whole = (place / "index.html").read_text(), rows("csv.csv")
    for workload in {row["workload"] for row in whole}:
        assert f'href="csv--{workload}.csv"' in page
        assert [row["median"] for row in rows(f"csv--{workload}.csv")] == [
            row["median"] for row in whole if row["workload"] == workload
        ]
    numbered = notes.number_notes(entry.summary).notes
    (spread,) = (
        note.number
        for note in numbered
        if (note.kind, note.text) == ("red", "too noisy on this box to order")
    )
    assert (
        f'<li><a href="#note-{spread}">{spread}</a> <span class="kind red">not ranked</span> '
        "too noisy on this box to order"
    ) in page
    assert "none that shares one is shown to differ from its best by more than delta" in page
    assert "; 0 of " in page
    assert "None of 1 cross-check was precise enough to compare." in page


def test_a_build_replaces_its_own_site_and_nothing_else(folder: Path, tmp_path: Path) -> None:
    results, out = folder.parents[1], tmp_path / "site"
    build.build(results, out)
    old = out / "history/charts/old.png"
    old.parent.mkdir(parents=True, exist_ok=True)
    old.write_text("x")
    (out / STAMP).write_text("corobench: a site of an older form\n")
    build.build(results, out)
    assert not old.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".report-cache", "site"], (
        "nothing is left beside it"
    )
    other = tmp_path / "a folder with other things"
    (other / "data").mkdir(parents=True)
    (other / "data/mine.csv").write_text("x")
    with pytest.raises(
        UserError, match="holds something else than a site of corobench; name an empty folder"
    ):
        build.build(results, other)
    assert (other / "data/mine.csv").is_file()
    with pytest.raises(UserError, match="is no folder"):
        build.build(results, other / "data/mine.csv")


def test_a_build_that_fails_leaves_the_site_as_it_was(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results, out = folder.parents[1], tmp_path / "site"
    build.build(results, out)
    before = files_of(out)
    monkeypatch.setattr(build, "report_digest", lambda: "other code")
    monkeypatch.setattr(vega, "page_script", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        build.build(results, out)
    assert files_of(out) == before


def test_what_a_single_run_can_t_show_is_not_drawn(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    build.build(folder.parents[1], out)
    assert not list(out.glob("history/*"))
    assert not list(out.glob("boxes/*"))
    assert "only one box" in (out / "boxes.html").read_text()


def test_pages_of_a_run_that_is_gone_are_removed(tmp_path: Path) -> None:
    results, out = tmp_path / "results", tmp_path / "site"
    for name in ("a", "b"):
        report_runs.write(results / "box" / name, profile="smoke", blocks=1, seed=ord(name))
    build.build(results, out)
    assert (out / "runs/box/a/index.html").is_file()
    assert len(list(out.glob("compare/*/*/index.html"))) == 1
    for file in (results / "box/a").iterdir():
        file.unlink()
    build.build(results, out)
    assert not (out / "runs/box/a").exists()
    assert (out / "runs/box/b/index.html").is_file()
    assert not list(out.glob("compare/*/*/index.html"))


def test_a_site_of_nothing_says_so(tmp_path: Path) -> None:
    build.build(tmp_path / "results", tmp_path / "site")
    assert "Nothing has been measured yet" in (tmp_path / "site/index.html").read_text()


def test_a_corrupt_run_is_an_error_with_its_place(tmp_path: Path) -> None:
    made = report_runs.write(tmp_path / "results/box/run", profile="smoke", blocks=1)
    (made / "log.jsonl").write_text('{"type":"control"\n')
    with pytest.raises(UserError, match=r"log\.jsonl:1: corrupt line"):
        build.build(tmp_path / "results", tmp_path / "site")


def test_the_headline_is_the_largest_usual_point_that_most_runtimes_share(
    summary: RunSummary,
) -> None:
    points = {c.workload: c.point for c in headline.columns(summary) if c.workload != "baseline"}
    assert points == {
        "startup": "mode=first-task",
        "spawn": "n=10000",
        "spawn-chain": "n=10000",
        "switch": "k=100,m=20",
        "hand-off": "m=500",
        "memory": "n=1000..100000",
    }
    assert [c.family for c in headline.columns(summary)][-1] == "baseline"


def cell(summary: RunSummary, **wanted: str) -> Cell:
    return next(c for c in summary.cells if all(getattr(c, k) == v for k, v in wanted.items()))


def test_a_point_that_few_runtimes_have_is_no_headline(summary: RunSummary) -> None:
    shared = [c for c in summary.cells if c.workload == "spawn" and c.metric == "time" and c.median]
    few = [c for c in shared if c.point != "n=10000" or c.runtime == "asyncio"]
    assert headline.usual_point(shared) == "n=10000"
    assert headline.usual_point(few) == "n=100000"


def test_ratios_of_the_matrix_are_paired_and_stay_on_their_track(summary: RunSummary) -> None:
    found = tables.make_matrix(summary, notes.number_notes(summary))
    place = {"workload": "switch", "point": "k=100,m=20", "metric": "time"}
    this, base = cell(summary, runtime="gevent", **place), cell(summary, runtime="uvloop", **place)
    expected = estimates.paired_ratio(estimates.log_ratios(this.samples, base.samples))
    shown = found.ratios["one-cpu/uvloop"][this.key]
    assert float(shown[0]) == pytest.approx(expected.center, rel=0.02)
    for baseline, ratios in found.ratios.items():
        assert all(f"/{baseline.split('/')[0]}/" in key for key in ratios)
    assert found.ratios["one-cpu/gevent"]["memory/n=1000..100000/one-cpu/asyncio/bytes"] == [
        "\N{EN DASH}",
        "no pair",
    ]


def test_notes_of_one_kind_share_a_number(summary: RunSummary) -> None:
    found = notes.number_notes(summary)
    assert [n.number for n in found.notes] == list(range(1, len(found.notes) + 1))
    wide = [n for n in found.notes if (n.kind, n.text) == ("red", "too noisy on this box to order")]
    assert len(wide) == 1
    assert wide[0].count == len(
        [c for c in summary.cells if any(f.name == "wide" and f.level == "red" for f in c.flags)]
    )
    key = cell(summary, workload="memory", runtime="gevent", metric="bytes").key
    assert "MemoryError" in next(n.text for n in found.notes if n.number in found.of_cell[key])


@pytest.mark.parametrize("count", [1, 8, 10, 25, 40])
def test_charts_tell_many_series_apart(count: int) -> None:
    """Of up to ten languages, with up to four runtimes each."""
    names = [f"runtime-{i}" for i in range(count)]
    colors = base.Palette(
        names=names,
        units=dict.fromkeys(names, "thread"),
        languages=dict(zip(names, itertools.cycle(base.LANGUAGES), strict=False)),
    )
    assert len({(colors.color(n), tuple(colors.dash(n))) for n in names}) == count


def test_labels_at_line_ends_do_not_overlap() -> None:
    places = spread_out([10, 11, 12, 100, 239, 240, 241], 13, 250)
    assert all(b - a >= 13 - 1e-9 for a, b in itertools.pairwise(places))
    assert places[0] >= 0
    assert places[-1] <= 250


@pytest.mark.parametrize("color", [*base.SERIES, *base.DARK_SERIES])
def test_series_hold_three_to_one_against_their_paper(color: str) -> None:
    """WCAG 2.2, 1.4.11."""
    paper = "#ffffff" if color in base.SERIES else "#14171b"
    assert _contrast(color, paper) >= 3


def test_the_style_sheet_has_the_colours_of_the_charts() -> None:
    sheet = (Path(build.__file__).parent / "assets/site.css").read_text()
    for place, (light, dark) in enumerate(zip(base.SERIES, base.DARK_SERIES, strict=True)):
        assert sheet.count(f"--series-{place}: {light};") == 1
        assert sheet.count(f"--series-{place}: {dark};") == 2
    for color, name in render.THEMED.items():
        # a chart has no paper of its own on a page
        of_page = name.removeprefix("chart-")
        assert sheet.count(f"--{of_page}: {base.DARK[color]};") == 2, name


def _contrast(one: str, other: str) -> float:
    def luminance(color: str) -> float:
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_every_workload_has_charts_and_every_chart_its_numbers(summary: RunSummary) -> None:
    colors = base.palette(summary)
    kinds = {}
    for workload in summary.workloads:
        column = headline.column(summary, workload)
        assert column
        made = list(charts.charts_of(summary, workload, column, colors))
        kinds[workload.name] = [chart.id.split("--")[0] for chart in made]
        for chart in made:
            assert chart.rows
            assert all(len(row) == len(chart.head) for row in chart.rows)
            assert "<text" in vega.draw(next(iter(chart.specs.values())))
    assert kinds["spawn"] == ["position", "spread", "curve"]
    assert kinds["memory"] == ["fit", "residual", "position"]
    assert kinds["startup"] == ["position", "spread"]


def test_a_downloaded_svg_is_complete_and_an_inline_one_follows_the_page(
    summary: RunSummary,
) -> None:
    workload = next(w for w in summary.workloads if w.name == "switch")
    column = headline.column(summary, workload)
    assert column
    chart = next(charts.charts_of(summary, workload, column, base.palette(summary)))
    svg = vega.draw(chart.specs["log"])
    whole, part = render.titled(svg, "T<1>", "S&2"), render.inline(svg, "x", "T<1>", "D&2")
    assert "var(" not in whole
    assert "T&lt;1&gt;" in whole
    assert "S&amp;2" in whole
    rust = base.LANGUAGES.index("Rust")
    assert f"var(--series-{rust})" in part
    assert 'role="img"' in part
    assert vega.png(whole).startswith(b"\x89PNG")


def test_history_is_cut_where_the_box_changed(tmp_path: Path) -> None:
    results = tmp_path / "results"
    for place, kernel in enumerate(["6.1", "6.1", "6.2"]):
        created = f"2025-0{place + 1}-01T10:00:00+00:00"
        report_runs.write(
            results / "box" / f"r{place}",
            blocks=3,
            runtimes=["asyncio", "go-p1"],
            created=created,
            box={"kernel": kernel},
        )
    entries = runs.collect(results, tmp_path / "cache")
    assert [[one.key for one in changed] for changed in history.changes(entries[::-1])] == [
        [],
        [],
        ["box.kernel"],
    ]


def test_a_page_that_is_shared_has_a_title_words_and_a_picture(tmp_path: Path) -> None:
    results, out = tmp_path / "results", tmp_path / "site"
    report_runs.write(results / "box" / "run", blocks=3)

    def told(address: str) -> dict[str, dict[str, str]]:
        build.build(results, out, address=address)
        pages = {file.relative_to(out).as_posix(): file.read_text() for file in out.rglob("*.html")}
        found = re.compile(
            r'<(?:meta (?:property|name)|link rel)="([a-z:]+)" (?:content|href)="([^"]*)"'
        )
        return {path: dict(found.findall(text)) for path, text in pages.items()}

    for path, meta in told("https://example.org/bench/").items():
        assert meta["canonical"] == f"https://example.org/bench/{path.removesuffix('index.html')}"
        assert meta["og:url"] == f"https://example.org/bench/{path}"
        assert len(meta["description"]) > 40
        assert meta["og:title"]
        picture = meta["og:image"].removeprefix("https://example.org/bench/")
        assert (out / picture).read_bytes().startswith(b"\x89PNG"), path
    assert (
        "What does a switch cost? From"
        in told("https://example.org/bench/")["index.html"]["og:description"]
    )
    moved = told("https://example.com")
    assert {meta["og:url"].partition(".org")[1] for meta in moved.values()} == {""}
    assert not any("canonical" in meta for meta in told("").values())
