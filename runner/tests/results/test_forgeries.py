"""What of a forged run `corobench check` names, with file and line, and what it can't see.

A forger has a real run and an editor. Each forgery is one function that changes the header and the
lines of the log; those that can't be told from a true run are listed, and so in docs/method.md.
"""

from __future__ import annotations

import copy
import os
import random
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import published
import pytest

from corobench.cli import report
from corobench.commands import git
from corobench.errors import UserError
from corobench.results import log, publishable
from corobench.statistics.summary import summarise_given

Line = dict[str, Any]
Header = dict[str, Any]
Forge = Callable[[Header, list[Line]], None]
SEEN: dict[str, Forge] = {}
UNSEEN: dict[str, Forge] = {}
ALTERED: dict[str, tuple[str, Callable[[Line], None]]] = {}
ROOT = published.ROOT
OTHER_COMMIT = "1ae59ec5800c9314b3b053e105e21f723d3327bf"  # of a later published run


def seen(forge: Forge) -> Forge:
    SEEN[forge.__name__] = forge
    return forge


def unseen(forge: Forge) -> Forge:
    UNSEEN[forge.__name__] = forge
    return forge


def altered(cases: str) -> Callable[[Callable[[Line], None]], Callable[[Line], None]]:
    """A forgery of one invocation, whatever the others say: of a case that begins so."""

    def keep(alter: Callable[[Line], None]) -> Callable[[Line], None]:
        ALTERED[alter.__name__] = cases, alter
        return alter

    return keep


def of(lines: list[Line], case: str, block: int = 0) -> Line:
    """The invocation of a case, or the first of a workload."""
    return next(
        line
        for line in lines
        if line["type"] == "invocation"
        and (line["case"] == case or (case.endswith("/") and line["case"].startswith(case)))
        and line["block"] == block
    )


def all_of(lines: list[Line], runtime: str) -> list[Line]:
    return [line for line in lines if re.search(rf"/{runtime}(~twin)?$", line.get("case", ""))]


def mark(lines: list[Line], event: str) -> Line:
    return next(line for line in lines if line["type"] == "mark" and line["event"] == event)


SPAWN = "spawn/n=1000/one-cpu/asyncio"
PAIR = ("spawn/n=10000/one-cpu/gevent", "spawn/n=1000/one-cpu/gevent")
MEMORY = "memory/n=20000/one-cpu/asyncio"
# How the cases begin of which any will do.
SPAWNS = "spawn/n=1000/"
MEMORIES = "memory/n=20000/"
STARTUPS = "startup/"
SERVED = "http/"
TIMERS = "timers/"


# the header


@seen
def the_commit_is_another_one(header: Header, _lines: list[Line]) -> None:
    header["commit"] = OTHER_COMMIT


@seen
def the_commit_is_unknown(header: Header, _lines: list[Line]) -> None:
    header["commit"] = "f" * 40


@seen
def the_commit_is_missing(header: Header, _lines: list[Line]) -> None:
    header["commit"] = ""


@seen
def a_spec_asks_for_less(header: Header, _lines: list[Line]) -> None:
    del header["workloads"]["spawn"]["evidence"]["checksum"]


@seen
def a_spec_divides_by_more(header: Header, _lines: list[Line]) -> None:
    header["workloads"]["mixed"]["metric"][0]["value"] += " / 2"


@seen
def a_spec_warns_of_nothing(header: Header, _lines: list[Line]) -> None:
    header["workloads"]["http"]["caution"] = []


@seen
def a_point_has_fewer_iterations(header: Header, _lines: list[Line]) -> None:
    header["plan"]["points"]["spawn/n=1000"]["iterations"] = 1


@seen
def a_point_has_other_parameters(header: Header, _lines: list[Line]) -> None:
    header["plan"]["points"]["spawn/n=1000"]["params"]["n"] = 10_000


@seen
def the_manifest_has_other_settings(header: Header, _lines: list[Line]) -> None:
    header["runtimes"]["go"]["settings"] = {}


@seen
def the_manifest_has_other_variables(header: Header, _lines: list[Line]) -> None:
    header["runtimes"]["go-p1"]["env"] = {"GOGC": "off"}


@seen
def a_note_is_gone(header: Header, _lines: list[Line]) -> None:
    header["runtimes"]["node"]["notes"] = []


@seen
def a_unit_is_another_one(header: Header, _lines: list[Line]) -> None:
    header["runtimes"]["gevent"]["unit"] = "stackless task"


@seen
def the_hash_of_the_sources_is_another_one(header: Header, _lines: list[Line]) -> None:
    header["runtimes"]["uvloop"]["hashes"]["sources"] = "0" * 64


@seen
def a_library_has_another_version(header: Header, lines: list[Line]) -> None:
    header["runtimes"]["gevent"]["version"] = "99.1"
    for line in all_of(lines, "gevent"):
        line["version"] = line["version"] and "99.1"


@seen
def the_profile_is_another_one(header: Header, _lines: list[Line]) -> None:
    header["plan"]["profile"] = "publish"


@seen
def a_quick_run_makes_claims(header: Header, _lines: list[Line]) -> None:
    header["plan"]["profile"] = "quick"


