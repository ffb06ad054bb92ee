"""The findings: what is claimed of these runtimes, and whether the runs bear it out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corobench.claims import Check, Finding, Number
from corobench.manifest import load_findings
from corobench.report import units
from corobench.report.collect import Entry
from corobench.report.pages.runtimes import version
from corobench.report.templating import render, show
from corobench.report.writing import write
from corobench.statistics.findings import Checked, Judged, figure, judge
from corobench.statistics.values import Cell, Estimate

_ONE = units.Scale(1.0, "")
_MOST = 12  # runs that are asked, the newest ones that make claims first


def write_findings(entries: list[Entry], out: Path, root: Path | None) -> Path:
    """findings.html. `root`: the checkout whose findings are judged; without one there are none."""
    shown = [_shown(finding, entries) for finding in (load_findings(root) if root else [])]
    return write(out / "findings.html", render("findings.html.j2", depth=0, here="findings.html", findings=shown))


def _shown(finding: Finding, entries: list[Entry]) -> dict[str, Any]:
    """The run that measured most parts of it decides, the newest of these; one that makes claims before one that makes none."""
    asked = sorted((entry for entry in entries if _may_tell(finding, entry)), key=lambda e: not e.card.claims)[:_MOST]
    judged = [(entry, judge(finding, entry.summary)) for entry in asked]
    measured = [one for one in judged if _parts(one[1])]
    measured.sort(key=lambda one: (not one[0].card.claims, -_parts(one[1])))
    first = measured[0] if measured else None
    versions = {facts.name: version(facts) for facts in first[0].summary.runtimes} if first else {}
    return {
        "finding": finding,
        "outcome": _outcome(first[1]) if first else "not measured",
        "decided": bool(first and first[1].decided),
        "run": _run(*first) if first else None,
        "rows": [_row(checked, versions) for checked in first[1].checks] if first else [],
        "others": [_run(*other) for other in measured[1:]],
        "command": f"make findings RUNTIMES={','.join(finding.runtimes)}",
    }


def _parts(judged: Judged) -> int:
    """How many parts of a claim a run measured."""
    return sum(checked.outcome != "not measured" for checked in judged.checks)


def _may_tell(finding: Finding, entry: Entry) -> bool:
    """Whether a run has numbers of both sides of a ratio, as far as its card says."""

    def has(number: Number) -> bool:
        return number.runtime in entry.card.measured.get(number.workload, ())

    return any(has(check.this) and has(check.other) for check in finding.check)


def _run(entry: Entry, judged: Judged) -> dict[str, str]:
    return {"href": entry.place + "index.html", "name": entry.name, "box": entry.box, "outcome": _outcome(judged)}


def _outcome(judged: Judged) -> str:
    """`borne out where decided (3 of 8)`."""
    partly = judged.outcome.endswith("where decided")
    return f"{judged.outcome} ({judged.decided} of {len(judged.parts)})" if partly else judged.outcome


def _row(checked: Checked, versions: Mapping[str, str]) -> dict[str, str]:
    check = checked.check
    return {
        "text": check.text,
        "this": _number(check.this, checked.this, versions),
        "other": _number(check.other, checked.other, versions),
        "ratio": _ratio(checked.ratio),
        "asked": _asked(check),
        "outcome": checked.outcome,
        "reason": checked.reason,
    }


def _asked(check: Check) -> str:
    if check.least is not None and check.most is not None:
        return f"{check.least:g}{units.DASH}{check.most:g}"
    if check.least is not None:
        return f"at least {check.least:g}"
    return "nothing" if check.most is None else f"at most {check.most:g}"


def _ratio(ratio: Estimate | None) -> str:
    return f"{units.show(ratio, _ONE)} ({units.show_interval(ratio, _ONE)})" if ratio else units.NONE


def _number(number: Number, cell: Cell | None, versions: Mapping[str, str]) -> str:
    """`go-p1 (Go 1.27.3): 66 ns`, with the point where a run has one that the claim doesn't name in full."""
    shown = figure(number, cell) if cell else None
    if cell is None or shown is None:
        return units.NONE
    known = versions.get(cell.runtime)
    where = "" if number.point in (None, cell.point) else f" at {cell.point}"
    return f"{cell.runtime}{f' ({known})' if known else ''}: {show(shown, cell.unit)}{where}"
