"""Pure parts of the measuring half: traces, manifests, plans, the log."""

from __future__ import annotations

import gzip
from collections import Counter
from itertools import pairwise
from pathlib import Path

import msgspec
import planted
import pytest

from corobench.contract import checks
from corobench.contract.traces import RULES, Event, Trace, true_switches
from corobench.errors import NothingSelected, UserError
from corobench.plan import (
    Selection,
    block_families,
    block_order,
    chosen,
    families,
    first_to_go,
    make_plan,
)
from corobench.results import log
from corobench.results.log import SCHEMA, RunHeader, create, pack, read, reopen
from corobench.suite.load import load_suite
from corobench.suite.workload import NO_PROGRAM, PROFILES, parse_case

SUITE = load_suite(planted.REPOSITORY)


def trace(
    *events: tuple[str, int, str],
    tasks: int = 2,
    resumes: int = 1,
    order: str = "any",
    at_once: int = 1,
    deviates: bool = False,
    **params: int,
) -> Trace:
    seen = [Event(*event) for event in events]
    return Trace(seen, tasks, resumes, order, at_once, params, deviates=deviates)  # type: ignore[arg-type]


def judged(runtime: str, chained: list[tuple[str, int, str]], tasks: int) -> str | None:
    """What is wrong with a spawn chain of a runtime on one CPU."""
    expected = checks.Expectation(
        workload=SUITE.workloads["spawn-chain"],
        runtime=SUITE.runtimes[runtime],
        params={"n": tasks},
        cpus=1,
        iterations=1,
        version="",
        language_version="",
        traced=True,
    )
    return checks.trace(chained, expected)


def chained(tasks: int, ends: int) -> list[tuple[str, int, str]]:
    """Each task starts the next one, and ends when so many later ones have been started."""
    events = [("spawn", 0, "main")]
    for i in range(tasks):
        events += [("run", i, f"t{i}"), *([("spawn", i + 1, f"t{i}")] if i + 1 < tasks else [])]
        events += [("done", i - ends, f"t{i - ends}")] if i >= ends else []
    return events + [("done", i, f"t{i}") for i in range(tasks - ends, tasks)]


def numbered(kind: str, first: int) -> str | None:
    """What is wrong with a spawn of two tasks, the first of this number."""
    expected = checks.Expectation(
        workload=msgspec.structs.replace(SUITE.workloads["spawn"], nonce=kind),
        runtime=SUITE.runtimes["asyncio"],
        params={"n": 2},
        cpus=1,
        iterations=1,
        version="",
        language_version="",
        traced=True,
        nonce=1_000_000,
    )
    tasks = range(first, first + 2)
    events = [
        *((event, i, "main") for i in tasks for event in ("spawn", "spawned")),
        *((event, i, f"t{i}") for i in tasks for event in ("run", "done")),
        *(("collect", i, "main") for i in tasks),
    ]
    return checks.trace(events, expected)


