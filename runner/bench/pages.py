"""What the result pages cost: weight and main-thread time of the first page, and time to make sites
of many runs.

    PYTHONPATH=src:tests/support python bench/pages.py [--runs 200] [--browser-runs 9]

The pages to beat, measured the same way: js-framework-benchmark, ClickBench and rustc-perf weigh
329 to 444 kB and take about 800 ms of the main thread.
"""

from __future__ import annotations

import argparse
import gzip
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

import report_runs
from browser import LAPTOP, PHONE, open_browser, page_of
from playwright.sync_api import Browser

from corobench.report import build
from corobench.report.build import STAMP

PUBLISHED = Path(__file__).resolve().parents[2] / "results/site"  # what `make publish` has made
SHAPE = "{:48} {:>12}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--cold", type=int, default=5, help="runs of the site that is made from nothing"
    )
    parser.add_argument("--runs", type=int, default=200, help="runs of the large site")
    parser.add_argument("--browser-runs", type=int, default=9, help="loads of each page")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        first = cold(Path(folder) / "cold", arguments.cold)
        with open_browser() as browser:
            for name, viewport in (("laptop", LAPTOP), ("phone", PHONE)):
                report_page(browser, first / "index.html", name, viewport, arguments.browser_runs)
            for page in published():
                name = page.relative_to(PUBLISHED).as_posix().removeprefix("runs/")
                report_page(
                    browser, page, f"published {name}"[-28:], LAPTOP, arguments.browser_runs
                )
        warm(Path(folder) / "warm", arguments.runs)
    return 0


def published() -> list[Path]:
    """The first page of the published runs' site, and the heaviest one of a run."""
    runs = sorted(PUBLISHED.glob("runs/*/*/index.html"), key=lambda path: path.stat().st_size)
    return [PUBLISHED / "index.html", *runs[-1:]] if runs else []


def cold(folder: Path, count: int) -> Path:
    """Runs of realistic size (default profile, 12 blocks), each with other numbers, and no memory
    of any.
    """
    results, out = folder / "results", folder / "site"
    made = [
        report_runs.write(results / "box" / f"run-{n}", seed=n, created=_created(n))
        for n in range(count)
    ]
    size = sum(file.stat().st_size for file in made[0].iterdir())
    say(
        f"{count} runs of {size / 1e6:.1f} MB, nothing remembered",
        timed(lambda: build.build(results, out)),
    )
    return out


def warm(folder: Path, count: int) -> None:
    """Many runs of one content under other names; what is measured is the second build, and one
    with a new run.
    """
    results, out = folder / "results", folder / "site"
    first = report_runs.write(results / "box" / "run-0", created=_created(0))
    for place in range(1, count):
        copy = results / "box" / f"run-{place}"
        copy.mkdir()
        (copy / "log.jsonl").hardlink_to(first / "log.jsonl")
        header = (first / "run.json").read_text().replace('"run-0"', f'"run-{place}"')
        (copy / "run.json").write_text(header.replace(_created(0), _created(place)))
    build.build(results, out)
    say(f"{count} runs, nothing changed", timed(lambda: build.build(results, out)))
    report_runs.write(results / "box" / "one-more", seed=count, created=_created(count))
    say(f"{count} runs and a new one", timed(lambda: build.build(results, out)))
    for stamp in [out / STAMP, *out.glob(f"runs/*/*/{STAMP}")]:
        stamp.write_bytes(b"of another form")
    say(f"{count + 1} runs, the pages' code changed", timed(lambda: build.build(results, out)))
    shutil.rmtree(out)
    say(f"{count + 1} runs, pages gone, memory kept", timed(lambda: build.build(results, out)))


def _created(place: int) -> str:
    return f"{2000 + place // 300}-{place // 25 % 12 + 1:02d}-{place % 25 + 1:02d}T10:00:00+00:00"


def report_page(
    browser: Browser, path: Path, name: str, viewport: dict[str, int], count: int
) -> None:
    """Prints the weight of everything that the page asks for, and the main thread's time until it
    is idle.
    """
    tasks, scripts, layouts, paints = [], [], [], []
    files: set[Path] = set()
    for _ in range(count):
        with page_of(browser, path, viewport=viewport) as page:
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable")
            page.reload(wait_until="networkidle")
            found = {
                m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]
            }
            tasks.append(found["TaskDuration"] * 1000)
            scripts.append(found["ScriptDuration"] * 1000)
            layouts.append((found["LayoutDuration"] + found["RecalcStyleDuration"]) * 1000)
            paints.append(
                page.evaluate(
                    "() => "
                    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"
                )
            )
            files |= {
                Path(unquote(urlsplit(url).path))
                for url in page.requests
                if url.startswith("file:")
            }
            nodes = found["Nodes"]
    say(
        f"{name}: compressed",
        f"{sum(len(gzip.compress(f.read_bytes())) for f in files) / 1000:.0f} kB",
    )
    for title, values in (
        ("main thread", tasks),
        ("of it scripts", scripts),
        ("of it style and layout", layouts),
        ("first paint", paints),
    ):
        say(
            f"{name}: {title} (median, range of {count})",
            f"{statistics.median(values):.0f} ms ({min(values):.0f}-{max(values):.0f})",
        )
    say(f"{name}: nodes", f"{nodes:.0f}")


def timed(work: object) -> str:
    assert callable(work)
    start = time.monotonic()
    work()
    return f"{time.monotonic() - start:.2f} s"


def say(name: str, value: str) -> None:
    sys.stdout.write(SHAPE.format(name, value) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
