"""The result types: no centre without n, an interval and warnings (golang/perf, benchmath)."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from corobench.results.histogram import Distribution
from corobench.suite.workload import Advice, Citation, Group, Ratio

Verdict = Literal["lower", "higher", "equal", "inconclusive", "not comparable"]
Level = Literal["red", "amber"]
Kind = Literal["intended", "confounding", "noted"]


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """Base of derived values."""


class Estimate(Value, frozen=True, kw_only=True, omit_defaults=True):
    """A centre with its interval, in base units (s, B, or a plain ratio).

    `confidence` is the coverage of the ranks of [low, high] for independent samples, 0 where n is
    too small for 95 % (then low and high are the extremes). An absolute value's ranks lie further
    out where neighbours in time resemble each other (estimates.py): its confidence is what they
    would cover if they did not. `bound`: what was asked is known to be higher only.
    """

    center: float
    low: float
    high: float
    n: int
    confidence: float
    bound: bool = False

    def times(self, factor: float) -> Estimate:
        """In another unit, or as a share of something exact; the factor is positive."""
        center, low, high = (factor * one for one in (self.center, self.low, self.high))
        return msgspec.structs.replace(self, center=center, low=low, high=high)


class Flag(Value, frozen=True, kw_only=True, omit_defaults=True):
    """Something that a reader must know of a number. A red one keeps the case out of every group.

    `bound`: the number is only a lower bound for it. `margin`: by how much it may be off for that,
    as a share (0.5: by a factor of 1.5): what is further away is told from it all the same.
    """

    name: str
    level: Level
    text: str
    bound: bool = False
    margin: float | None = None


class Comparison(Value, frozen=True, kw_only=True):
    """A case against the reference runtime of its cell, or against the same case of another run:
    ratio = this / other.

    `ratio` is the plain 95 % interval. `verdict` is family-wise (Holm over the column);
    `adjusted_confidence` is 1 minus the adjusted p value of what it claims. `delta` (0.01 = 1 %) is
    the zone around 1 that counts as equal: "equal" means within it, and is not said where it is
    wider than 10 %. `pairs` blocks have a ratio, of `blocks` that have both values (the others:
    neither is positive). `wide`: half-width of the 99 % interval, which has a say in when a run
    stops.
    """

    other: str
    ratio: Estimate
    verdict: Verdict
    delta: float
    adjusted_confidence: float
    pairs: int
    blocks: int = 0
    wide: float | None = None


class Ladder(Value, frozen=True, kw_only=True):
    """What a figure that is a slope itself was made from: its values by block, and how far the
    halves of its ladder are apart.

    `disagreement` is a share of the slope (estimates.py), None where there are too few rungs to
    tell.
    """

    samples: dict[int, float]
    disagreement: float | None


class Cell(Value, frozen=True, kw_only=True):
    """One number of a page: a metric of a case, or of a runtime over a ladder of points.

    `point` is the point's name, or the ladder's ("n=1000..100000"). `figures` holds what belongs
    beside the headline: `minimum`, `cpu`, `cold` for timed workloads; `minimum`, `cpu`, `user`,
    `system`, `cpu_above_bare` for startup; `intercept` for slopes; `intercept`, `rss`, `high`,
    `kept`, `collected`, `kept_collected` for memory (at the largest N). A floor has confidence 0:
    low is the minimum itself and high the next smallest invocation's. `ladders` has those of the
    figures that are slopes as well (`collected`). `curve` holds [n, total at n] (s or B) for
    slopes. `group` 1 is the best; None where the number may not be grouped. A cell without a number
    has its reason in `failures` (it ran and failed) or `gap` (it was not run). `samples` are the
    invocation values by block, in base units, that the headline summarises. `best_known`: no number
    of its column that can't be ranked reads better than all that can; else the first group is the
    best of those that can be ranked. `claims`: whether the spec has runtimes told apart by this
    metric; else the number has neither group nor verdict. `floor`: its runtime is no contestant
    here, as its manifest says (why stands in `notes`), and in no group.
    """

    workload: str
    point: str
    track: str
    runtime: str
    metric: str
    unit: str
    better: str
    median: Estimate | None
    figures: dict[str, Estimate]
    samples: dict[int, float]
    comparison: Comparison | None
    group: int | None
    flags: list[Flag]
    failures: list[str]
    gap: str | None = None
    curve: list[list[float]] = []
    ladders: dict[str, Ladder] = {}
    notes: list[str] = []
    best_known: bool = True
    claims: bool = True
    lower_bound: bool = False

    @property
    def key(self) -> str:
        return "/".join((self.workload, self.point, self.track, self.runtime, self.metric))

    @property
    def trusted(self) -> bool:
        """Whether the number may take part in verdicts and groups."""
        return self.median is not None and not any(flag.level == "red" for flag in self.flags)

    @property
    def bound(self) -> bool:
        """Whether all that is known is that what was asked is higher than the number."""
        return self.median is not None and self.median.bound


class Counted(Value, frozen=True, kw_only=True):
    """The events that an operation of a case takes, by `event` of results/log.py.

    `value` is the median over processes, `samples` are theirs in the order of their start, which
    give each the same seed in every run; None and none where there is no count, and why in
    `reason`. `group` 1 takes the fewest (instructions only).
    """

    workload: str
    point: str
    track: str
    runtime: str
    event: str
    value: float | None
    samples: list[float] = []
    group: int | None = None
    reason: str = ""

    @property
    def key(self) -> str:
        return "/".join((self.workload, self.point, self.track, self.runtime, self.event))

    @property
    def spread(self) -> float:
        """How far the processes are apart, as a share of the value; 0 for a value of 0, and of what
        no process tells by itself.
        """
        if not self.value or not self.samples:
            return 0.0
        return (max(self.samples) - min(self.samples)) / self.value


class Noise(Value, frozen=True, kw_only=True):
    """The A/A control of one cell: the reference runtime against itself under another name."""

    workload: str
    point: str
    track: str
    runtime: str
    metric: str
    ratio: Estimate


class CarryOver(Value, frozen=True, kw_only=True):
    """What ran right after a program against what it takes otherwise (1 = the same), in time or
    bytes, as its column has it.

    `after` is workload/runtime, or `HUNGRY` of controls.py for whatever held much memory. `memory`:
    the most that it was seen to hold, in bytes (high-water mark). `found`: an effect that is not
    chance.
    """

    after: str
    ratio: Estimate
    adjusted_p: float
    memory: int | None
    found: bool


class Agreement(Value, frozen=True, kw_only=True):
    """A number beside that of the language's own harness, in seconds an operation; ratio = theirs /
    ours.

    `state`: agrees (the ratio's interval lies within 10 %), disagrees (it lies outside) or can't
    tell. `interval` is of the ratio, confidence 0 where the harness ran in too few blocks for one.
    `method`: what it is made of, either pairs of a block (its n of them) or ranks of all values.
    `agrees` is whether the state is that. `explanation` is what the runtime's manifest says of a
    difference; empty where the two agree or nobody knows.
    """

    runtime: str
    workload: str
    point: str
    track: str
    metric: str
    harness: str
    ours: Estimate
    theirs: Estimate
    ratio: float
    interval: Estimate
    method: Literal["paired", "ranks"]
    state: Literal["agrees", "disagrees", "can't tell"]
    agrees: bool
    explanation: str = ""


class RuntimeFacts(Value, frozen=True, kw_only=True):
    """What stands about a runtime beside its numbers.

    `version` is that of what serves where its programs told one (samples.py). `told`: what they
    said of their settings when they started, each different value once. `threads`: as its manifest
    declares them ("{cpus}": one for each CPU). `profiles`: those that measure it where nobody names
    runtimes, none for all of them. `deviates`: workload -> why its numbers leave the shape that
    arithmetic gives them. Each of these three is None where a run did not record it. `tags`: what
    else its manifest says that it is.
    """

    name: str
    title: str
    language: str
    unit: str
    version: str
    language_version: str
    tracks: list[str]
    site: str
    notes: list[str]
    settings: dict[str, Any]
    facts: dict[str, str]
    told: dict[str, str] = {}
    threads: int | str | None = None
    profiles: list[str] | None = None
    deviates: dict[str, str] | None = None
    tags: list[str] = []


class WorkloadFacts(Value, frozen=True, kw_only=True):
    """What stands about a workload beside its numbers: titles of its metrics, parameters and series
    by name.

    `curve` is the parameter against which its numbers are drawn. `counted`: metric -> the series
    whose samples it counts (requests answered a second, say). `ratio`: the metrics that set one
    point beside another. `prepared`: what its counted events include, and its times do not.
    """

    name: str
    title: str
    family: str
    question: str
    operation: str
    contract: str
    metrics: dict[str, str]
    group: Group = "core"
    parameters: dict[str, str] = {}
    curve: str | None = None
    series: dict[str, str] = {}
    citation: list[Citation] = []
    advice: Advice | None = None
    counted: dict[str, list[str]] = {}
    ratio: list[Ratio] = []
    prepared: str = ""


class RunSummary(Value, frozen=True, kw_only=True):
    """Everything that the pages, tables and exports of a run show; derived from the raw log alone.

    `distributions`: case -> series -> the samples of all its invocations; `raw`: the same of its
    last invocation, as written. `cpus`: workload/track -> the CPUs that its programs had, where a
    load generator or a companion had one of their own. `observed`: case -> what was seen of a load
    generator or a companion beside its programs (median over invocations). `noise_floor` is None
    where no A/A control has a 95 % interval. `whole_blocks`: only these may be paired, since the
    others were interrupted.
    """

    schema: int
    run: str
    created: str
    profile: str
    claims: bool
    seed: int
    commit: str
    dirty: bool
    corobench: str
    box: dict[str, Any]
    blocks: int
    stop_reason: str
    warnings: list[str]
    noise: list[Noise]
    noise_floor: float | None
    verdict_figure: str = "median"
    runtimes: list[RuntimeFacts]
    workloads: list[WorkloadFacts]
    references: dict[str, str]
    cells: list[Cell]
    controls: dict[str, Any]
    distributions: dict[str, dict[str, Distribution]] = {}
    raw: dict[str, dict[str, list[int]]] = {}
    cpus: dict[str, int] = {}
    observed: dict[str, dict[str, float]] = {}
    whole_blocks: list[int] = []
    counts: list[Counted] = []


class Difference(Value, frozen=True, kw_only=True):
    """A fact that two runs don't share.

    Intended: what one compares (versions, commits). Confounding: what spoils it. Noted: what cannot
    reach a program. `workloads`: those whose numbers it concerns, where it isn't all of them.
    """

    key: str
    before: str
    after: str
    kind: Kind
    workloads: list[str] = []


class Change(Value, frozen=True, kw_only=True):
    """One number in two runs: ratio = after / before, where `method` says what made the two
    comparable.

    `paired`: block by block. `reference` and `canary`: the ratio of the ratios to the reference
    runtime, or to the canary. `absolute`: as it stands (bytes only). `counted`: time could not
    tell, and the verdict is that of the instructions an operation, of which `instructions` is the
    ratio (also beside a verdict of time). `reason` says why a verdict was withheld. `regression`:
    worse by over the threshold, beyond what chance makes of all the numbers of the comparison.
    """

    workload: str
    point: str
    track: str
    runtime: str
    metric: str
    unit: str
    better: str
    before: Estimate
    after: Estimate
    ratio: Estimate | None
    method: Literal["paired", "reference", "canary", "absolute", "counted"] | None
    verdict: Verdict
    delta: float
    adjusted_confidence: float
    regression: bool
    reason: str = ""
    instructions: Estimate | None = None

    @property
    def key(self) -> str:
        return "/".join((self.workload, self.point, self.track, self.runtime, self.metric))


class RunComparison(Value, frozen=True, kw_only=True):
    """Two runs, case by case. `missing` names the numbers that only one of them has; `claims`: both
    runs make some.

    `interleaved`: their blocks took turns, so that numbers are paired (compare.py).
    """

    schema: int
    before: str
    after: str
    claims: bool
    same_box: bool
    interleaved: bool
    threshold: float
    environment: list[Difference]
    changes: list[Change]
    missing: list[str]
    warnings: list[str]

    @property
    def regressions(self) -> list[Change]:
        return [change for change in self.changes if change.regression]