class TestTraces:
    def test_tasks_are_numbered_from_the_nonce_where_the_spec_says_so(self) -> None:
        assert numbered("first-task", 1_000_000) is None
        assert numbered("first-value", 0) is None
        assert "tasks have no 'spawn' event" in str(numbered("first-task", 0))
        assert "tasks have no 'spawn' event" in str(numbered("first-value", 1_000_000))

    def test_true_switches(self) -> None:
        assert true_switches([]) == 0
        assert true_switches([0, 0, 0]) == 1
        assert true_switches([0, 1, 1, 0]) == 3

    @pytest.mark.parametrize(
        ("runtime", "tasks", "ends", "wrong"),
        [
            ("asyncio", 100, 0, False),
            ("asyncio", 100, 1, True),
            ("pthread", 2, 1, False),
            ("pthread", 100, 3, False),
            ("pthread", 100, 99, True),
            ("threads-py313t", 100, 99, True),
        ],
    )
    def test_ended_threads_may_wait_for_the_cpu_and_nothing_else_may(
        self, runtime: str, tasks: int, ends: int, wrong: bool
    ) -> None:
        problem = judged(runtime, chained(tasks, ends), tasks)
        assert ("'chain'" in problem) is wrong if problem else not wrong

    @pytest.mark.parametrize(("at_once", "wrong"), [(1, True), (2, False)])
    def test_a_chain_may_overlap_by_one_where_two_may_run(self, at_once: int, wrong: bool) -> None:
        events = (
            ("spawn", 0, "m"),
            ("run", 0, "a"),
            ("spawn", 1, "a"),
            ("run", 1, "b"),
            ("done", 0, "a"),
            ("done", 1, "b"),
        )
        assert bool(RULES["chain"](trace(*events, at_once=at_once))) is wrong

    def test_a_chain_started_by_the_root(self) -> None:
        events = (
            ("spawn", 0, "m"),
            ("spawn", 1, "m"),
            ("run", 0, "a"),
            ("done", 0, "a"),
            ("run", 1, "b"),
            ("done", 1, "b"),
        )
        assert RULES["chain"](trace(*events)) == "task 1 was not started by task 0"

    def test_alternation(self) -> None:
        good = [("run", place % 2, "u") for place in range(4)]
        assert RULES["alternate"](trace(*good, resumes=2)) is None
        assert "number 1" in str(
            RULES["alternate"](
                trace(("run", 0, "u"), ("run", 0, "u"), ("run", 1, "u"), ("run", 1, "u"), resumes=2)
            )
        )

    @pytest.mark.parametrize(
        ("ran", "problem"),
        [
            # 0 sends, 1 and 2 receive; the first run of each is its start
            ([0, 0, 0, 0, 1, 1, 2, 2, 1], None),
            ([1, 0, 0, 2, 1, 0, 0, 1, 2], None),
            ([0, 0, 0, 0, 0, 1, 1, 2, 2], "4 messages had been sent and not received"),
            ([0, 0, 0, 1, 1, 2, 2], "2 messages were recorded as sent, of 3"),
        ],
    )
    def test_a_channel_holds_no_more_than_its_room(
        self, ran: list[int], problem: str | None
    ) -> None:
        events = [("run", task, f"t{task}") for task in ran]
        found = RULES["bounded"](trace(*events, tasks=3, resumes=3, p=1, b=1))
        assert found is None if problem is None else problem in str(found)

    def test_two_tasks_in_one_unit(self) -> None:
        events = (
            ("spawn", 0, "m"),
            ("spawn", 1, "m"),
            ("run", 0, "pool"),
            ("done", 0, "pool"),
            ("run", 1, "pool"),
            ("done", 1, "pool"),
        )
        assert (
            RULES["own-unit"](trace(*events))
            == "tasks 0 and 1 ran in the same unit 'pool': not a task each"
        )

    def test_permits(self) -> None:
        def found(*events: tuple[str, int], permits: int = 1, tasks: int = 2) -> str | None:
            told = [(kind, task, f"t{task}") for kind, task in events]
            return RULES["permits"](trace(*told, tasks=tasks)._replace(permits=permits))

        asked = (("ask", 0), ("ask", 1))
        first, second = (("enter", 0), ("leave", 0)), (("enter", 1), ("leave", 1))
        together = (*asked, ("enter", 0), ("enter", 1))
        assert found(*asked, *first, *second) is None
        assert found(*together) == "2 tasks were inside at once (0, 1); 1 may be"
        assert found(*together, permits=2) is None
        assert found(*asked, *first, *second, permits=2) == (
            "never more than 1 tasks were inside at once; 2 may be"
        )
        assert found(*asked, *first) == "task 1 entered 0 times instead of 1"
        assert found(*first) == "task 0 was let in when 0 of 2 tasks had asked"
        assert found(("ask", 0), *first, ("ask", 1), *second) == (
            "task 0 was let in when 1 of 2 tasks had asked"
        )
        assert found(("ask", 0), *first, tasks=1) is None

    @pytest.mark.parametrize(
        ("told", "wrong"),
        [
            ("open0 spawn0 spawn1 run0 run1 fail1 done0 close0", None),
            ("open0 spawn0 spawn1 run0 run1 fail0 done1 close0", None),
            ("spawn0 open0 spawn1", "task 0 has a 'spawn' event outside of a scope"),
            ("open0 spawn0 open1", "scope 1 was opened before the one before it had closed"),
            ("open0 spawn0 spawn1 run1 fail1", "task 1 failed before task 0 ran"),
            ("open0 spawn0 run0 fail0 spawn1", "task 1 was started after the failure"),
            (
                "open0 spawn0 spawn1 run0 run1 done0 fail1",
                "task 0 ended before any had failed: nothing cancelled it",
            ),
            ("open0 spawn0 spawn1 run0 run1 fail0 fail1", "tasks 0 and 1 failed, in one scope"),
            (
                "open0 spawn0 spawn1 run0 run1 fail1 close0 done0",
                "scope 0 closed before task 0 had ended",
            ),
            ("open0 spawn0 spawn1 run0 run1 close0", "a scope closed in which no task had failed"),
            ("open0 spawn0 spawn1 run0 run1 fail1 done0", "the last scope never closed"),
            ("open0 spawn0 run0 fail0 close0", "1 tasks in scopes, not 2"),
        ],
    )
    def test_scope(self, told: str, wrong: str | None) -> None:
        events = [(word[:-1], int(word[-1]), "u") for word in told.split()]
        assert RULES["scope"](trace(*events)) == wrong

    @pytest.mark.parametrize(
        ("order", "deviates", "wrong"),
        [
            ([0, 1, 0, 1], False, None),
            ([0, 0, 1, 1], False, None),  # half of the resumes: trio and Tokio do not promise more
            ([0, 0, 0, 1, 1, 1], False, "2 of 6 resumes were of another task"),
            ([0, 0, 0, 1, 1, 1], True, None),
            ([0, 1, 0, 1], True, "the manifest says that nobody gives way"),
        ],
    )
    def test_who_sleeps_gives_way_or_the_manifest_says_not(
        self, order: list[int], deviates: bool, wrong: str | None
    ) -> None:
        ran = [("run", i, f"t{i}") for i in order]
        found = RULES["gives-way"](trace(*ran, deviates=deviates))
        assert (found is None) if wrong is None else (found is not None and wrong in found)

    @pytest.mark.parametrize(("ends", "wrong"), [([2, 0, 1], False), ([0, 2, 1], True)])
    def test_a_load_ends_after_what_it_is_the_load_of(self, ends: list[int], wrong: bool) -> None:
        done = trace(*(("done", i, f"t{i}") for i in ends), tasks=3, resumes=2)
        found = RULES["outlives"](done)
        assert found == (
            "task 0 of the load was done before task 2, beside which it was to run"
            if wrong
            else None
        )

    def test_a_lone_task_has_nobody_to_give_way_to(self) -> None:
        alone = trace(("run", 0, "t0"), ("run", 0, "t0"), ("run", 0, "t0"), tasks=1)
        assert RULES["gives-way"](alone) is None

    def test_starving_is_not_round_robin(self) -> None:
        ran = [("run", task, "u") for task in (0, 1, 0, 0, 1, 1)]
        assert RULES["yield-order"](trace(*ran, resumes=3)) is None
        assert "turn 1 resumed 0, 0, turn 0 0, 1" in str(
            RULES["yield-order"](trace(*ran, resumes=3, order="round-robin"))
        )

    @pytest.mark.parametrize("order", ["any", "round-robin"])
    def test_every_task_is_resumed_as_often_as_asked_in_any_order(self, order: str) -> None:
        ran = [("run", task, "u") for task in (0, 0, 0, 1, 1, 1)]
        assert RULES["resumed"](trace(*ran, resumes=3, order=order)) is None
        found = RULES["resumed"](trace(*ran[:-1], resumes=3, order=order))
        assert found == "task 1 was resumed 2 times instead of 3"


