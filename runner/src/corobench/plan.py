"""What will be measured and in which order: pure functions of the suite, the selection and a seed.

Every case is measured once a block, workload after workload and there cell after cell, so that the
runtimes that are compared are measured within seconds of each other. Their order is a Williams
design: a Latin square over consecutive blocks in which, over a full cycle, every runtime also
follows every other one equally often (Williams 1949), on top of a seeded permutation (Abedi &
Brecht 2017, randomized multiple interleaved trials).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

import msgspec

from corobench.errors import NothingSelected, UserError, unknown
from corobench.suite import expression
from corobench.suite.runtime import Runtime, Suite
from corobench.suite.workload import (
    FINDINGS,
    PROFILES,
    SCALING,
    TRACKS,
    Case,
    Number,
    Point,
    Track,
    Value,
    Workload,
    scaling_tracks,
    some_cpus,
)

T = TypeVar("T")


class Profile(Value, frozen=True, kw_only=True):
    """How much is measured. `looks`: the numbers of blocks after which precision decides whether to
    go on.
    """

    name: str
    looks: list[int]
    budget_s: float
    target_absolute: float = 0.05
    target_ratio: float = 0.03
    claims: bool = True


ALL = "all"
# of the native cross-checks, where a run has room: one line proves nothing (statistics/controls.py)
CROSS_ROUNDS = 2
# Of a run's time: what further rounds may take. A round takes an eighth of a block's time, and the
# interval of fewer than nine rounds is that of their extremes, which often tell nothing.
CROSS_SHARE = 0.15
SMALLEST = 1  # the CPUs that a server has beside its load generator on a box of two
_LOOKS = [9, 12, 17, 25, 37, 51]
PROFILE: dict[str, Profile] = {
    "smoke": Profile(name="smoke", looks=[1], budget_s=120, claims=False),
    "quick": Profile(name="quick", looks=[3], budget_s=360, claims=False),
    "default": Profile(name="default", looks=_LOOKS, budget_s=2400),
    "publish": Profile(
        name="publish", looks=_LOOKS, budget_s=4 * 3600, target_absolute=0.02, target_ratio=0.01
    ),
    "scenarios": Profile(name="scenarios", looks=_LOOKS, budget_s=12 * 3600),
    "breadth": Profile(name="breadth", looks=_LOOKS, budget_s=2 * 3600),
    "findings": Profile(name="findings", looks=_LOOKS, budget_s=1200),
    "million": Profile(name="million", looks=_LOOKS, budget_s=3600),
    "scale": Profile(name="scale", looks=[1], budget_s=2 * 3600, claims=False),
    "scaling": Profile(name="scaling", looks=_LOOKS, budget_s=2 * 3600),
    "primitives": Profile(name="primitives", looks=_LOOKS, budget_s=2 * 3600),
}


class Selection(Value, frozen=True, kw_only=True):
    """What the user asked for; None means what the profile measures, and `all` every runtime that
    there is.

    `points`: only those at whose parameters this expression holds, of the workloads that have its
    parameters.
    """

    profile: str = "default"
    runtimes: list[str] | None = None
    workloads: list[str] | None = None
    tracks: list[str] | None = None
    points: str | None = None


class Gap(Value, frozen=True, kw_only=True):
    """A runtime without a number for a workload, and why. A gap stands on the page; it is no error.

    `point`: only there; the runtime is measured at others.
    """

    workload: str
    runtime: str
    reason: str
    point: str | None = None


class Plan(Value, frozen=True, kw_only=True):
    """Everything that decides what is executed; stored in the run, so that a run can be resumed and
    replayed.
    """

    profile: str
    seed: int
    cases: list[str]
    points: dict[str, Point]
    references: dict[str, str]
    gaps: list[Gap]


def make_plan(
    suite: Suite,
    selection: Selection,
    seed: int,
    missing: Mapping[str, str] | None = None,
    cores: int = SMALLEST,
    unmeasurable: Mapping[str, str] | None = None,
    cpus: int = 2,
) -> Plan:
    """The plan of a selection. `missing` maps runtimes that can't be used on this box to the
    reason, `unmeasurable` workloads.

    `cores` sizes points; `cpus` are those of the track all-cpus.

    Raises UserError for unknown names and NothingSelected where no case is left.
    """
    question = _question(suite, selection, cores, cpus)
    gaps = list(_gaps(question, missing or {}, unmeasurable or {}))
    without = {(gap.workload, gap.runtime) for gap in gaps if gap.point is None}
    cases: list[Case] = []
    references: dict[str, str] = {}
    for cell in _cells(question, without):
        cases += cell
        reference = _reference(cell, suite)
        references[reference.cell] = reference.runtime
        cases.append(msgspec.structs.replace(reference, twin=True))
    if not cases:
        raise NothingSelected(
            "nothing selected: no runtime has a program for these workloads, points, "
            "tracks and profile"
        )
    return Plan(
        profile=selection.profile,
        seed=seed,
        cases=[case.key for case in cases],
        points={
            f"{name}/{point.name}": point
            for name, points in question.points.items()
            for point in points
        },
        references=references,
        gaps=gaps,
    )


class _Question(NamedTuple):
    """What a selection asks: which runtimes in which workloads (and what the findings want of them
    there), where and how.

    `points` are those of each workload, sized for the box; a pair stands in `asked` where the page
    is to say something of it.
    """

    runtimes: dict[str, Runtime]
    workloads: dict[str, Workload]
    points: dict[str, list[Point]]
    tracks: list[Track]
    asked: dict[tuple[str, str], list[Number] | None]
    scaling: bool

    def wants(self, workload: str, runtime: str, point: Point, track: Track) -> bool:
        """Whether a case is asked for, if the runtime offers it."""
        made, pair = self.runtimes[runtime], (workload, runtime)
        named = [t for t in self.workloads[workload].tracks if t in (point.tracks or TRACKS)]
        if self.scaling:
            # what has a thread for each CPU, on one of them as well
            offered = made.variant.scales and "all-cpus" in named
        else:
            offered = track in named and track in made.variant.tracks
        return (
            pair in self.asked
            and offered
            and track in self.tracks
            and made.is_meant(point)
            and _needs(self.asked[pair], point, track)
        )


def _question(suite: Suite, selection: Selection, cores: int, cpus: int) -> _Question:
    scaling = selection.profile == SCALING
    tracks = scaling_tracks(cpus) if scaling else TRACKS
    names = chosen(suite, selection)
    runtimes = {name: runtime for name, runtime in suite.runtimes.items() if name in names}
    named = {
        name: w
        for name, w in suite.workloads.items()
        if selection.workloads is None or name in selection.workloads
    }
    sized = {name: _sized(w.points(selection.profile), cores) for name, w in named.items()}
    wanted = sized if selection.points is None else _at(selection.points, sized, named)
    points = {name: found for name, found in wanted.items() if found}
    numbers = _named(suite) if selection.profile == FINDINGS else {}
    pairs = [
        (named[name], runtime)
        for name in points
        for runtime in runtimes.values()
        if runtime.concerns(named[name])
    ]
    asked = {
        (workload.name, r.name): _asked(numbers.get(r.name), workload) for workload, r in pairs
    }
    return _Question(
        runtimes=runtimes,
        workloads={name: named[name] for name in points},
        points=points,
        tracks=[track for track in tracks if selection.tracks is None or track in selection.tracks],
        asked={pair: wanted for pair, wanted in asked.items() if wanted != []},
        scaling=scaling,
    )


def _cells(question: _Question, without: Collection[tuple[str, str]]) -> Iterator[list[Case]]:
    """The cases of each workload, point and track that has any, in the order of the suite."""
    for workload, points in question.points.items():
        able = [
            runtime
            for name, runtime in question.runtimes.items()
            if (workload, name) not in without
        ]
        for point in points:
            for track in question.tracks:
                wanted = [r for r in able if question.wants(workload, r.name, point, track)]
                offered = [r for r in wanted if r.refusal(workload, point.params) is None]
                if offered:
                    yield [Case(workload, point.name, track, runtime.name) for runtime in offered]


def _sized(points: list[Point], cores: int) -> list[Point]:
    """The points as they are on a box of this size: a setting that several give is measured once,
    of all their runtimes.
    """
    found: dict[str, Point] = {}
    for point in (point.on(cores) for point in points):
        found[point.name] = _joined(found.get(point.name, point), point)
    return list(found.values())


def _at(
    wanted: str, points: dict[str, list[Point]], workloads: dict[str, Workload]
) -> dict[str, list[Point]]:
    """The points at which the expression `wanted` holds: none of a workload that lacks one of its
    parameters.
    """
    try:
        expression.check_names(
            wanted,
            sorted({name for workload in workloads.values() for name in workload.parameters}),
        )
        asked = {*expression.names_of(wanted)}
        return {
            workload: [
                point
                for point in found
                if point.params.keys() >= asked and expression.evaluate(wanted, point.params)
            ]
            for workload, found in points.items()
        }
    except (ValueError, TypeError, ArithmeticError) as error:
        raise UserError(f"--points: {error}") from error


def _joined(first: Point, second: Point) -> Point:
    both = (
        None
        if first.runtimes is None or second.runtimes is None
        else [*first.runtimes, *second.runtimes]
    )
    return msgspec.structs.replace(second, runtimes=both and list(dict.fromkeys(both)))


def chosen(suite: Suite, selection: Selection) -> list[str]:
    """The runtimes of a selection: those named, all, or those that the profile measures."""
    check_names(suite, selection)
    if selection.runtimes is None and selection.profile == FINDINGS:
        named = _named(suite)
        return [name for name in suite.runtimes if name in named]
    if selection.runtimes is None:
        return [
            name
            for name, runtime in suite.runtimes.items()
            if (not runtime.profiles or selection.profile in runtime.profiles)
            and (selection.profile != SCALING or runtime.variant.scales)
        ]
    return [
        name for name in suite.runtimes if name in selection.runtimes or ALL in selection.runtimes
    ]


def to_prepare(suite: Suite, selection: Selection, cores: int = SMALLEST) -> list[str]:
    """The runtimes that a selection needs tools and programs of. Where only workloads or points are
    named, or the profile takes few workloads, those that have a program for one of them.
    """
    names = chosen(suite, selection)
    some = selection.workloads or selection.points or selection.profile == SCALING
    if selection.runtimes is not None or not some:
        return names
    question = _question(suite, selection, cores, cpus=2)
    return [name for name in names if _takes_part(question, name)]


def _takes_part(question: _Question, name: str) -> bool:
    runtime = question.runtimes[name]
    return any(
        runtime.gap(question.workloads[workload]) is None
        and runtime.offers(workload, point.params)
        and question.wants(workload, name, point, track)
        for workload, points in question.points.items()
        for point in points
        for track in question.tracks
    )


def _named(suite: Suite) -> dict[str, list[Number]]:
    """The runtimes that the findings name, each with its numbers."""
    found: dict[str, list[Number]] = {}
    for finding in suite.findings:
        for number in finding.numbers:
            found.setdefault(number.runtime, []).append(number)
    return found


def _asked(numbers: list[Number] | None, workload: Workload) -> list[Number] | None:
    """What the findings ask of a runtime in a workload. None: all (another profile, or a runtime
    that only the user names).
    """
    return (
        None
        if numbers is None
        else [number for number in numbers if number.workload == workload.name]
    )


def _needs(asked: list[Number] | None, point: Point, track: Track) -> bool:
    return asked is None or any(
        number.track == track and number.is_at(point.name) for number in asked
    )


def check_names(suite: Suite, selection: Selection) -> None:
    """UserError, with the nearest name, for a runtime, workload, track or profile that doesn't
    exist.
    """
    for kind, names, known in (
        ("profile", [selection.profile], PROFILES),
        ("runtime", selection.runtimes or [], [*suite.runtimes, ALL]),
        ("workload", selection.workloads or [], suite.workloads),
        ("track", selection.tracks or [], TRACKS),
    ):
        for name in names:
            if name not in known and not (kind == "track" and some_cpus(name)):
                raise unknown(kind, name, known)


def _gaps(
    question: _Question, missing: Mapping[str, str], unmeasurable: Mapping[str, str]
) -> Iterator[Gap]:
    for workload, name in question.asked:
        runtime = question.runtimes[name]
        if (
            reason := runtime.gap(question.workloads[workload])
            or missing.get(name)
            or unmeasurable.get(workload)
        ):
            yield Gap(workload=workload, runtime=name, reason=reason)
        else:
            yield from _refusals(question, workload, runtime)


def _refusals(question: _Question, workload: str, runtime: Runtime) -> Iterator[Gap]:
    """The points that a runtime doesn't take, where it has a size that is too large; where it takes
    none at all, one for all.
    """
    wanted = [
        p
        for p in question.points[workload]
        if any(question.wants(workload, runtime.name, p, t) for t in question.tracks)
    ]
    refused = [
        (point, found) for point in wanted if (found := runtime.refusal(workload, point.params))
    ]
    if wanted and len(refused) == len(wanted):
        yield Gap(workload=workload, runtime=runtime.name, reason=refused[0][1].reason)
    else:
        # A mode that a runtime lacks is no size that it doesn't reach: there is nothing to say at
        # each.
        sizes = [(point, found.reason) for point, found in refused if found.of_size]
        yield from (
            Gap(workload=workload, runtime=runtime.name, reason=text, point=point.name)
            for point, text in sizes
        )


def _reference(cell: list[Case], suite: Suite) -> Case:
    track = "all-cpus" if some_cpus(cell[0].track) else cell[0].track
    named = [case for case in cell if track in suite.runtimes[case.runtime].variant.reference]
    return (named or cell)[0]


def families(plan: Plan) -> list[list[str]]:
    """The cases by workload, in the order of the plan."""
    return _grouped(plan.cases, lambda key: key.split("/", 1)[0])


def block_order(plan: Plan, block: int) -> list[str]:
    """The case keys of a block (0, 1, 2 ...), family after family."""
    return [key for family in block_families(plan, block) for key in family]


def block_families(plan: Plan, block: int) -> list[list[str]]:
    """A block's case keys by family, cell after cell, so that compared cases are neighbours.

    Families, the cells of a family and the runtimes of a cell rotate alike.
    """
    return [
        [
            key
            for cell in _cells_of(family, block, plan.seed)
            for key in _arranged(cell, f"cell {cell[0]}", block, plan.seed)
        ]
        for family in _arranged(families(plan), "families", block, plan.seed)
    ]


def _cells_of(family: list[str], block: int, seed: int) -> list[list[str]]:
    return _arranged(_grouped(family, lambda key: key.rpartition("/")[0]), family[0], block, seed)


def first_to_go(sides: Sequence[T], family: str, block: int, seed: int) -> list[T]:
    """In which order several checkouts measure a family of a block: over a cycle each takes each
    place equally often.
    """
    return _arranged(list(sides), f"turns {family}", block, seed)


def _grouped(keys: Iterable[str], name: Callable[[str], str]) -> list[list[str]]:
    groups: dict[str, list[str]] = {}
    for key in keys:
        groups.setdefault(name(key), []).append(key)
    return list(groups.values())


def _arranged(items: list[T], name: str, block: int, seed: int) -> list[T]:
    """Row `block` of the Williams square over a permutation that seed and name decide."""
    shuffled = list(items)
    random.Random(f"{seed} {name}").shuffle(shuffled)
    return [shuffled[place] for place in _row(len(items), block, seed)]


def _row(size: int, block: int, seed: int) -> list[int]:
    """Row `block` of a Williams square of this size, its rows taken in a seeded order.

    For an odd size two squares are needed for balance: the second is the mirror of the first.
    """
    order = _order_of_rows(size, seed)
    row = order[block % len(order)]
    first = [(place + 1) // 2 if place % 2 else (size - place // 2) % size for place in range(size)]
    cells = [(value + row) % size for value in first]
    return cells if row < size else cells[::-1]


@lru_cache
def _order_of_rows(size: int, seed: int) -> tuple[int, ...]:
    order = list(range(size if size % 2 == 0 else 2 * size))
    random.Random(f"{seed} rows {size}").shuffle(order)
    return tuple(order)
