"""The A/A control: the reference runtime against itself under another name, in every block.

Assumption: nothing tells the two apart but chance, so that their interval shows what this run can't see. Layout alone
moves identical code by about 1 % (Curtsinger & Berger 2013, STABILIZER), which is therefore the least difference that
is ever called one. A control of so few pairs that it has no 95 % interval shows nothing: its width would be that of luck.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from corobench.statistics import order, paired, stepup
from corobench.statistics.values import Estimate

LEAST_DELTA = 0.01
LEAST_DELTA_ACROSS = 0.02  # between two runs: layout may have moved the case and its reference
CONTROL_OFF = 0.02
NO_CONTROL_DELTA = 0.05


def usable(control: Estimate | None) -> Estimate | None:
    """The control where it has a 95 % interval with two ends, otherwise None."""
    known = control is not None and control.confidence >= order.CONFIDENCE and paired.is_finite(control)
    return control if known else None


def delta(control: Estimate | None) -> float:
    """The zone that counts as equal, as a ratio: max(1 %, half-width of the A/A interval); 5 % without a usable control."""
    known = usable(control)
    return max(LEAST_DELTA, paired.half_width(known)) if known else NO_CONTROL_DELTA


def failed(control: Estimate) -> bool:
    """More than 2 % off with an interval that excludes 1 (one that is no 95 % interval proves nothing)."""
    off = abs(control.center - 1) > CONTROL_OFF
    return off and usable(control) is not None and not control.low <= 1 <= control.high


def run_failed(logs: Mapping[str, list[float]], alpha: float = 0.05) -> list[str]:
    """The controls that fail when all of a run's are judged as one family: they mark the whole run.

    With some 30 controls a run, one in 25 excludes 1 by chance, so that sound runs would be marked. An alarm (stepup.py): by
    Holm's adjustment 13 controls of nine blocks, whose least p value is 1 in 256, could not mark a run if all of them failed.
    """
    names = [name for name, values in logs.items() if values]
    adjusted = stepup.adjust([paired.sign_test(logs[name]) for name in names])
    return [name for name, p in zip(names, adjusted, strict=True) if p <= alpha and failed(paired.ratio(logs[name]))]


def floor(controls: Iterable[Estimate]) -> float | None:
    """The noise floor of a run: the median half-width of its usable A/A controls, at least 1 %, which is the layout's.

    None where there is none: that floor was not measured.
    """
    widths = [paired.half_width(control) for control in controls if usable(control)]
    return max(LEAST_DELTA, order.median(widths)) if widths else None
