"""method.html: how to read the pages, and how a number is obtained, in the order in which a reader asks."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from corobench.plan import CROSS_ROUNDS, CROSS_SHARE, PROFILE
from corobench.report.collect import Entry
from corobench.report.headline import ordered_workloads
from corobench.report.templating import render
from corobench.report.writing import write
from corobench.statistics import carryover, contamination, crosscheck, flags, nearness, noise, order, slope
from corobench.statistics.groups import blocks_needed
from corobench.statistics.values import WorkloadFacts

_SHOWN = (2, 8, 20, 40)  # runtimes of a column


class Source(NamedTuple):
    """A publication that a rule rests on, and where it can be read."""

    name: str
    title: str
    where: str
    href: str


SOURCES = {
    "kalibera": Source(
        "Kalibera & Jones 2013", "Rigorous Benchmarking in Reasonable Time", "ISMM", "https://doi.org/10.1145/2464157.2464160"
    ),
    "barrett": Source(
        "Barrett et al. 2017",
        "Virtual Machine Warmup Blows Hot and Cold",
        "Proc. ACM Program. Lang. 1, OOPSLA",
        "https://doi.org/10.1145/3133876",
    ),
    "abedi": Source(
        "Abedi & Brecht 2017",
        "Conducting Repeatable Experiments in Highly Variable Cloud Computing Environments",
        "ICPE",
        "https://doi.org/10.1145/3030207.3030229",
    ),
    "williams": Source(
        "Williams 1949",
        "Experimental Designs Balanced for the Estimation of Residual Effects of Treatments",
        "Australian Journal of Scientific Research A 2",
        "https://doi.org/10.1071/CH9490149",
    ),
    "stabilizer": Source(
        "Curtsinger & Berger 2013",
        "STABILIZER: Statistically Sound Performance Evaluation",
        "ASPLOS",
        "https://doi.org/10.1145/2451116.2451141",
    ),
    "holm": Source(
        "Holm 1979",
        "A Simple Sequentially Rejective Multiple Test Procedure",
        "Scandinavian Journal of Statistics 6",
        "https://www.jstor.org/stable/4615733",
    ),
    "dixon": Source(
        "Dixon & Mood 1946",
        "The Statistical Sign Test",
        "Journal of the American Statistical Association 41",
        "https://doi.org/10.1080/01621459.1946.10501898",
    ),
    "schuirmann": Source(
        "Schuirmann 1987",
        "A Comparison of the Two One-Sided Tests Procedure and the Power Approach",
        "Journal of Pharmacokinetics and Biopharmaceutics 15",
        "https://doi.org/10.1007/BF01068419",
    ),
    "zou": Source(
        "Zou & Donner 2008",
        "Construction of Confidence Limits about Effect Measures",
        "Statistics in Medicine 27",
        "https://doi.org/10.1002/sim.3095",
    ),
    "mann": Source("Mann 1945", "Nonparametric Tests Against Trend", "Econometrica 13", "https://doi.org/10.2307/1907187"),
    "benjamini": Source(
        "Benjamini & Hochberg 1995",
        "Controlling the False Discovery Rate",
        "Journal of the Royal Statistical Society B 57",
        "https://doi.org/10.1111/j.2517-6161.1995.tb02031.x",
    ),
    "theil": Source(
        "Theil 1950",
        "A Rank-Invariant Method of Linear and Polynomial Regression Analysis",
        "reprinted by Springer",
        "https://doi.org/10.1007/978-94-011-2546-8_20",
    ),
    "sen": Source(
        "Sen 1968",
        "Estimates of the Regression Coefficient Based on Kendall's Tau",
        "Journal of the American Statistical Association 63",
        "https://doi.org/10.1080/01621459.1968.10480934",
    ),
    "bartels": Source(
        "Bartels 1982",
        "The Rank Version of von Neumann's Ratio Test for Randomness",
        "Journal of the American Statistical Association 77",
        "https://doi.org/10.1080/01621459.1982.10477764",
    ),
    "armitage": Source(
        "Armitage et al. 1969",
        "Repeated Significance Tests on Accumulating Data",
        "Journal of the Royal Statistical Society A 132",
        "https://doi.org/10.2307/2343787",
    ),
    "tene": Source("Tene", "How NOT to Measure Latency", "the wrk2 documentation", "https://github.com/giltene/wrk2"),
}


def write_method(entries: list[Entry], out: Path) -> Path:
    """method.html; its figures come from the code that uses them, so that the two can't drift apart."""
    figures = {
        "profiles": list(PROFILE.values()),
        "least_n": flags.LEAST_N,
        "wide_red": flags.WIDE_RED,
        "wide_amber": flags.WIDE_AMBER,
        "not_linear": slope.NOT_LINEAR,
        "least_delta": noise.LEAST_DELTA,
        "no_control_delta": noise.NO_CONTROL_DELTA,
        "control_off": noise.CONTROL_OFF,
        "other_cores": contamination.OTHER_CORES,
        "other_share": contamination.OTHER_SHARE,
        "steal": contamination.STEAL_SHARE,
        "least_across": noise.LEAST_DELTA_ACROSS,
        "region_ms": flags.REGION_NS // 1_000_000,
        "iteration_steps": flags.ITERATION_STEPS,
        "tick_ms": contamination.TICK_NS // 1_000_000,
        "ticks_red": flags.TICKS_RED,
        "ticks_amber": flags.TICKS_AMBER,
        "disagree": crosscheck.DISAGREE,
        "cross_rounds": CROSS_ROUNDS,
        "cross_share": CROSS_SHARE,
        "near_s": f"{nearness.NEAR_S:.0f}",
        "hungry": carryover.HUNGRY,
        "blocks_needed": {count: blocks_needed(count) for count in _SHOWN},
        "least_interval": next(n for n in range(1, flags.LEAST_N + 1) if order.rank(n)),
        "sources": SOURCES,
    }
    page = render("method.html.j2", depth=0, here="method.html", workloads=_workloads(entries), **figures)
    return write(out / "method.html", page)


def _workloads(entries: list[Entry]) -> list[WorkloadFacts]:
    """Each workload as its newest run describes it, those of the newest run first."""
    found: dict[str, WorkloadFacts] = {}
    for entry in entries:
        if not found.keys() >= set(entry.card.workloads):  # a summary is only read for what no newer one has
            found |= {w.name: w for w in ordered_workloads(entry.summary) if w.name not in found}
    return list(found.values())