class TestManifest:
    def test_the_repository_itself(self) -> None:
        assert {
            "baseline",
            "startup",
            "spawn",
            "spawn-chain",
            "switch",
            "hand-off",
            "memory",
        } <= set(SUITE.workloads)
        core = {
            "asyncio",
            "uvloop",
            "gevent",
            "go",
            "go-p1",
            "tokio-current-thread",
            "tokio-multi-thread",
            "node",
        }
        assert core <= set(SUITE.runtimes)
        for runtime in SUITE.runtimes.values():
            assert runtime.notes, f"{runtime.name} has no notes"

    def test_each_track_has_one_reference(self) -> None:
        """Of what every runtime is asked; what only takes part in scenarios may have one of its
        own.
        """
        core = [
            runtime
            for runtime in SUITE.runtimes.values()
            if runtime.gap(SUITE.workloads["spawn"]) is None
        ]
        named = Counter(track for runtime in core for track in runtime.variant.reference)
        assert named == {"one-cpu": 1, "all-cpus": 1}

    @pytest.mark.parametrize("profile", PROFILES)
    def test_no_cell_has_two_references(self, profile: str) -> None:
        cases = [
            parse_case(key)
            for key in make_plan(SUITE, Selection(profile=profile, runtimes=["all"]), seed=0).cases
        ]
        named = Counter(
            case.cell
            for case in cases
            if not case.twin and case.track in SUITE.runtimes[case.runtime].variant.reference
        )
        assert {cell: count for cell, count in named.items() if count > 1} == {}

    @pytest.mark.parametrize(
        ("workload", "each", "least"),
        [("switch", "m", 50), ("fan-in", "m", 200), ("ring", "rounds", 10)],
    )
    def test_a_start_or_join_is_a_small_part_of_what_a_task_does(
        self, workload: str, each: str, least: int
    ) -> None:
        """The clocks of these cover the start of each task, or its join, which can cost as much as
        twenty yields.
        """
        points = SUITE.workloads[workload].points("default")
        assert points
        assert [point.name for point in points if int(point.params[each]) < least] == []

    def test_unknown_key_names_file_and_key(self, tmp_path: Path) -> None:
        planted.plant(tmp_path, {})
        file = tmp_path / "planted" / "one" / "runtime.toml"
        file.write_text(file.read_text().replace('order = "round-robin"', 'odrer = "round-robin"'))
        with pytest.raises(
            UserError,
            match=r"runtime\.toml: Object contains unknown field `odrer` - at `\$\.variant\[0\]`",
        ):
            load_suite(tmp_path)

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ('trace = ["complete"', 'trace = ["compleet"', "trace: unknown rule 'compleet'"),
            ('ops = "== n"', 'ops = "== m"', "evidence.ops: unknown name 'm'"),
            ("params = { n = 1_000 }", "params = { k = 1_000 }", "the spec's parameters are n"),
            ('title = "Spawn"', "title = Spawn", "not valid TOML"),
            ('unit = "s"', 'unit = "ms"', r"Invalid enum value 'ms'"),
        ],
    )
    def test_a_wrong_spec(self, tmp_path: Path, old: str, new: str, message: str) -> None:
        planted.plant(tmp_path, {})
        file = tmp_path / "runner" / "workloads" / "spawn.toml"
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))
        with pytest.raises(UserError, match=r"spawn\.toml: ") as caught:
            load_suite(tmp_path)
        assert message in str(caught.value)