@seen
def the_switches_were_not_counted(header: Header, _lines: list[Line]) -> None:
    header["true_switches"] = {}


@seen
def more_resumes_are_switches_than_there_are(header: Header, _lines: list[Line]) -> None:
    header["true_switches"]["go-p1/switch/k=100,m=200"] = 1.7


@seen
def the_box_has_another_name(header: Header, _lines: list[Line]) -> None:
    header["box"]["name"] = "fastest-box"


@seen
def the_box_has_more_cpus(header: Header, _lines: list[Line]) -> None:
    header["box"]["cpu"]["online"] = 64


@seen
def it_was_begun_later(header: Header, _lines: list[Line]) -> None:
    header["created"] = "2026-11-26T00:00:00+00:00"


@seen
def the_seed_is_another_one(header: Header, _lines: list[Line]) -> None:
    header["plan"]["seed"] += 1


# the plan


def without(header: Header, lines: list[Line], cases: set[str]) -> None:
    header["plan"]["cases"] = [case for case in header["plan"]["cases"] if case not in cases]
    lines[:] = [line for line in lines if line.get("case") not in cases]


@seen
def a_slow_case_was_never_planned(header: Header, lines: list[Line]) -> None:
    without(header, lines, {SPAWN.replace("asyncio", "gevent")})


@seen
def a_slow_case_was_never_measured(_header: Header, lines: list[Line]) -> None:
    slow = SPAWN.replace("asyncio", "gevent")
    lines[:] = [line for line in lines if line.get("case") != slow]


@seen
def a_slow_block_of_a_case_is_gone(_header: Header, lines: list[Line]) -> None:
    lines.remove(of(lines, SPAWN, block=1))


@seen
def the_control_is_gone(header: Header, lines: list[Line]) -> None:
    without(header, lines, {f"{SPAWN}~twin"})


@seen
def the_control_is_of_another_runtime(header: Header, lines: list[Line]) -> None:
    cases = header["plan"]["cases"]
    cases[cases.index(f"{SPAWN}~twin")] = "spawn/n=1000/one-cpu/uvloop~twin"
    for line in lines:
        if line.get("case") == f"{SPAWN}~twin":
            line["case"] = "spawn/n=1000/one-cpu/uvloop~twin"


@seen
def a_case_of_an_unknown_runtime_is_there(header: Header, lines: list[Line]) -> None:
    header["runtimes"]["mine"] = header["runtimes"]["go-p1"]
    header["plan"]["cases"].append("spawn/n=1000/one-cpu/mine")
    lines.insert(
        -1, {**of(lines, "spawn/n=1000/one-cpu/go-p1"), "case": "spawn/n=1000/one-cpu/mine"}
    )


@seen
def a_case_is_a_gap_as_well(header: Header, _lines: list[Line]) -> None:
    gap = {"workload": "spawn", "runtime": "node", "reason": "no program yet", "point": None}
    header["plan"]["gaps"].append(gap)


# what an invocation says: all in one run, each of another line; what makes a line unreadable, alone


