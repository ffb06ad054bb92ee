"""What is checked of a spec's own shape: its points, and the keys that name parameters, holds and points.

Every function raises UserError that names the file, the key, the value and what would be right. What is written in the
arithmetic of specs is checked where it is read (corobench.manifest).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from corobench import expression
from corobench.errors import UserError, unknown
from corobench.model import EXPRESSED, Difference, Metric, Ratio, Workload


def check(file: Path, workload: Workload) -> None:
    """Points first: all else is about their parameters."""
    for spot in workload.spots:
        if set(spot.params) != set(workload.parameters):
            wanted = ", ".join(workload.parameters)
            raise UserError(f"{file}: a point has params {spot.params}; the spec's parameters are {wanted}")
    for point in workload.point:
        for name in point.sized:
            _parameter(f"{file}: point {point.name}: sized", name, workload)
        if point.iterations < 1:
            raise UserError(f"{file}: point {point.name}: iterations: {point.iterations} is none at all; write 1 or more")
    for key, along in (("ladder", workload.ladder), ("curve", workload.curve)):
        if along is not None:
            _parameter(f"{file}: {key}", along, workload)
    for key, text in (("tasks", workload.tasks), ("resumes", workload.resumes)):
        _counted(file, key, text, workload)
    _own_metric(file, workload)
    for difference in workload.difference:
        _difference(file, difference, workload)
    _names(file, workload)
    _claims(file, workload)
    _doubts(file, workload)
    _quoted(file, workload)
    _holds(file, workload)


def _parameter(where: str, name: str, workload: Workload) -> None:
    if name not in workload.parameters:
        raise UserError(f"{where}: {name!r} is no parameter of the workload; they are {', '.join(workload.parameters)}")


def _counted(file: Path, key: str, text: str, workload: Workload) -> None:
    """Only a trace, and what is counted in it, asks for these; elsewhere their default stands for nothing."""
    if not workload.trace and not workload.true_switches:
        return
    try:
        expression.check_names(text, list(workload.parameters))
    except ValueError as error:
        raise UserError(f"{file}: {key}: {error}") from error


def _own_metric(file: Path, workload: Workload) -> None:
    """Where metrics are no expressions, the first is what the kind of the workload measures."""
    for metric in workload.metric[:1]:
        if workload.kind not in EXPRESSED and metric.value is not None:
            own = f"a workload of kind {workload.kind!r} knows its first metric by itself"
            raise UserError(f"{file}: metric.{metric.name}.value: {own}; put what is an expression after it")


def _difference(file: Path, difference: Difference, workload: Workload) -> None:
    where = f"{file}: difference.{difference.name}"
    _parameter(f"{where}.over", difference.over, workload)
    for name in difference.free:
        _parameter(f"{where}.free", name, workload)
    given = [point.params[difference.over] for point in workload.point]
    for key, value in (("of", difference.of), ("less", difference.less)):
        if value not in given:
            known = ", ".join(dict.fromkeys(map(str, given)))
            raise UserError(f"{where}.{key}: no point has {difference.over} = {value!r}; they have {known}")
    try:
        expression.check_names(difference.per, list(workload.parameters))
    except ValueError as error:
        raise UserError(f"{where}.per: {error}") from error


def _names(file: Path, workload: Workload) -> None:
    """A figure is known by its name."""
    names = [name for figures in (workload.metric, workload.difference, workload.ratio) for name in _named(figures)]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UserError(f"{file}: {twice[0]!r} is the name of two metrics, differences or ratios; give each its own")


def _named(figures: Sequence[Metric | Difference | Ratio]) -> list[str]:
    return [figure.name for figure in figures]


def _claims(file: Path, workload: Workload) -> None:
    """What stands for a workload has to claim something: its first metric, and the one by which it gives advice."""
    leading = {metric.name for metric in workload.metric[:1]} | ({workload.advice.metric} if workload.advice else set())
    for metric in workload.metric:
        if metric.name in leading and not metric.claims:
            why = "the first metric stands for its workload, and that of [advice] for what is worth it: these claim something"
            raise UserError(f"{file}: metric.{metric.name}.claims: {why}")


def _doubts(file: Path, workload: Workload) -> None:
    """A doubt is known by its name, and so are the figures that it is about."""
    names = [doubt.name for doubt in workload.doubt]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UserError(f"{file}: {twice[0]!r} is the name of two doubts; give each its own")
    for doubt in workload.doubt:
        for name in doubt.metrics:
            if name not in workload.titles:
                raise UserError(f"{file}: doubt.{doubt.name}.metrics: {unknown('metric', name, workload.titles)}")


def _quoted(file: Path, workload: Workload) -> None:
    """What stands in for a point that was not measured is known by a parameter; a ratio is that of two runtimes."""
    for quoted in workload.quoted:
        if quoted.largest is not None:
            _parameter(f"{file}: quoted.largest", quoted.largest, workload)
        if quoted.against == quoted.runtime:
            raise UserError(f"{file}: quoted.against: {quoted.against!r} is the runtime itself; name another")


def _holds(file: Path, workload: Workload) -> None:
    """`units` says what each hold has alive, and in which order they come."""
    for key, points in (("holds", workload.holds), ("collected", workload.collected)):
        for point in points:
            if workload.kind != "served" and point not in workload.units:
                raise UserError(f"{file}: {key}: {point!r} is not among units, which say how many are alive there")
    for units in (workload.units, *(point.units for point in workload.verify)):
        if odd := set(units) - {*workload.holds, *workload.collected}:
            raise UserError(f"{file}: units.{min(odd)}: there is no such hold; name it under holds or collected")
