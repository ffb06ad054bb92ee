"""Every export is read by its reader where that can be installed, and equals the summary."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import pyperf
import pytest
import report_runs
import scenario_runs
from needed import missing
from synthetic import cell

from corobench.errors import UserError
from corobench.report import exports
from corobench.report.exports import NO_CLAIMS
from corobench.report.pages.reference import SCHEMAS, write_data
from corobench.results import log
from corobench.statistics.summary import summarise
from corobench.statistics.types import Cell, RunSummary

Made = tuple[log.Run, RunSummary]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("results") / "testbox" / "run"
    run = log.read(
        report_runs.write(
            folder, blocks=9, failing=[("memory", "gevent")], noisy=[("spawn", "node")]
        )
    )
    return run, summarise(run)


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("results") / "testbox" / "run"
    run = log.read(
        report_runs.write(folder, blocks=3, profile="quick", hostile=report_runs.HOSTILE)
    )
    return run, summarise(run)


@pytest.fixture(scope="module")
def quick_scenario(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("results") / "testbox" / "run"
    run = log.read(scenario_runs.write(folder, blocks=3, profile="quick"))
    return run, summarise(run)


def numbers(summary: RunSummary) -> list[Cell]:
    return [c for c in summary.cells if c.median]


def test_the_files_are_the_registration() -> None:
    folder = Path(next(iter(exports.__path__)))
    modules = {
        function.function.__module__.rpartition(".")[2] for function in exports.EXPORTERS.values()
    }
    assert modules == {file.stem for file in folder.glob("*.py")} - {"__init__"}
    assert len(exports.EXPORTERS) > len(modules), "a module may have several"
    assert exports.exporter("csv").suffix == ".csv"
    with pytest.raises(UserError, match="did you mean 'gobench'"):
        exports.exporter("gobenhc")


@pytest.mark.parametrize("name", list(exports.EXPORTERS))
def test_a_run_without_claims_says_so_in_every_export(
    quick: Made, quick_scenario: Made, name: str
) -> None:
    """Also in those that hold only what should be high, of which the core workloads have
    nothing.
    """
    texts = [exports.exporter(name).export(*run) for run in (quick, quick_scenario)]
    assert any(NO_CLAIMS in text for text in texts)
    assert name.endswith("-bigger") or NO_CLAIMS in texts[0]


@pytest.mark.parametrize("name", list(exports.EXPORTERS))
def test_a_run_with_claims_does_not(made: Made, name: str) -> None:
    assert NO_CLAIMS not in exports.exporter(name).export(*made)


def test_csv_has_every_cell_with_its_status(made: Made) -> None:
    text = exports.exporter("csv").export(*made)
    head = text.partition("\n")[0].split(",")
    assert len(set(head)) == len(head), "a data frame would rename the second of two columns"
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == len(made[1].cells)
    found = {
        "/".join(r[k] for k in ("workload", "point", "track", "runtime", "metric")): r for r in rows
    }
    for c in numbers(made[1]):
        assert c.median
        row = found[c.key]
        assert (float(row["median"]), float(row["low"]), int(row["n"])) == (
            c.median.center,
            c.median.low,
            c.median.n,
        )
        assert all(
            float(row[f"figure_{name}"]) == value.center for name, value in c.figures.items()
        )
        assert (float(row["high"]), float(row["confidence"])) == (
            c.median.high,
            c.median.confidence,
        )
        if c.comparison:
            assert float(row["ratio_high"]) == c.comparison.ratio.high
    assert {r["status"] for r in rows} == {"ok", "not ranked", "failed", "no number"}
    assert "MemoryError" in found["memory/n=1000..100000/one-cpu/gevent/bytes"]["reason"]


def test_csv_starts_no_formula(quick: Made) -> None:
    run, summary = quick
    text = exports.exporter("csv").export(run, summary)
    assert not any(
        field.startswith(("=", "+", "@")) for row in csv.reader(io.StringIO(text)) for field in row
    )


def test_markdown_has_a_table_a_track_and_escapes(made: Made, quick: Made) -> None:
    text = exports.exporter("markdown").export(*made)
    assert "## One CPU" in text
    assert "## All CPUs" in text
    assert "| asyncio" in text
    assert "failed <sup>" in text
    assert "<script>" not in exports.exporter("markdown").export(*quick)
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in tables}) == 1


def test_pyperf_reads_its_export(made: Made, tmp_path: Path) -> None:
    path = tmp_path / "pyperf.json"
    path.write_text(exports.exporter("pyperf").export(*made))
    suite = pyperf.BenchmarkSuite.load(str(path))
    found = {b.get_name(): b for b in suite.get_benchmarks()}
    assert set(found) == {c.key for c in numbers(made[1])}
    for c in numbers(made[1]):
        assert c.median
        assert found[c.key].median() == pytest.approx(c.median.center, rel=1e-3)
    assert (
        found["spawn/n=1000/one-cpu/node/time"]
        .get_metadata()["corobench_caveat"]
        .startswith("not ranked")
    )


def test_hyperfine_has_the_fields_of_its_schema(made: Made) -> None:
    results = json.loads(exports.exporter("hyperfine").export(*made))["results"]
    assert len(results) == len([c for c in numbers(made[1]) if c.workload == "startup"])
    for result in results:
        assert {
            "command",
            "mean",
            "stddev",
            "median",
            "user",
            "system",
            "min",
            "max",
            "times",
            "exit_codes",
        } <= result.keys()
        assert (
            result["min"]
            == min(result["times"])
            <= result["median"]
            <= max(result["times"])
            == result["max"]
        )


def hyperfine_script(name: str) -> Path:
    """A script of the crate from which `corobench setup` builds hyperfine; cargo keeps its
    source.
    """
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    found = sorted(home.glob(f"registry/src/*/hyperfine-*/scripts/{name}"))
    if not found:
        pytest.skip("hyperfine was not built here, so that its own scripts are not there")
    return found[-1]


def test_hyperfine_s_own_script_reads_its_export(made: Made, tmp_path: Path) -> None:
    path = tmp_path / "hyperfine.json"
    path.write_text(exports.exporter("hyperfine").export(*made))
    script = hyperfine_script("advanced_statistics.py")
    done = subprocess.run(
        [sys.executable, script, path], capture_output=True, text=True, check=True
    )
    assert done.stdout.count("median:") == len(json.loads(path.read_text())["results"])


# What the action asks of an entry (src/extract.ts of github-action-benchmark, its README's "JSON
# format").
ACTION = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["name", "value", "unit"],
        "properties": {name: {"type": "string"} for name in ("name", "unit", "range", "extra")}
        | {"value": {"type": "number"}},
    },
}


@pytest.mark.parametrize(("name", "better"), [("", "lower"), ("-bigger", "higher")])
def test_github_action_benchmark_has_every_number_in_one_of_two_files(
    scenario: Made, name: str, better: str
) -> None:
    found = json.loads(exports.exporter(f"github-action-benchmark{name}").export(*scenario))
    jsonschema.validate(found, ACTION)
    assert {entry["name"].split(" [")[0] for entry in found} == {
        c.key for c in numbers(scenario[1]) if c.better == better
    }


def test_github_action_benchmark_has_what_the_action_reads(made: Made) -> None:
    found = json.loads(exports.exporter("github-action-benchmark").export(*made))
    assert len(found) == len(numbers(made[1]))
    for entry in found:
        assert entry["unit"] in ("ns", "B")
        assert entry["range"].startswith("± ")
    plain = next(e for e in found if e["name"] == "spawn/n=10000/one-cpu/asyncio/time")
    typical = cell(made[1], plain["name"]).median
    assert typical
    assert plain["value"] == pytest.approx(typical.center * 1e9)


_BOUNDS = {"type": "object", "required": ["value"]}
_BOUNDS |= {
    "properties": {name: {"type": "number"} for name in ("value", "lower_value", "upper_value")}
}
# The schema that Bencher publishes (bencher.dev/bmf.json), with the lengths of its reference.
BENCHER = {
    "type": "object",
    "propertyNames": {"minLength": 1, "maxLength": 1024},
    "additionalProperties": {
        "type": "object",
        "propertyNames": {"minLength": 1, "maxLength": 64},
        "additionalProperties": _BOUNDS,
    },
}


def test_bencher_has_values_within_their_bounds_and_trusted_cells_only(
    made: Made, quick: Made, scenario: Made
) -> None:
    for run in (made, quick, scenario):
        found = json.loads(exports.exporter("bencher").export(*run))
        jsonschema.validate(found, BENCHER)
        for measures in found.values():
            for value in measures.values():
                assert value["lower_value"] <= value["value"] <= value["upper_value"]
    assert set(json.loads(exports.exporter("bencher").export(*made))) == {
        c.key for c in made[1].cells if c.trusted
    }


def test_gobench_has_a_line_an_invocation(made: Made) -> None:
    lines = exports.exporter("gobench").export(*made).splitlines()
    results = [line for line in lines if line.startswith("Benchmark")]
    assert len(results) == sum(len(c.samples) for c in numbers(made[1]))
    assert all(len(line.split()) == 4 for line in results)
    assert any("/runtime=node/not-ranked=wide " in line for line in results)


def find_benchstat(folder: Path) -> Path:
    """BENCHSTAT, the one on PATH, or one built here, pinned; a user without Go is told so, CI
    fails.
    """
    if found := os.environ.get("BENCHSTAT") or shutil.which("benchstat"):
        return Path(found)
    if not (go := shutil.which("go")):
        missing("no benchstat and no Go to build it with")
    package = "golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da"
    subprocess.run(
        [go, "install", package],
        env={**os.environ, "GOBIN": str(folder), "GOFLAGS": "-mod=mod"},
        check=True,
    )
    return folder / "benchstat"


@pytest.mark.network
def test_benchstat_reads_gobench(made: Made, quick: Made, tmp_path: Path) -> None:
    benchstat = find_benchstat(tmp_path)
    for name, run in (("full", made), ("quick", quick)):
        path = tmp_path / f"{name}.txt"
        path.write_text(exports.exporter("gobench").export(*run))
        done = subprocess.run(
            [benchstat, "-format", "csv", path],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        (table,) = [
            part for part in done.stdout.split("\n\n") if "Spawn/n=10000/metric=time" in part
        ]
        assert {"asyncio", "node", "go-p1"} <= set(re.findall(r"runtime=([\w-]+)", table))
        assert path.name not in done.stderr, "a line that it could not parse"


def test_json_follows_the_published_schema(made: Made, quick: Made, tmp_path: Path) -> None:
    write_data([], tmp_path)
    schemas = {name: json.loads((tmp_path / "data" / name).read_text()) for name in SCHEMAS}
    for run in (made, quick):
        jsonschema.validate(
            json.loads(exports.exporter("json").export(*run)), schemas["summary.schema.json"]
        )
        jsonschema.validate(
            json.loads((run[0].folder / "run.json").read_text()), schemas["run.schema.json"]
        )
        for line in (run[0].folder / "log.jsonl").read_text().splitlines()[:20]:
            jsonschema.validate(json.loads(line), schemas["log.schema.json"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"schema": 1}, schemas["summary.schema.json"])


@pytest.fixture(scope="module")
def scenario(tmp_path_factory: pytest.TempPathFactory) -> Made:
    run = log.read(
        scenario_runs.write(
            tmp_path_factory.mktemp("results") / "testbox" / "scenarios",
            blocks=3,
            profile="default",
        )
    )
    return run, summarise(run)


def test_rates_and_plain_numbers_keep_their_meaning(scenario: Made) -> None:
    run, summary = scenario
    units = {c.unit for c in numbers(summary)}
    assert units == {"s", "B", "1/s", "1"}
    gobench = exports.exporter("gobench").export(run, summary)
    rate = next(c for c in numbers(summary) if c.unit == "1/s")
    value = next(iter(rate.samples.values()))
    assert f" 1 {value:.6g} ops/s" in gobench
    assert " progress\n" in gobench
    pyperf_names = {
        b["metadata"]["name"]
        for b in json.loads(exports.exporter("pyperf").export(run, summary))["benchmarks"]
    }
    assert pyperf_names == {
        c.key
        for c in numbers(summary)
        if c.unit in ("s", "B") and any(v > 0 for v in c.samples.values())
    }
    smaller = json.loads(exports.exporter("github-action-benchmark").export(run, summary))
    assert len(smaller) == len([c for c in numbers(summary) if c.better == "lower"])


def test_a_summary_with_distributions_follows_the_schema(scenario: Made, tmp_path: Path) -> None:
    write_data([], tmp_path)
    schema = json.loads((tmp_path / "data" / "summary.schema.json").read_text())
    found = json.loads(exports.exporter("json").export(*scenario))
    assert found["distributions"]
    jsonschema.validate(found, schema)
    lines = (scenario[0].folder / "log.jsonl").read_text().splitlines()
    log = json.loads((tmp_path / "data" / "log.schema.json").read_text())
    jsonschema.validate(json.loads(next(line for line in lines if '"series":{"' in line)), log)