@altered(SPAWNS)
def slow_iterations_are_gone(line: Line) -> None:
    slowest = sorted(line["iterations"])[: len(line["iterations"]) * 3 // 4]
    line["iterations"] = [one for one in line["iterations"] if one in slowest]


@altered(SPAWNS)
def the_cold_iteration_is_gone(line: Line) -> None:
    del line["iterations"][0]


@altered(SPAWNS)
def only_a_few_iterations_are_left(line: Line) -> None:
    line["iterations"] = line["iterations"][:3]


@altered(SPAWNS)
def fast_iterations_were_added(line: Line) -> None:
    line["iterations"] += [[e - 7, c - 7, o] for e, c, o in line["iterations"][5:20]]


@altered(SPAWNS)
def iterations_last_half_as_long(line: Line) -> None:
    line["iterations"] = [[e // 2, c // 2, o] for e, c, o in line["iterations"]]


@altered(SPAWNS)
def iterations_last_equally_long(line: Line) -> None:
    elapsed = 1 + sum(e for e, _, _ in line["iterations"]) // len(line["iterations"])
    line["iterations"] = [[elapsed, elapsed, o] for _, _, o in line["iterations"]]


@altered(SPAWNS)
def iterations_last_longer_than_the_process(line: Line) -> None:
    line["witness"]["wall_ns"] = 10_000_000


@altered(SPAWNS)
def iterations_use_more_cpu_than_the_process(line: Line) -> None:
    line["witness"]["user_ns"] = 0


@altered(SPAWNS)
def the_process_used_more_cpu_than_there_is(line: Line) -> None:
    line["witness"]["user_ns"] *= 9


@altered(SPAWNS)
def the_iterations_used_more_cpu_than_there_is(line: Line) -> None:
    line["iterations"] = [[e, 9 * c, o] for e, c, o in line["iterations"]]


@altered(SPAWNS)
def an_operation_takes_no_time(line: Line) -> None:
    line["iterations"][4][0] = 1


@seen
def a_wall_time_is_below_0(_header: Header, lines: list[Line]) -> None:
    of(lines, SPAWN)["witness"]["wall_ns"] = -1


@altered(SPAWNS)
def twice_the_operations(line: Line) -> None:
    line["iterations"] = [[e, c, 2 * o] for e, c, o in line["iterations"]]


@altered(SPAWNS)
def one_iteration_has_other_operations(line: Line) -> None:
    line["iterations"][3][2] += 1


@seen
def no_operation(_header: Header, lines: list[Line]) -> None:
    of(lines, SPAWN)["iterations"][3][2] = 0


@altered(SPAWNS)
def no_iteration(line: Line) -> None:
    line["iterations"] = []


@altered(SPAWNS)
def evidence_is_missing(line: Line) -> None:
    line["evidence"] = {}


@altered(SPAWNS)
def evidence_is_wrong(line: Line) -> None:
    line["evidence"]["checksum"] += 1


@altered(SPAWNS)
def evidence_is_no_number(line: Line) -> None:
    line["evidence"]["checksum"] = "499500"


@altered(SPAWNS)
def evidence_that_nobody_asked_for(line: Line) -> None:
    line["evidence"]["really"] = 1


@altered(SPAWNS)
def another_version_was_measured(line: Line) -> None:
    line["version"] = "3.14.0"


@altered(SPAWNS)
def another_language_was_measured(line: Line) -> None:
    line["language_version"] = "3.14.0"


@altered(SPAWN)
def a_setting_did_not_take(line: Line) -> None:
    line["settings"]["gc"] = False


@altered(STARTUPS)
def a_startup_used_no_cpu(line: Line) -> None:
    line["evidence"]["user_ns"] = 0


@altered(STARTUPS)
def a_slow_startup_is_gone(line: Line) -> None:
    iterations = line["iterations"]
    iterations.remove(max(iterations))


@altered(SPAWNS)
def a_box_has_other_cpus_than_it_has(line: Line) -> None:
    line["witness"]["box_cpus"] = 3


@altered(SPAWNS)
def neighbours_used_more_here_than_anywhere(line: Line) -> None:
    line["witness"]["busy_ns"] = 0


@altered(SPAWNS)
def more_was_stolen_than_there_is(line: Line) -> None:
    line["witness"]["steal_ns"] = 10**12


# memory


@altered(MEMORIES)
def a_hold_is_missing(line: Line) -> None:
    del line["holds"]["live"]


@altered(MEMORIES)
def a_hold_is_from_elsewhere(line: Line) -> None:
    holds = line["holds"]
    holds["best"] = holds["live"]


@altered(MEMORIES)
def more_units_were_alive(line: Line) -> None:
    line["holds"]["live"]["units"] *= 2


@altered(MEMORIES)
def more_is_private_than_resident(line: Line) -> None:
    held = line["holds"]["base"]
    held["private_dirty"] = held["pss"] = held["rss"] + 64 * 2**20


@altered(MEMORIES)
def more_is_private_than_its_share(line: Line) -> None:
    line["holds"]["base"]["pss"] = 4096


@altered(MEMORIES)
def more_is_resident_than_ever_was(line: Line) -> None:
    held = line["holds"]["live"]
    held["rss_high"] = held["rss"] - 4096


@altered(MEMORIES)
def the_high_water_falls(line: Line) -> None:
    for held in line["holds"].values():
        held["rss"] = held["rss_high"] = held["pss"]
    released = line["holds"]["released"]
    released["rss"] = released["rss_high"] = released["pss"] = released["private_dirty"] = 2**20


@seen
def memory_is_below_0(_header: Header, lines: list[Line]) -> None:
    of(lines, MEMORY)["holds"]["live"]["private_dirty"] = -4096


@altered(MEMORIES)
def memory_is_a_third(line: Line) -> None:
    held = line["holds"]["live"]
    held["private_dirty"] = held["private_dirty"] // 3 | 1


# series and what was observed


@altered(TIMERS)
def a_series_is_missing(line: Line) -> None:
    line["series"] = {}


@altered(TIMERS)
def late_samples_are_gone(line: Line) -> None:
    del line["series"]["lateness"]["buckets"][-3:]


@altered(TIMERS)
def late_samples_came_early(line: Line) -> None:
    buckets = line["series"]["lateness"]["buckets"]
    buckets[0][1] += buckets.pop()[1]


@altered(TIMERS)
def the_mean_is_better(line: Line) -> None:
    line["series"]["lateness"]["sum_ns"] //= 2


@altered(SERVED)
def wrong_answers_are_forgotten(line: Line) -> None:
    line["observed"]["errors"] = 3.0


@altered(SERVED)
def a_server_used_less_than_nothing(line: Line) -> None:
    line["observed"]["server_cpu"] = -0.5


@altered(SERVED)
def something_else_was_observed(line: Line) -> None:
    line["observed"]["speed"] = 11.0


# order, time, blocks


@seen
def a_line_stands_twice(_header: Header, lines: list[Line]) -> None:
    line = of(lines, SPAWN)
    lines.insert(lines.index(line), copy.deepcopy(line))


@seen
def a_program_starts_before_the_last_has_ended(_header: Header, lines: list[Line]) -> None:
    line = of(lines, "spawn/n=10000/one-cpu/gevent")
    before = [one for one in lines[: lines.index(line)] if one["type"] == "invocation"][-1]
    line["started"] = before["started"]


@seen
def lines_are_in_another_order(_header: Header, lines: list[Line]) -> None:
    first, second = (lines.index(of(lines, case)) for case in PAIR)
    lines[first], lines[second] = lines[second], lines[first]


@seen
def positions_are_exchanged(_header: Header, lines: list[Line]) -> None:
    first, second = (of(lines, case) for case in PAIR)
    first["position"], second["position"] = second["position"], first["position"]


@seen
def cases_are_exchanged(_header: Header, lines: list[Line]) -> None:
    first, second = of(lines, SPAWN), of(lines, SPAWN.replace("asyncio", "uvloop"))
    for key in ("case", "version", "settings"):
        first[key], second[key] = second[key], first[key]


@seen
def a_time_is_no_time(_header: Header, lines: list[Line]) -> None:
    of(lines, SPAWN)["started"] = "yesterday"


@seen
def a_line_is_of_another_block(_header: Header, lines: list[Line]) -> None:
    of(lines, SPAWN, block=1)["block"] = 7


@seen
def a_block_was_never_complete(_header: Header, lines: list[Line]) -> None:
    lines.remove(mark(lines, "block-complete"))


@seen
def it_was_never_finished(_header: Header, lines: list[Line]) -> None:
    lines.remove(mark(lines, "finished"))


@seen
def it_ended_when_it_looked_best(header: Header, lines: list[Line]) -> None:
    header["budget_s"] = 1780.0
    values = {"precise": False, "used_s": 390.0}
    mark(lines, "finished") | {"reason": "another block would exceed the time budget"}
    mark(lines, "finished")["values"] = values


@seen
def less_time_was_used_later(_header: Header, lines: list[Line]) -> None:
    mark(lines, "finished")["values"] = {"used_s": 1.0}


# copies


def copied(lines: list[Line], change: Callable[[list[int]], list[int]]) -> None:
    """An invocation of block 1 as that of block 0, but for its place, and with changed times."""
    first, second = of(lines, SPAWN), of(lines, SPAWN, block=1)
    second["iterations"] = [change(one) for one in first["iterations"]]
    second["witness"] = {
        **first["witness"],
        "wall_ns": second["witness"]["wall_ns"] + 40_000_000,
        "user_ns": first["witness"]["user_ns"] + 1_000,
    }
    other = next(line for line in lines[lines.index(second) + 1 :] if line["type"] == "invocation")
    second["witness"]["wall_ns"] = max(
        first["witness"]["wall_ns"] + 1, second["witness"]["wall_ns"] - 40_000_000
    )
    assert other["block"] == 1


@seen
def a_block_is_a_copy(_header: Header, lines: list[Line]) -> None:
    first, second = of(lines, SPAWN), of(lines, SPAWN, block=1)
    kept = {key: second[key] for key in ("block", "position", "started")}
    lines[lines.index(second)] = {**first, **kept}


@seen
def the_iterations_are_copied(_header: Header, lines: list[Line]) -> None:
    copied(lines, list)


@seen
def the_iterations_are_copied_and_shuffled(_header: Header, lines: list[Line]) -> None:
    copied(lines, list)
    random.Random(1).shuffle(of(lines, SPAWN, block=1)["iterations"])


@seen
def the_iterations_are_copied_and_made_longer(_header: Header, lines: list[Line]) -> None:
    copied(lines, lambda one: [one[0] * 103 // 100, one[1] * 103 // 100, one[2]])


@seen
def half_of_the_iterations_are_copied(_header: Header, lines: list[Line]) -> None:
    first, second = of(lines, SPAWN), of(lines, SPAWN, block=1)
    half = len(second["iterations"]) // 2
    second["iterations"][:half] = first["iterations"][-half:]


@seen
def the_control_is_a_copy(_header: Header, lines: list[Line]) -> None:
    first, twin = of(lines, SPAWN), of(lines, f"{SPAWN}~twin")
    kept = {key: twin[key] for key in ("case", "block", "position", "started")}
    lines[lines.index(twin)] = {**first, **kept}


@seen
def a_series_is_a_copy(_header: Header, lines: list[Line]) -> None:
    first, second = of(lines, "timers/"), None
    second = of(lines, first["case"], block=1)
    second["series"] = first["series"]


@seen
def a_block_has_no_canary(_header: Header, lines: list[Line]) -> None:
    lines.remove(next(line for line in lines if line.get("name") == "canary"))


@seen
def the_canary_is_a_copy(_header: Header, lines: list[Line]) -> None:
    first, second = (line for line in lines if line.get("name") == "canary")
    second["values"] = first["values"]


# what can't be told from a true run


@unseen
def all_times_of_a_case_are_shorter_and_agree(_header: Header, lines: list[Line]) -> None:
    """As many iterations as fill the warm time, each shorter: as if the machine were faster."""
    line = of(lines, SPAWN)
    rng = random.Random(1)
    warm, told = 0, []
    while warm < 100_000_000:
        elapsed, cpu, ops = rng.choice(line["iterations"])
        told.append([elapsed * 9 // 10 + rng.randrange(3000), cpu * 9 // 10, ops])
        warm += told[-1][0] if len(told) > 1 else 0
    line["iterations"] = told


@unseen
def cpu_time_is_lower(_header: Header, lines: list[Line]) -> None:
    line = of(lines, SPAWN)
    line["iterations"] = [[e, c * 9 // 10, o] for e, c, o in line["iterations"]]


@unseen
def memory_is_a_few_pages_less(_header: Header, lines: list[Line]) -> None:
    held = of(lines, MEMORY)["holds"]["live"]
    held["private_dirty"] -= 100 * 4096


@unseen
def nothing_was_stolen(_header: Header, lines: list[Line]) -> None:
    for line in lines:
        if line["type"] == "invocation":
            line["witness"]["steal_ns"] = line["witness"]["here_steal_ns"] = 0


@unseen
def all_resumes_are_switches(header: Header, _lines: list[Line]) -> None:
    header["true_switches"]["tokio-current-thread/switch/k=2,m=500"] = 1.0


@unseen
def the_cpu_has_another_name(header: Header, _lines: list[Line]) -> None:
    header["box"]["cpu"]["model"] = "AMD EPYC 9965"


@unseen
def the_language_has_another_version(header: Header, lines: list[Line]) -> None:
    header["runtimes"]["gevent"]["language_version"] = "3.11.9"
    for line in all_of(lines, "gevent"):
        line["language_version"] = line["language_version"] and "3.11.9"


@unseen
def a_case_failed(_header: Header, lines: list[Line]) -> None:
    for block in (0, 1):
        line = of(lines, SPAWN, block)
        kept = {key: line[key] for key in ("case", "block", "position", "started")}
        told = {"kind": "failed", "reason": "ended with exit status 1", "exit_status": 1}
        lines[lines.index(line)] = {
            "type": "failure",
            **kept,
            **told,
            "stderr": "",
            "wall_ns": line["witness"]["wall_ns"],
        }


@unseen
def the_built_program_is_another_one(header: Header, _lines: list[Line]) -> None:
    header["runtimes"]["go-p1"]["hashes"]["built"] = "0" * 64


# Many at once, each of another line: what `check` says of each, and many that it can't see together.

TOGETHER: dict[str, Forge] = {}
TOGETHER_UNSEEN: list[Forge] = []


def named(words: str) -> Callable[[Forge], Forge]:
    def keep(forge: Forge) -> Forge:
        TOGETHER[words] = forge
        return forge

    return keep


def spawn_of(runtime: str) -> str:
    return f"spawn/n=1000/one-cpu/{runtime}"


HTTP = "http/phase=many-keep,n=3000,least_ms=300/one-cpu/"


@named("its folder is named 2026-11-27T233731, and it was begun at another time")
def it_was_begun_before_its_folder_was_made(header: Header, _lines: list[Line]) -> None:
    header["created"] = "2026-11-27T23:30:31+00:00"


@named("s before its commit was made")
def it_was_begun_before_its_commit_was_made(header: Header, _lines: list[Line]) -> None:
    header["created"] = "2026-11-27T23:30:31+00:00"


@named("made with corobench '9.9', there 0.1.0")
def the_runner_has_another_version(header: Header, _lines: list[Line]) -> None:
    header["corobench"] = "9.9"


@named("its nonce is 1, and one from 0 to 0 is drawn")
def a_nonce_that_no_result_contains(_header: Header, lines: list[Line]) -> None:
    of(lines, spawn_of("gevent"))["nonce"] = 1


@named("the setting opt_level is '0', the runtime's is '3'")
def a_build_without_optimisation(_header: Header, lines: list[Line]) -> None:
    of(lines, spawn_of("tokio-current-thread"))["settings"]["opt_level"] = "0"


@named("it tells other settings than spawn/n=1000/all-cpus/node, block 0: jit")
def a_setting_that_is_told_once(_header: Header, lines: list[Line]) -> None:
    of(lines, "spawn/n=1000/all-cpus/node", block=1)["settings"]["jit"] = True


@named("seen_high is missing: how large it was with all its tasks alive")
def nobody_looked_how_large_it_was(_header: Header, lines: list[Line]) -> None:
    del of(lines, spawn_of("uvloop"))["observed"]["seen_high"]


@named("1,000,000,000,000 bytes were resident, and the box has 25,276,510,208")
def more_was_resident_than_the_box_has(_header: Header, lines: list[Line]) -> None:
    of(lines, spawn_of("asyncio"))["observed"]["seen_high"] = 1e12


@named("it had 2 CPUs, on the track of one")
def another_cpu_for_one_invocation(_header: Header, lines: list[Line]) -> None:
    of(lines, spawn_of("go-p1"))["witness"]["here_cpus"] = 2


@named("a load of -5.0: none is below 0")
def a_load_below_0(_header: Header, lines: list[Line]) -> None:
    of(lines, spawn_of("go-p1"), block=1)["witness"]["load"] = -5.0


@named("24182 operations, and 24082 answers")
def more_requests_than_answers(_header: Header, lines: list[Line]) -> None:
    of(lines, f"{HTTP}microhttpd-epoll")["iterations"][0][2] += 100


@named("its streams lasted")
def a_load_was_shorter_than_its_streams(_header: Header, lines: list[Line]) -> None:
    of(lines, f"{HTTP}microhttpd-epoll", block=1)["iterations"][0][0] -= 10_000_000


@named("and server_cpu is 0.0")
def a_server_used_no_cpu(_header: Header, lines: list[Line]) -> None:
    of(lines, f"{HTTP}go-p1")["observed"]["server_cpu"] = 0.0


@named("server_user and server_system are 0 s of")
def a_server_had_no_parts(_header: Header, lines: list[Line]) -> None:
    seen = of(lines, f"{HTTP}go-p1", block=1)["observed"]
    seen["server_user"] = seen["server_system"] = 0.0


@named("and all of the runner's helpers 0")
def no_helper_ran(_header: Header, lines: list[Line]) -> None:
    witness = of(lines, f"{HTTP}node")["witness"]
    witness["helpers_ns"] = witness["here_helpers_ns"] = 0


@named("clients waited")
def clients_waited_longer_than_there_was_time(_header: Header, lines: list[Line]) -> None:
    line = of(lines, f"{HTTP}node", block=1)
    line["iterations"][0][0] = line["iterations"][0][0] * 4 // 5
    for name in line["observed"]:
        if name.startswith("elapsed_"):
            line["observed"][name] *= 0.79


@named("there is no control 'fastest'")
def a_control_that_nobody_takes(_header: Header, lines: list[Line]) -> None:
    lines.insert(-2, {**mark_of_control(lines, "canary"), "name": "fastest"})


@named("crosscheck: its header does not say what nobody is")
def a_control_of_an_unknown_runtime(_header: Header, lines: list[Line]) -> None:
    line = mark_of_control(lines, "crosscheck")
    lines.insert(-2, {**line, "values": {**line["values"], "runtime": "nobody"}})


@named("has no null control of")
def a_null_control_is_gone(_header: Header, lines: list[Line]) -> None:
    lines.remove(mark_of_control(lines, "null"))


def mark_of_control(lines: list[Line], name: str) -> Line:
    return next(line for line in lines if line.get("name") == name)


def hidden(forge: Forge) -> Forge:
    TOGETHER_UNSEEN.append(forge)
    return forge


@hidden
def the_box_is_another_one(header: Header, _lines: list[Line]) -> None:
    header["box"]["memory"]["total"] *= 2
    header["box"]["kernel"]["release"] = "9.0"
    header["box"]["virtualisation"] = "none"
    header["box"]["warnings"] = []


@hidden
def controls_are_made_up(_header: Header, lines: list[Line]) -> None:
    for number, line in enumerate(lines):
        if line.get("name") == "canary":
            line["values"]["wall_ns"] = 3_600_000 + number
        if line.get("name") == "crosscheck":
            line["values"]["per_op_ns"] = [one / 2 for one in line["values"]["per_op_ns"]]


@hidden
def what_measured_is_another_one(header: Header, _lines: list[Line]) -> None:
    header["tools"]["hyperfine"] |= {"version": "1.19.0", "sha256": "0" * 64}


@hidden
def it_was_counted(_header: Header, lines: list[Line]) -> None:
    tallies = {"instructions": [[[1000, 5000], [2000, 9000]]] * 3}
    told = {"at": lines[-1]["at"], "tools": {"valgrind": "3.24"}, "reasons": {}}
    lines.append({"type": "count", "case": spawn_of("gevent"), "tallies": tallies, **told})


@hidden
def another_value_of_a_setting_that_is_not_demanded(_header: Header, lines: list[Line]) -> None:
    of(lines, "spawn/n=1000/all-cpus/node")["settings"]["v8"] = "14.1"


def test_forgeries_of_one_run_are_each_named(forged: Callable[[Forge], list[str]]) -> None:
    def all_of_them(header: Header, lines: list[Line]) -> None:
        for forge in TOGETHER.values():
            forge(header, lines)

    found = forged(all_of_them)
    assert [words for words in TOGETHER if not any(words in one for one in found)] == []


def test_what_is_told_once_and_nowhere_else_is_not_seen(
    forged: Callable[[Forge], list[str]],
) -> None:
    """Kept, so that docs/method.md claims no more than is so."""

    def all_of_them(header: Header, lines: list[Line]) -> None:
        for forge in TOGETHER_UNSEEN:
            forge(header, lines)

    assert forged(all_of_them) == []


# what is no forgery, but makes no sense: nothing of it may raise

ODD: dict[str, Forge] = {
    "word": lambda header, _: header["workloads"]["mixed"]["metric"][0].update(value="'a' * 10"),
    "deep": lambda header, _: header["workloads"]["mixed"]["require"][0].update(
        holds="-" * 400 + "1"
    ),
    "call": lambda header, _: header["workloads"]["mixed"]["require"][0].update(holds="open(1)"),
    "no spec": lambda header, _: header["workloads"].pop("spawn"),
    "empty spec": lambda header, _: header["workloads"].update(spawn={}),
    "no runtime": lambda header, _: header["runtimes"].pop("go"),
    "empty runtime": lambda header, _: header["runtimes"].update(go={}),
    "box": lambda header, _: header.update(box={"name": 7, "cpu": "x"}),
    "planned": lambda header, _: header["plan"]["cases"].append("x/y"),
    "no point": lambda header, _: header["plan"]["points"].pop("spawn/n=1000"),
    "profile": lambda header, _: header["plan"].update(profile="fastest"),
    "no reference": lambda header, _: header["plan"].update(references={}),
    "created": lambda header, _: header.update(created="x"),
    "case": lambda _, lines: of(lines, SPAWN).update(case="x"),
    "no iteration": lambda _, lines: of(lines, SPAWN).update(iterations=[]),
    "huge": lambda _, lines: of(lines, SERVED)["observed"].update(server_cpu=1e300),
    "quota": lambda header, _: header["box"].update(cgroup=7),
    "control": lambda _, lines: mark_of_control(lines, "null")["values"].update(runtime={}),
    "cross-check": lambda _, lines: mark_of_control(lines, "crosscheck")["values"].update(
        params="x"
    ),
    "no mark": lambda _, lines: of(lines, SPAWN).update(observed={"process_cpu": 0.1}),
    "marks": lambda _, lines: mark(lines, "finished").update(values={"used_s": "x"}),
}


@pytest.mark.parametrize("name", ODD)
def test_nothing_that_a_run_holds_raises(name: str, tmp_path: Path) -> None:
    folder = published.write(tmp_path)
    header, lines = _read((folder / "run.json").read_bytes(), (folder / log.LOG).read_bytes())
    ODD[name](header, lines)
    _write(folder, header, lines)
    run = log.read(folder)
    assert all(": " in problem for problem in publishable.problems(run))
    told = f"{folder}: can't be summarised"
    try:
        summarise_given(run)
    except UserError as error:
        told = str(error)
    assert told.startswith(f"{folder}: can't be summarised")


def _read(header: bytes, lines: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    decode = msgspec.json.decode
    return decode(header), [decode(line) for line in lines.splitlines()]


def _write(folder: Path, header: dict[str, Any], lines: list[dict[str, Any]]) -> None:
    (folder / "run.json").write_bytes(msgspec.json.encode(header))
    (folder / log.LOG).write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Iterator[report._History]:
    """A clone with nothing in it but the run, and its commits."""
    if not (ROOT / ".git").exists():
        pytest.skip("no .git here, as in an archive: no commit to compare with")
    clone = tmp_path_factory.mktemp("clone") / "corobench"
    subprocess.run(
        ["git", "clone", "-q", "--shared", "--no-checkout", str(ROOT), str(clone)], check=True
    )
    published.write(clone)
    with report._uncollected(), report._history(clone) as found:
        yield found


@pytest.fixture(scope="module")
def forged(history: report._History) -> Callable[[Forge], list[str]]:
    """The problems of the run after a forgery."""
    assert history._root is not None
    folder = history._root / "results" / published.FOLDER.parent.name / published.FOLDER.name
    header = (folder / "run.json").read_bytes()
    lines = (folder / log.LOG).read_bytes()

    def found(forge: Forge) -> list[str]:
        told, said = _read(header, lines)
        forge(told, said)
        try:
            _write(folder, told, said)
            return report._problems(history, folder)
        finally:
            (folder / "run.json").write_bytes(header)
            (folder / log.LOG).write_bytes(lines)

    return found


def contents(folder: Path) -> dict[Path, bytes]:
    return {
        file.relative_to(folder): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and not file.is_symlink()
    }


def test_a_commit_is_unpacked_and_the_checkout_left_as_it_is(
    history: report._History, tmp_path: Path
) -> None:
    root = history._root
    assert root is not None
    hook = root / ".git/hooks/post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/hooked\n")
    hook.chmod(0o755)

    def status() -> str:
        return git(root, "status", "--porcelain", "--branch", exact=True).output

    before = status()
    (tmp_path / "commits").mkdir()
    found, unpacked = report._History(root, tmp_path / "commits"), tmp_path / "commits/commit"
    assert found._at(OTHER_COMMIT) is not None
    there = contents(unpacked)
    assert Path("runner/pyproject.toml") in there
    head = git(root, "rev-parse", "HEAD").output
    assert found._at(head) is not None
    assert contents(unpacked) != there
    assert found._at(OTHER_COMMIT) is not None
    assert contents(unpacked) == there, "nothing of the other commit is left"
    assert status() == before
    assert not (tmp_path / "hooked").exists()


def test_the_run_itself_is_fine(forged: Callable[[Forge], list[str]]) -> None:
    assert forged(lambda _header, _lines: None) == []


@pytest.mark.parametrize("name", SEEN)
def test_a_forgery_is_named_with_file_and_line(
    name: str, forged: Callable[[Forge], list[str]]
) -> None:
    found = forged(SEEN[name])
    assert found
    assert all(re.match(r"(run\.json|log\.jsonl):\d+: ", problem) for problem in found)


class Altered(NamedTuple):
    """One run with all of ALTERED: the line that each changed, and the lines that are named."""

    changed: dict[str, int]
    named: set[int]


@pytest.fixture(scope="module")
def altered_run(forged: Callable[[Forge], list[str]]) -> Altered:
    """Who needs a certain case goes first."""
    changed: dict[str, int] = {}

    def all_of_them(_header: Header, lines: list[Line]) -> None:
        for name, (cases, alter) in sorted(ALTERED.items(), key=lambda one: -len(one[1][0])):
            number, line = next(
                (number, line)
                for number, line in enumerate(lines, 1)
                if line["type"] == "invocation"
                and line["case"].startswith(cases)
                and number not in changed.values()
            )
            changed[name] = number
            alter(line)

    told = [re.match(r"log\.jsonl:(\d+): ", problem) for problem in forged(all_of_them)]
    assert all(told)
    return Altered(changed, {int(found[1]) for found in told if found})


@pytest.mark.parametrize("name", ALTERED)
def test_an_altered_invocation_is_named(name: str, altered_run: Altered) -> None:
    assert altered_run.changed[name] in altered_run.named


def test_only_altered_invocations_are_named(altered_run: Altered) -> None:
    """So each is named for what it says itself."""
    assert altered_run.named == {*altered_run.changed.values()}


def test_a_collector_may_give_memory_back_while_it_is_read(
    forged: Callable[[Forge], list[str]],
) -> None:
    """As the JVM's G1 does, in a thread of its own: what is private is read before what is
    resident.
    """

    def given_back(_header: Header, lines: list[Line]) -> None:
        held = of(lines, MEMORY)["holds"]["live-collected"]
        held["rss"] = held["private_dirty"] // 2 // 4096 * 4096

    assert forged(given_back) == []


@pytest.mark.parametrize("name", UNSEEN)
def test_what_agrees_cannot_be_told_from_the_truth(
    name: str, forged: Callable[[Forge], list[str]]
) -> None:
    """Kept, so that docs/method.md claims no more than is so."""
    assert forged(UNSEEN[name]) == []


def test_the_method_page_says_how_many_are_seen() -> None:
    assert len(SEEN) + len(ALTERED) >= 64
    seen, unseen = len(SEEN) + len(ALTERED) + len(TOGETHER), len(UNSEEN) + len(TOGETHER_UNSEEN)
    page = " ".join((ROOT / "docs/method.md").read_text().split())
    assert f"The tests apply {seen + unseen} kinds of forgery" in page
    assert f"`check` names {seen} of them" in page
    assert f"These {unseen} kinds are not seen" in page


def test_what_was_selected_is_not_left_out(forged: Callable[[Forge], list[str]]) -> None:
    """A run that says what was asked for can't lose a runtime or a workload."""

    def selected(header: Header) -> None:
        header["selection"] = {"profile": "default"}

    def without_gevent(header: Header, lines: list[Line]) -> None:
        selected(header)
        del header["runtimes"]["gevent"]
        without(header, lines, {case for case in header["plan"]["cases"] if "/gevent" in case})

    assert forged(lambda header, _lines: selected(header)) == []
    found = forged(without_gevent)
    assert any("spawn/n=1000/one-cpu/gevent is left out without a reason" in one for one in found)


# Deeper than any interpreter reads: 1,000 in CPython 3.11, 10,000 in 3.13, what the stack holds in 3.14.
DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (f'{{"type":"mark","event":"x","at":"","values":{{"a":{DEEP}}}}}', "deep"),
        ('{"type":"mark","event":NaN}', "corrupt line"),
        ('{"type":"invocation"}', "corrupt line"),
        ("\udcff", "corrupt line"),
        ("[]", "corrupt line"),
    ],
)
def test_what_is_no_line_is_one_problem(
    content: str, words: str, tmp_path: Path, history: report._History
) -> None:
    folder = published.write(tmp_path)
    with (folder / log.LOG).open("ab") as file:
        file.write(content.encode(errors="surrogateescape") + b"\n")
    (found,) = report._problems(history, folder)
    number = (folder / log.LOG).read_bytes().count(b"\n")
    assert re.match(rf".*log\.jsonl:{number}: ", found)
    assert words in found


@pytest.mark.parametrize("name", ["run.json", log.LOG])
def test_a_fifo_and_a_device_are_not_read(
    name: str, tmp_path: Path, history: report._History
) -> None:
    folder = published.write(tmp_path)
    (folder / name).unlink()
    os.mkfifo(folder / name)
    assert report._problems(history, folder) == [
        f"{name}: is a FIFO; a run keeps its lines in a plain file"
    ]
    (folder / name).unlink()
    (folder / name).symlink_to("/dev/zero")
    assert "is a device" in report._problems(history, folder)[0]


def test_what_is_far_too_long_is_one_short_problem(
    tmp_path: Path, history: report._History
) -> None:
    folder = published.write(tmp_path)
    log_file = folder / log.LOG
    lines = log_file.read_bytes()
    log_file.write_bytes(lines.replace(SPAWN.encode(), b"a/" * 100_000, 1))
    assert max(map(len, report._problems(history, folder))) < 2000
    log_file.write_bytes(lines)
    with (folder / "run.json").open("ab") as file:
        file.write(b" " * (1 << 24))
    assert report._problems(history, folder) == [
        "run.json: holds more than 16 MiB, which no run of ours does"
    ]


def test_a_header_that_is_nested_too_deeply_is_one_problem(
    tmp_path: Path, history: report._History
) -> None:
    folder = published.write(tmp_path)
    (folder / "run.json").write_text(f'{{"box":{DEEP}}}')
    assert report._problems(history, folder) == ["run.json: nested too deeply"]
