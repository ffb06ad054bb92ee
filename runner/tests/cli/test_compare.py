"""Two runs set against each other, in the words of the command and of the page."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import msgspec
import pytest
import report_runs
from click.testing import CliRunner

from corobench.cli import main, report
from corobench.cli import report as cli
from corobench.report.build import STAMP
from corobench.report.exports import NO_CLAIMS, markdown
from corobench.report.pages import compare as page
from corobench.report.pages.reference import SCHEMAS, write_data
from corobench.report.runs import read_sealed, seal_of, sealed
from corobench.results import log
from corobench.statistics.compare import compare
from corobench.statistics.types import Change, Difference, RunComparison, Verdict


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("results")
    slow = {("switch", "uvloop"): 1.3}
    report_runs.write(made / "box/1", blocks=9, seed=1, workloads=["switch"])
    report_runs.write(
        made / "box/2",
        blocks=9,
        seed=2,
        workloads=["switch"],
        slow=slow,
        created="2025-03-02T10:00:00+00:00",
    )
    report_runs.write(made / "box/3", blocks=3, seed=3, workloads=["switch"], profile="quick")
    report_runs.write(made / "other/1", blocks=9, seed=4, workloads=["switch"], slow=slow)
    return made


def found(results: Path, before: str, after: str) -> RunComparison:
    return compare(log.read(results / "box" / before), log.read(results / "box" / after))


def verdicts(base: RunComparison, *wanted: Verdict) -> RunComparison:
    changes: list[Change] = [
        msgspec.structs.replace(base.changes[0], verdict=verdict, regression=verdict == "higher")
        for verdict in wanted
    ]
    return msgspec.structs.replace(base, changes=changes)


def test_a_planted_change_is_told_with_three_digits_at_most(results: Path) -> None:
    text = markdown.comparison_markdown(found(results, "1", "2"))
    rows = [line for line in text.splitlines() if line.startswith("| switch/") and "uvloop" in line]
    assert rows
    assert all("**higher** (regression)" in row for row in rows)
    assert all(
        len(part.strip(" ().").replace(".", "").lstrip("0")) <= 3
        for row in rows
        for part in row.split("|")[4].split("(")[:1]
    )
    assert NO_CLAIMS not in text


def status(*words: str) -> int:
    """How `corobench compare` ends."""
    with pytest.raises(SystemExit) as ended:
        main(["compare", *words])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.mark.parametrize(
    ("before", "after", "options", "expected"),
    [
        ("box/1", "box/2", [], 3),
        ("box/1", "box/2", ["--json"], 3),
        ("box/1", "box/2", ["--threshold", "50%"], 0),
        ("box/2", "box/1", [], 0),
        ("box/1", "box/1", [], 0),
        ("box/1", "box/3", [], 0),
        ("box/1", "other/1", [], 0),
        ("box/1", "box/2", ["--threshold", "0%"], 2),
        ("box/1", "box/2", ["--threshold", "much"], 2),
    ],
)
def test_the_exit_status_is_3_where_something_became_worse_by_over_the_threshold(
    results: Path, before: str, after: str, options: list[str], expected: int
) -> None:
    """Not where it became better, where nothing is claimed, or on another box."""
    assert status(str(results / before), str(results / after), *options) == expected


def test_json_and_markdown_are_of_the_same_comparison(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [str(results / "box" / name) for name in ("1", "2")]
    base = found(results, "1", "2")
    status(*runs, "--json")
    assert msgspec.json.decode(capsys.readouterr().out, type=RunComparison) == base
    status(*runs)
    assert capsys.readouterr().out == markdown.comparison_markdown(base) + "\n"


def test_a_comparison_with_a_quick_run_says_so_everywhere(results: Path, tmp_path: Path) -> None:
    quick = found(results, "1", "3")
    assert not quick.claims
    assert NO_CLAIMS in markdown.comparison_markdown(quick)
    write_data([], tmp_path)
    schema = msgspec.json.decode((tmp_path / "data/compare.schema.json").read_bytes())
    told = msgspec.json.decode(msgspec.json.encode(quick))
    jsonschema.validate(told, schema)
    assert told["claims"] is False
    assert set(SCHEMAS) == {file.name for file in (tmp_path / "data").glob("*.schema.json")}
    runs = msgspec.json.decode((tmp_path / "data/runs.json").read_bytes())
    jsonschema.validate(
        runs, msgspec.json.decode((tmp_path / "data/runs.schema.json").read_bytes())
    )


def test_the_sentence_counts_nothing_that_is_not_there(results: Path) -> None:
    base = found(results, "1", "2")
    assert page.sentence(verdicts(base, "not comparable", "not comparable")) == (
        "None of the 2 numbers that both runs have can be compared; each one's reason is "
        "in the table."
    )
    assert page.sentence(verdicts(base, "equal", "equal", "inconclusive")) == (
        "No number changed beyond chance: of 3, 2 stayed the same and 1 can't be told either way."
    )
    assert page.sentence(verdicts(base, "inconclusive", "not comparable")) == (
        "Nothing can be said of any of the 2 numbers: 1 can't be told either way; 1 can't be "
        "compared, each with its reason."
    )
    assert page.sentence(verdicts(base, "inconclusive", "inconclusive")) == (
        "Nothing can be said of any of the 2 numbers: 2 can't be told either way."
    )
    assert page.sentence(verdicts(base, "equal", "not comparable")) == (
        "No number changed beyond chance: of 2, 1 stayed the same; 1 can't be compared, each "
        "with its reason."
    )
    assert page.sentence(verdicts(base, "higher", "equal")) == (
        "1 of 2 numbers changed beyond chance, 1 of them worse by more than 5 %."
    )


def test_a_mapping_that_differs_is_told_key_by_key() -> None:
    one, two = "a" * 64, "b" * 64
    before, after = (
        f'{{"lock": "{lock}", "flags": "-O2", "names": ["x", "y"]}}' for lock in (one, two)
    )
    differences = [
        Difference(key="go.hashes", before=before, after=after, kind="intended"),
        Difference(key="go.env", before="(absent)", after='{"GOGC": "off"}', kind="intended"),
        Difference(key="commit", before="abc", after="def", kind="intended"),
        Difference(key="note", before="{not JSON", after="[nor this", kind="confounding"),
    ]
    assert [(d.key, d.before, d.after) for d in markdown.split(differences)] == [
        ("go.hashes.lock", "a" * 12 + "…", "b" * 12 + "…"),
        ("go.env.GOGC", "(absent)", "off"),
        ("commit", "abc", "def"),
        ("note", "{not JSON", "[nor this"),
    ]


def test_a_site_elsewhere_leaves_nothing_beside_it(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, out = tmp_path / "checkout", tmp_path / "elsewhere/site"
    report_runs.write(root / "results/box/1", blocks=1, profile="smoke", workloads=["switch"])
    monkeypatch.setattr(report, "find_results", lambda _named: root / "results")
    done = CliRunner().invoke(cli.report_command, ["--out", str(out)], standalone_mode=False)
    assert done.exception is None
    assert [path.name for path in out.parent.iterdir()] == ["site"]
    assert (root / "results/.report-cache").is_dir()


def test_publishing_looks_at_nothing_but_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages and summaries of before, whoever made them, change nothing of a site."""
    results = tmp_path / "results"
    report_runs.write(results / "box/1", blocks=1, profile="smoke", workloads=["switch"])
    monkeypatch.setattr(report, "find_results", lambda _named: results)
    monkeypatch.setattr(report, "checkout", lambda: None)
    monkeypatch.setattr(report, "_problems", lambda _history, _folder: [])

    def published() -> dict[str, bytes]:
        done = CliRunner().invoke(cli.publish_command, [], standalone_mode=False)
        assert (done.exception, done.return_value) == (None, 0)
        site = results / "site"
        return {
            str(file.relative_to(site)): file.read_bytes()
            for file in site.rglob("*")
            if file.is_file() and file.name != STAMP
        }

    first = published()
    assert not (results / ".report-cache").exists()
    CliRunner().invoke(cli.report_command, [], standalone_mode=False)
    (summary,) = (results / ".report-cache").glob("*.summary.json")
    seal = seal_of(summary.parent)
    told = read_sealed(seal, summary)
    assert told is not None
    # even a summary that this checkout believes
    summary.write_bytes(sealed(seal, summary.name, told.replace(b'"center":', b'"center":9')))
    (results / "site/evil.js").write_text("alert(1)")
    assert published() == first