class TestPlan:
    plan = make_plan(SUITE, Selection(profile="default"), seed=7)

    def test_every_block_holds_every_case_once(self) -> None:
        for block in range(5):
            assert sorted(block_order(self.plan, block)) == sorted(self.plan.cases)

    def test_the_same_seed_gives_the_same_order(self) -> None:
        again = make_plan(SUITE, Selection(profile="default"), seed=7)
        other = make_plan(SUITE, Selection(profile="default"), seed=8)
        assert block_order(self.plan, 3) == block_order(again, 3)
        assert block_order(self.plan, 3) != block_order(other, 3)
        assert block_order(self.plan, 3) != block_order(self.plan, 4)

    def test_families_stay_together(self) -> None:
        order = [key.split("/")[0] for key in block_order(self.plan, 2)]
        assert len([1 for a, b in pairwise(order) if a != b]) == len(families(self.plan)) - 1

    def test_a_block_is_its_families_in_their_order(self) -> None:
        made = block_families(self.plan, 2)
        assert [key for family in made for key in family] == block_order(self.plan, 2)
        assert sorted(map(sorted, made)) == sorted(map(sorted, families(self.plan)))

    @pytest.mark.parametrize("sides", [["a", "b"], ["a", "b", "c", "d"]])
    def test_who_goes_first_is_drawn_and_each_goes_first_equally_often(
        self, sides: list[str]
    ) -> None:
        orders = [first_to_go(sides, "spawn", block, seed=7) for block in range(len(sides))]
        for place in range(len(sides)):
            assert sorted(order[place] for order in orders) == sides
        assert len({tuple(first_to_go(sides, "spawn", 0, seed)) for seed in range(20)}) > 1
        assert (
            len({tuple(first_to_go(sides, family, 0, 7)) for family in map(str, range(20))}) > 1
        ), "not one for a whole block"

    def test_runtimes_that_are_compared_are_neighbours(self) -> None:
        cells = [parse_case(key).cell for key in block_order(self.plan, 2)]
        assert len([1 for a, b in pairwise(cells) if a != b]) == len(set(cells)) - 1

    def test_positions_and_carry_over_balance_over_a_full_cycle(self) -> None:
        plan = make_plan(
            SUITE, Selection(profile="smoke", workloads=["hand-off"], tracks=["one-cpu"]), seed=1
        )
        size = len(plan.cases)
        cycle = size if size % 2 == 0 else 2 * size
        orders = [block_order(plan, block) for block in range(cycle)]
        positions = Counter((key, place) for order in orders for place, key in enumerate(order))
        follows = Counter(pair for order in orders for pair in pairwise(order))
        assert set(positions.values()) == {cycle // size}
        assert len(follows) == size * (size - 1)
        assert set(follows.values()) == {cycle // size}

    def test_a_profile_measures_the_runtimes_that_name_it_and_others_where_they_are_named(
        self,
    ) -> None:
        core = {
            "asyncio",
            "uvloop",
            "gevent",
            "go-p1",
            "go",
            "tokio-current-thread",
            "tokio-multi-thread",
            "node",
        }
        assert core <= set(chosen(SUITE, Selection(profile="default")))
        assert "asyncio-gcoff" not in chosen(SUITE, Selection(profile="default"))
        assert chosen(SUITE, Selection(profile="default", runtimes=["asyncio-gcoff"])) == [
            "asyncio-gcoff"
        ]
        assert chosen(SUITE, Selection(profile="default", runtimes=["all"])) == list(SUITE.runtimes)

    def test_what_does_not_concern_a_runtime_is_no_gap(self) -> None:
        plan = make_plan(SUITE, Selection(profile="scenarios", runtimes=["asyncio-gcoff"]), seed=0)
        assert {key.split("/")[0] for key in plan.cases} <= {"fizzbuzz", "fizzbuzz-sleep", "timers"}
        assert plan.gaps == []

    def test_a_setting_that_a_runtime_does_not_have_is_no_case(self) -> None:
        plan = make_plan(
            SUITE,
            Selection(
                profile="scenarios",
                workloads=["starvation"],
                runtimes=["tokio-current-thread", "go-p1"],
            ),
            seed=0,
        )
        modes = {
            (
                parse_case(key).runtime,
                plan.points[key.partition("/")[0] + "/" + key.split("/")[1]].params["mode"],
            )
            for key in plan.cases
        }
        assert ("go-p1", "gosched") in modes
        assert ("tokio-current-thread", "gosched") not in modes

    def test_a_sized_point_is_measured_as_the_box_is_and_once(self) -> None:
        workers = {}
        for cores in (1, 15):
            plan = make_plan(
                SUITE,
                Selection(
                    profile="scenarios", workloads=["webmatrix"], runtimes=["flask-gunicorn"]
                ),
                0,
                cores=cores,
            )
            assert len(plan.cases) == len(set(plan.cases))
            workers[cores] = {point.params["workers"] for point in plan.points.values()}
            assert not any(point.derived for point in plan.points.values())
        assert workers[15] - workers[1] == {31}
        assert workers[1] - workers[15] == set()

    def test_breadth_leaves_out_no_language_that_has_tasks(self) -> None:
        plan = make_plan(SUITE, Selection(profile="breadth", tracks=["one-cpu"]), seed=0)
        measured = {
            SUITE.runtimes[parse_case(key).runtime].toolchain.language for key in plan.cases
        }
        assert measured == {
            r.toolchain.language for r in SUITE.runtimes.values() if r.offers("spawn", {"n": 1000})
        }
        core = {workload.name for workload in SUITE.workloads.values() if workload.group == "core"}
        assert core - {parse_case(key).workload for key in plan.cases} == {
            "baseline",
            "memory-timer",
        }

    def test_what_is_asked_of_certain_units_is_asked_of_no_other(self) -> None:
        plan = make_plan(
            SUITE,
            Selection(
                profile="publish",
                workloads=["spawn", "memory-timer"],
                runtimes=["rust-thread", "asyncio"],
            ),
            seed=0,
        )
        spawned = [parse_case(key) for key in plan.cases if key.startswith("spawn/")]
        assert {case.runtime for case in spawned if case.point == "n=100"} == {"rust-thread"}
        assert {case.runtime for case in spawned if case.point == "n=1000"} == {
            "rust-thread",
            "asyncio",
        }
        assert [gap for gap in plan.gaps if gap.workload != "spawn" or gap.point is None] == []

    def test_no_runtime_is_without_a_program_and_without_a_reason(self) -> None:
        unexplained = [
            (runtime.name, workload.name)
            for runtime in SUITE.runtimes.values()
            for workload in SUITE.workloads.values()
            if runtime.concerns(workload) and runtime.gap(workload) == NO_PROGRAM
        ]
        assert unexplained == []

    def test_the_reference_takes_part_twice_in_every_cell(self) -> None:
        cells = {parse_case(key).cell for key in self.plan.cases}
        twins = {parse_case(key).cell for key in self.plan.cases if parse_case(key).twin}
        assert twins == cells == set(self.plan.references)

    def test_unknown_names_offer_the_nearest(self) -> None:
        with pytest.raises(UserError, match="unknown runtime 'asyncoi'; did you mean 'asyncio'"):
            make_plan(SUITE, Selection(runtimes=["asyncoi"]), seed=0)
        with pytest.raises(UserError, match="unknown workload 'spwan'; did you mean 'spawn'"):
            make_plan(SUITE, Selection(workloads=["spwan"]), seed=0)
        with pytest.raises(UserError, match="unknown profile 'qick'; did you mean 'quick'"):
            make_plan(SUITE, Selection(profile="qick"), seed=0)

    def test_nothing_selected(self) -> None:
        with pytest.raises(NothingSelected):
            make_plan(SUITE, Selection(runtimes=["asyncio"], tracks=["all-cpus"]), seed=0)

    def test_a_missing_runtime_is_a_gap_with_its_reason(self) -> None:
        plan = make_plan(SUITE, Selection(), seed=0, missing={"node": "no Node here"})
        assert not any(key.endswith("/node") for key in plan.cases)
        assert {
            gap.reason for gap in plan.gaps if gap.runtime == "node" and gap.workload == "spawn"
        } == {"no Node here"}


class TestStore:
    mark = log.Mark(event="resumed", at="2026-01-01T00:00:00.000+00:00")

    def folder(self, tmp_path: Path) -> Path:
        plan = make_plan(SUITE, Selection(profile="smoke"), seed=1)
        header = RunHeader(
            schema=SCHEMA,
            run="r",
            created="2026-01-01T00:00:00+00:00",
            corobench="0",
            commit="",
            dirty=False,
            plan=plan,
            box={},
            runtimes={},
            workloads={},
            true_switches={},
            claims=False,
        )
        log = create(tmp_path / "run", header)
        log.append(self.mark)
        log.append(self.mark)
        log.close()
        return tmp_path / "run"

    def test_round_trip(self, tmp_path: Path) -> None:
        run = log.read(self.folder(tmp_path))
        assert run.lines == [self.mark, self.mark]
        assert run.warnings == []

    def test_a_torn_last_line_is_dropped_with_a_warning(self, tmp_path: Path) -> None:
        folder = self.folder(tmp_path)
        with (folder / "log.jsonl").open("ab") as file:
            file.write(msgspec.json.encode(self.mark)[:-7])
        run = read(folder)
        assert len(run.lines) == 2
        assert "torn" in run.warnings[0]
        log = reopen(run)
        log.append(self.mark)
        log.close()
        assert read(folder).lines == [self.mark] * 3

    @pytest.mark.parametrize("name", ["log.jsonl.zst", "log.jsonl.gz"])
    def test_a_packed_log_reads_and_goes_on_as_the_plain_one(
        self, tmp_path: Path, name: str
    ) -> None:
        folder = self.folder(tmp_path)
        if name.endswith(".gz"):
            (folder / name).write_bytes(gzip.compress((folder / "log.jsonl").read_bytes()))
            (folder / "log.jsonl").unlink()
        else:
            pack(folder)
        assert [file.name for file in folder.iterdir() if file.name != "run.json"] == [name]
        run = read(folder)
        assert run.lines == [self.mark, self.mark]
        log = reopen(run)
        log.append(self.mark)
        log.close()
        pack(folder)
        assert sorted(file.name for file in folder.iterdir()) == ["log.jsonl.zst", "run.json"]
        assert read(folder).lines == [self.mark] * 3

    def test_a_kill_while_packing_leaves_the_plain_log(self, tmp_path: Path) -> None:
        folder = self.folder(tmp_path)
        plain = (folder / "log.jsonl").read_bytes()
        log.pack(folder)
        (folder / "log.jsonl").write_bytes(plain + plain)
        assert len(log.read(folder).lines) == 4
        (folder / "log.jsonl").unlink()
        whole = (folder / "log.jsonl.zst").read_bytes()
        (folder / "log.jsonl.zst").write_bytes(whole[:-9])
        with pytest.raises(UserError, match=r"log\.jsonl\.zst: the archive is damaged"):
            log.read(folder)

    def test_any_other_bad_line_names_file_and_line(self, tmp_path: Path) -> None:
        folder = self.folder(tmp_path)
        file = folder / "log.jsonl"
        lines = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(lines[0] + b'{"type":"mark","evnt":1}\n' + lines[1])
        with pytest.raises(UserError, match=r"log\.jsonl:2: corrupt line"):
            log.read(folder)

    def test_not_a_run(self, tmp_path: Path) -> None:
        with pytest.raises(UserError, match=r"run\.json: not a run"):
            log.read(tmp_path)
