"""What flags are called wherever people read of them: on pages, in notes, and in the texts of other flags."""

from __future__ import annotations

import re
from collections.abc import Iterable

from corobench.statistics.values import Flag

# A flag's name, for those who don't know it; what a spec doubts says so in its own words.
WORDS = {
    "wide": "wide interval",
    "few": "few blocks",
    "steal": "CPU time taken by the hypervisor",
    "other-cpu": "other programs ran",
    "drift": "drift",
    "modes": "two modes",
    "control": "the reference differs from itself",
    "run control": "the reference differs from itself elsewhere in this run",
    "control flagged": "the A/A control can't be ranked itself",
    "no control": "no A/A control",
    "no ratio": "no ratio to the reference",
    "cross-check": "the language's own harness disagrees",
    "steadiness": "steadiness not shown",
    "not steady": "not steady yet",
    "not linear": "not linear",
    "unfinished": "without the upper end of the ladder",
    "failed": "invocations failed",
    "retried": "invocations were repeated",
    "short": "too short to time",
    "quota": "a CPU quota",
}
_COUNTED = re.compile(r" \([\d,]+ of [\d,]+ invocations\)$")


def flag_words(flag: Flag) -> str:
    """What a flag is about, without its figures."""
    return WORDS.get(flag.name) or _COUNTED.sub("", flag.text)


def doubted(flags: Iterable[Flag]) -> str:
    """What a spec itself doubts of a number, in its words (what else may have set the limit, say); empty where it does not.

    That it is a bound is shown with the number.
    """
    return "; ".join(dict.fromkeys(flag_words(flag) for flag in flags if flag.name not in WORDS and not flag.bound))
