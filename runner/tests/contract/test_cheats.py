"""Planted cheats are rejected by verify, with a message that names the case and what was wrong."""

from __future__ import annotations

from pathlib import Path

import planted
import pytest

from corobench.contract.checks import unmet
from corobench.execute import verify
from corobench.execute.invocation import Place, measure
from corobench.execute.process import Trouble
from corobench.execute.program import track_cpus
from corobench.execute.verify import check, job
from corobench.results.log import Failure
from corobench.suite.load import load_suite

CLAIM = "ops=finished, created=created, finished=finished, checksum=checksum"
CLAIM_ALL = "ops=n, created=n, finished=n, checksum=n * lap.nonce + n * (n - 1) // 2"

HONEST = [
    "baseline",
    "cancel",
    "channel",
    "fan-in",
    "hand-off",
    "io-switch",
    "memory",
    "memory-state",
    "mutex",
    "ring",
    "scope",
    "semaphore",
    "select",
    "spawn",
    "spawn-chain",
    "startup",
    "switch",
    "timers",
    "tree",
    "wake-thread",
]

PLAIN_CALLS = """
    async def already(value: int) -> int:
        return value

    tasks = []
    for i in numbers:
        trace.note("spawn", i)
        value = await body(i)
        trace.note("spawned", i)
        tasks.append(already(value))
"""

FAILING_TASK = """
    task.ran = getattr(task, "ran", 0) + 1
    if task.ran == 2:
        raise ValueError("task failed")
    return i
"""

ONE_BY_ONE = """
    done, created = {}, 0
    for i in numbers:
        done[i] = await start(body(i))
        created += 1
        trace.note("collect", i)
"""

FLAT = """
    inner = [start(node(0, 1)) for _ in range((n - 1) // 9)]
    leaves = [start(node(nonce + i, 1)) for i in range(n)]
    for running in inner:
        await running
    total = sum([await running for running in leaves])
    return len(inner) + len(leaves), total
"""

CANCELLED_AT_ONCE = """
    tasks = []
    for i in range(n):
        tasks.append(start(body(i)))
        await loop.sleep(0)
        tasks[-1].cancel()
        await loop.sleep(0)
"""

HASTY = """
import loop
import stackless_support
from harness import Program


class Hasty:
    \"\"\"asyncio, but for a sleep that gives no task its turn.\"\"\"

    Event, create_task = loop.Event, loop.create_task

    @staticmethod
    async def sleep(seconds):
        pass


stackless_support.loop = Hasty
"""


def problems(
    root: Path, workload: str, source: str, settings: str = "", order: str = "round-robin"
) -> str:
    suite = planted.plant(root, {workload: source}, settings, order)
    program = planted.program(suite, workload)
    return "\n".join(
        check(job(program, suite.workloads[workload], planted.prepared(), [])).problems
    )


@pytest.mark.parametrize("workload", HONEST)
def test_honest_programs_pass(tmp_path: Path, workload: str) -> None:
    assert problems(tmp_path, workload, planted.honest(workload)) == ""


def test_skipping_half_of_the_tasks(tmp_path: Path) -> None:
    source = planted.cheat("spawn", "for i in numbers]", "for i in numbers[::2]]")
    found = problems(tmp_path, "spawn", source)
    assert "planted/spawn/n=100" in found
    assert "ops is 50, the spec asks for == n (== 100)" in found


def test_skipping_half_but_claiming_all(tmp_path: Path) -> None:
    source = planted.cheat("spawn", "for i in numbers]", "for i in numbers[::2]]")
    source = source.replace(CLAIM, CLAIM_ALL)
    found = problems(tmp_path, "spawn", source)
    assert (
        "planted/spawn/n=100: trace breaks the rule 'complete': 50 of 100 tasks have no "
        "'spawn' event"
    ) in found


def test_plain_calls_that_count_right(tmp_path: Path) -> None:
    source = planted.cheat("spawn", "    tasks = [start(body(i)) for i in numbers]\n", PLAIN_CALLS)
    found = problems(tmp_path, "spawn", source)
    assert "planted/spawn/n=100: trace breaks the rule 'own-unit'" in found
    assert "a plain call, not a task" in found


def test_one_by_one_where_the_contract_says_all_first(tmp_path: Path) -> None:
    source = planted.cheat(
        "spawn",
        "    tasks = [start(body(i)) for i in numbers]\n    created = len(tasks)\n",
        ONE_BY_ONE,
    )
    source = source.replace("in trace.collects(tasks, numbers.start)", "in numbers").replace(
        "await running", "done[running]"
    )
    found = problems(tmp_path, "spawn", source)
    assert "planted/spawn/n=100: trace breaks the rule 'all-spawned-first'" in found
    assert "collected when only 1 of 100 tasks had been started" in found


def test_a_setting_that_did_not_take(tmp_path: Path) -> None:
    found = problems(tmp_path, "spawn", planted.honest("spawn"), settings="debug = true")
    assert (
        "planted/spawn/n=2: the setting 'debug' did not take: hello says False, the manifest True"
        in found
    )


def test_asked_for_one_thread_used_two(tmp_path: Path) -> None:
    source = planted.cheat(
        "spawn",
        "import loop\n",
        "import asyncio_support\nimport loop\n\nasyncio_support.settings = lambda loop: {'threads': 2}\n",
    )
    found = problems(tmp_path, "spawn", source, settings="threads = 1")
    assert "the setting 'threads' did not take: hello says 2, the manifest 1" in found


def test_anything_else_on_stdout(tmp_path: Path) -> None:
    source = planted.cheat(
        "spawn", '    n = program["n"]\n', '    n = program["n"]\n    print("warming up")\n'
    )
    found = problems(tmp_path, "spawn", source)
    assert "planted/spawn/n=2: not a line of the protocol on stdout: 'warming up'" in found


def test_exit_status_0_after_a_failed_task(tmp_path: Path) -> None:
    """It swallows the error and claims everything: the trace lacks the end of the task."""
    source = planted.cheat("spawn", "    return i\n", FAILING_TASK).replace(CLAIM, CLAIM_ALL)
    source = source.replace(
        "checksum += await running", "await loop.gather(running, return_exceptions=True)"
    )
    found = problems(tmp_path, "spawn", source)
    assert (
        "planted/spawn/n=2: trace breaks the rule 'complete': 1 of 2 tasks have no 'done' "
        "event (first: 1)"
    ) in found


def test_a_failed_task_ends_in_exit_status_1(tmp_path: Path) -> None:
    source = planted.cheat("spawn", "    return i\n", FAILING_TASK)
    assert "planted/spawn/n=2: exit status 1: ValueError: task failed" in problems(
        tmp_path, "spawn", source
    )


def test_an_order_that_the_manifest_does_not_keep(tmp_path: Path) -> None:
    source = planted.cheat(
        "switch", "await loop.sleep(0)", "await loop.sleep(0.0001 * (count % 2))"
    )
    found = problems(tmp_path, "switch", source)
    assert (
        "planted/switch/k=100,m=20: trace breaks the rule 'yield-order': not round robin" in found
    )


def test_held_before_all_have_parked(tmp_path: Path) -> None:
    source = planted.cheat("memory", "from harness import Program\n", HASTY)
    found = problems(tmp_path, "memory", source)
    assert "planted/memory/n=100: 0 units at hold 'live', the spec asks for == n (== 100)" in found


def test_a_tree_whose_root_starts_them_all(tmp_path: Path) -> None:
    source = planted.cheat(
        "tree", "    total = await start(node(nonce, n))\n    return finished + 1, total\n", FLAT
    )
    found = problems(tmp_path, "tree", source)
    assert (
        "planted/tree/n=100: trace breaks the rule 'tree': 111 of 111 tasks were started by no "
        "task of the tree"
    ) in found


def test_a_tree_that_joins_each_child_before_it_starts_the_next(tmp_path: Path) -> None:
    together = (
        "children = [start(node(child, tenth)) for child in range(first, first + leaves, tenth)]"
    )
    source = planted.cheat("tree", together, "children = range(first, first + leaves, tenth)")
    source = source.replace("total += await running", "total += await start(node(running, tenth))")
    found = problems(tmp_path, "tree", source)
    assert (
        "planted/tree/n=100: trace breaks the rule 'tree': no task had two of its children "
        "alive at once"
    ) in found


def test_cancelled_before_the_others_have_parked(tmp_path: Path) -> None:
    waiting = (
        "    tasks = [start(body(i)) for i in range(n)]\n    await loop.sleep(0)  # back "
        "here, all of them wait\n"
    )
    source = planted.cheat("cancel", waiting, CANCELLED_AT_ONCE).replace(
        "waiting = len(tasks) - cleaned", "waiting = n"
    )
    found = problems(tmp_path, "cancel", source)
    assert (
        "planted/cancel/n=100: trace breaks the rule 'all-run-first': task 0 had ended "
        "before task 99 ran"
    ) in found


def test_tasks_that_give_way_once_in_place_of_parking(tmp_path: Path) -> None:
    found = problems(
        tmp_path, "cancel", planted.cheat("cancel", "await gate.wait()", "await loop.sleep(0)")
    )
    assert "planted/cancel/n=2: iteration 0: ops is 0, the spec asks for == n (== 2)" in found
    assert "planted/cancel/n=100: iteration 0: ops is 0, the spec asks for == n (== 100)" in found


def test_tasks_that_have_ended_before_they_are_cancelled(tmp_path: Path) -> None:
    """They claim to have been cancelled: what counts them is that they wait when the clock
    starts.
    """
    source = planted.cheat(
        "cancel", "await gate.wait()", "await loop.sleep(0)\n            raise loop.CancelledError"
    )
    found = problems(tmp_path, "cancel", source)
    assert (
        "planted/cancel/n=100: iteration 0: created is 0, the spec asks for == n (== 100)" in found
    )


def test_a_queue_without_a_bound(tmp_path: Path) -> None:
    found = problems(
        tmp_path, "fan-in", planted.cheat("fan-in", "loop.Queue[int](ROOM)", "loop.Queue[int]()")
    )
    assert (
        "planted/fan-in/p=1,m=300: trace breaks the rule 'bounded': 1 producers had sent "
        "300 messages"
    ) in found


UNLOCKED = ("import loop\n", "import contextlib\n\nimport loop\n")


def unlocked() -> str:
    """asyncio's mutex with a lock that lets everybody in."""
    source = planted.cheat("mutex", *UNLOCKED)
    source = source.replace("loop.Lock(),", "contextlib.nullcontext(),")
    return source.replace("await lock.acquire()", "pass").replace("lock.release()", "pass")


def test_a_lock_that_lets_everybody_in(tmp_path: Path) -> None:
    found = problems(tmp_path, "mutex", unlocked())
    assert "planted/mutex/k=2,m=50: iteration 0: most is 2, the spec asks for == 1" in found
    assert "planted/mutex/k=100,m=10: iteration 0: most is 100" in found


def test_an_increment_that_is_lost_behind_a_claim(tmp_path: Path) -> None:
    found = problems(tmp_path, "mutex", claiming(unlocked(), most="1"))
    assert "planted/mutex/k=2,m=50: iteration 0: checksum is " in found


def claiming(source: str, **claims: str) -> str:
    """A program of mutex or semaphore that says of itself what the spec asks for."""
    told = ", ".join(f'"{name}": {value}' for name, value in claims.items())
    return source.replace(".evidence(counts)", f".evidence(counts) | {{{told}}}")


def test_a_lock_that_lets_everybody_in_behind_all_claims(tmp_path: Path) -> None:
    source = claiming(unlocked(), most="1", checksum="lap.nonce + k * m")
    found = problems(tmp_path, "mutex", source)
    # While the tasks are started, and before the root has released the lock.
    assert (
        "planted/mutex/k=2,m=50: trace breaks the rule 'permits': task 0 was let in when 1 of 2 "
        "tasks had asked"
    ) in found


HELD = "    await lock.acquire()\n"


def test_a_lock_that_nobody_waits_for(tmp_path: Path) -> None:
    """One task after the other."""
    together = "counts = await loop.gather(*tasks)"
    source = planted.cheat("mutex", HELD, "").replace("lock.release()", "pass")
    source = source.replace(
        "    tasks = [start(body(i, m, lock, section, trace)) for i in range(k)]\n", ""
    )
    source = source.replace(
        together, "counts = [await start(body(i, m, lock, section, trace)) for i in range(k)]"
    )
    found = problems(tmp_path, "mutex", source)
    assert (
        "planted/mutex/k=100,m=10: trace breaks the rule 'permits': task 0 was let in when 1 of "
        "100 tasks had asked"
    ) in found


def test_a_section_that_does_not_give_way(tmp_path: Path) -> None:
    source = planted.cheat("mutex", "contended=k > 1", "contended=False")
    assert (
        "planted/mutex/k=2,m=50: iteration 0: yields is 0, the spec asks for == k * m * (k > 1) "
        "(== 100)"
    ) in problems(tmp_path, "mutex", source)


def with_permits(permits: str) -> str:
    """asyncio's semaphore with another number of permits."""
    source = planted.cheat("semaphore", "loop.Semaphore(s)", f"loop.Semaphore({permits})")
    return source.replace("for _ in range(s)", f"for _ in range({permits})")


@pytest.mark.parametrize(("permits", "most"), [("s + 1", 3), ("1", 1)])
def test_a_semaphore_with_another_number_of_permits(
    tmp_path: Path, permits: str, most: int
) -> None:
    found = problems(tmp_path, "semaphore", with_permits(permits))
    assert (
        f"planted/semaphore/k=3,s=2,m=1000: iteration 0: most is {most}, the spec asks for "
        in found
    )


@pytest.mark.parametrize(
    ("permits", "wrong"), [("s + 1", "3 tasks were inside at once"), ("1", "never more than 1")]
)
def test_another_number_of_permits_behind_a_claim(tmp_path: Path, permits: str, wrong: str) -> None:
    found = problems(tmp_path, "semaphore", claiming(with_permits(permits), most="s"))
    assert f"planted/semaphore/k=3,s=2,m=1000: trace breaks the rule 'permits': {wrong}" in found


def test_children_that_are_never_cancelled(tmp_path: Path) -> None:
    """They end by themselves, before one fails."""
    waits = "await loop.Event().wait()"
    found = problems(tmp_path, "scope", planted.cheat("scope", waits, "pass"))
    assert "planted/scope/n=2,m=1: iteration 0: cancelled is 0" in found


def test_children_that_are_never_cancelled_behind_a_claim(tmp_path: Path) -> None:
    source = planted.cheat("scope", "await loop.Event().wait()", "scopes.cancelled += 1")
    assert (
        "planted/scope/n=2,m=1: trace breaks the rule 'scope': task 0 ended before any had "
        "failed: nothing cancelled it"
    ) in problems(tmp_path, "scope", source)


def test_a_failure_before_the_others_wait(tmp_path: Path) -> None:
    """Its task is started first, and waits for nobody; the others have not run."""
    source = planted.cheat("scope", "if siblings.missing:", "if False:")
    failing = "            start(fails(last, siblings, value))\n"
    each = "            for i in range(first, last):\n"
    source = source.replace(failing, "").replace(
        each,
        failing.replace("last", "first") + each.replace("first, last", "first + 1, last + 1"),
    )
    source = source.replace("siblings.arrive()", "pass")
    found = problems(tmp_path, "scope", claiming_all(source))
    assert "planted/scope/n=10,m=3: trace breaks the rule 'scope': task 0 failed before " in found


def claiming_all(source: str) -> str:
    """asyncio's scope, with the evidence that the spec asks for whatever has happened."""
    counts = "ops=n * m, created=n * m, failed=m, cancelled=(n - 1) * m, cleaned=(n - 1) * m"
    told = f"{counts}, checksum=m * lap.nonce + m * (m - 1) // 2"
    return source.replace("**scopes.evidence()", told)


def test_a_scope_that_does_not_wait_for_its_children(tmp_path: Path) -> None:
    """The root catches the error and cancels the others, but goes on before they have ended."""
    source = planted.cheat("scope", "except* Failure", "except Failure")
    source = source.replace("async with loop.TaskGroup() as group:", "if group := Loose():")
    source = source.replace(
        "siblings, value))\n", "siblings, value))\n            await group.end()\n"
    )
    source = source.replace("failures.exceptions", "[failures]").replace(
        "async def wait(", f"{LOOSE}\n\nasync def wait("
    )
    found = problems(tmp_path, "scope", claiming_all(source))
    assert "planted/scope/n=2,m=1: trace breaks the rule 'scope': scope 0 closed before " in found


LOOSE = """
class Loose:
    \"\"\"A group that gathers: the first error comes out of it, and the others are left alone.\"\"\"

    def __init__(self):
        self.tasks = []

    def create_task(self, child):
        self.tasks.append(loop.create_task(child))

    async def end(self):
        try:
            await loop.gather(*self.tasks)
        finally:
            for task in self.tasks:
                task.cancel()
"""


def test_an_error_that_is_another_scopes(tmp_path: Path) -> None:
    source = planted.cheat("scope", "lap.nonce + i", "lap.nonce")
    found = problems(tmp_path, "scope", source)
    assert "planted/scope/n=10,m=3: iteration 0: checksum is " in found


def test_a_channel_without_a_bound(tmp_path: Path) -> None:
    source = planted.cheat("channel", "queue = Queue(b)", "queue = Queue()")
    found = problems(tmp_path, "channel", source)
    assert (
        "planted/channel/p=1,c=1,b=128,m=300: trace breaks the rule 'bounded': 130 messages had "
        "been sent and not received; the channel has room for 128"
    ) in found


def test_a_channel_whose_messages_are_all_the_same(tmp_path: Path) -> None:
    source = planted.cheat("channel", "await put(message)", "await put(messages.start)")
    found = problems(tmp_path, "channel", source)
    assert "planted/channel/p=1,c=1,b=1,m=20: iteration 0: checksum is " in found


def test_a_channel_that_passes_many_messages_as_one(tmp_path: Path) -> None:
    source = planted.cheat(
        "channel",
        "    for message in messages:\n        await put(message)\n",
        "    await put(messages)\n",
    )
    source = source.replace("        received += 1\n", "        received += len(message)\n")
    source = source.replace("checksum += message", "checksum += sum(message)")
    found = problems(tmp_path, "channel", source)
    assert (
        "planted/channel/p=1,c=1,b=1,m=20: trace breaks the rule 'bounded': 1 messages were "
        "recorded as sent, of 20"
    ) in found


@pytest.mark.parametrize(
    ("point", "honest", "cheating"),
    [
        pytest.param(
            "params = { k = 2, w = 1, m = 10 }",
            "done, _ = await asyncio.wait(getters, return_when=asyncio.FIRST_COMPLETED)",
            "done = [next(iter(getters))]\n            await done[0]",
            id="the channels in turn",
        ),
        pytest.param(
            "params = { k = 8, w = 8, m = 10 }",
            "for getter in done:\n",
            "for other in [*done][1:]:\n"
            "                lost = getters.pop(other)\n"
            "                getters[asyncio.create_task(queues[lost].get())] = lost\n"
            "            for getter in [*done][:1]:\n",
            id="what lost the race is dropped",
        ),
    ],
)
def test_a_select_that_waits_for_a_message_in_vain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str, honest: str, cheating: str
) -> None:
    monkeypatch.setattr(verify, "TRIES", 1)
    planted.plant(tmp_path, {})
    spec = tmp_path / "runner" / "workloads" / "select.toml"
    head, *points = spec.read_text().split("[[verify]]\n")
    only = next(text for text in points if point in text)
    spec.write_text(f"timeout_s = 3\n{head}[[verify]]\n{only}")
    found = problems(tmp_path, "select", planted.cheat("select", honest, cheating))
    assert "did not finish within 3 s" in found


def test_a_select_that_does_not_tell_which_channel_was_ready(tmp_path: Path) -> None:
    source = planted.cheat("select", "counts[channel] += 1", "counts[0] += 1")
    found = problems(tmp_path, "select", source)
    assert (
        "planted/select/k=8,w=1,m=10: iteration 0: least is 0, the spec asks for == m (== 10)"
    ) in found


def test_a_task_in_place_of_the_thread(tmp_path: Path) -> None:
    source = planted.cheat(
        "wake-thread",
        "trace.starts(start_thread)(beside.ends(0, in_thread), beside.receives(0, inbox.get), wake, m, ended)",
        "trace.starts(asyncio.create_task)(trace.ends(0, in_task)(trace.receives(0, inbox.get), wake, m))",
    )
    source = source.replace("SimpleQueue[int]()", "asyncio.Queue[int]()")
    source = source.replace("inbox.put", "inbox.put_nowait")
    source = source.replace("thread.join()", "ended.append(await thread)")
    found = problems(tmp_path, "wake-thread", source)
    assert "planted/wake-thread/m=2: iteration 0: threads is 1, the spec asks for == 2" in found


def test_a_thread_that_does_not_wait_for_the_answer(tmp_path: Path) -> None:
    source = planted.cheat(
        "wake-thread", "token = receive()\n", "token = token + 2 if received else receive()\n"
    )
    source = source.replace("asyncio.Queue[int](1)", "asyncio.Queue[int]()")
    source = source.replace(
        "token = inbox.get_nowait()", "token = [inbox.get_nowait() for _ in range(m)][-1]"
    )
    found = problems(tmp_path, "wake-thread", source)
    assert "planted/wake-thread/m=50: trace breaks the rule 'alternate'" in found


def test_tasks_that_do_not_sleep(tmp_path: Path) -> None:
    sleeping = "    await asyncio.sleep(deadlines.left(i))\n    deadlines.wake(i)\n"
    suite = planted.plant(
        tmp_path, {"timers": planted.cheat("timers", sleeping, "    await asyncio.sleep(0)\n")}
    )
    point = suite.workloads["timers"].points("smoke")[0]
    place = Place(case="timers/n=1000,lead=200/one-cpu/planted", block=0, position=0)
    found = measure(planted.program(suite, "timers"), point, track_cpus("one-cpu"), place)
    assert isinstance(found, Failure)
    assert "the last task was to sleep until its deadline (lasted: elapsed >= " in found.reason


@pytest.mark.parametrize(
    ("n", "held", "passes"),
    [(10_000, 10_240_000, True), (10_000, 10_239_999, False), (1_000, 0, True)],
)
def test_tasks_without_the_state_that_they_are_to_hold(n: int, held: int, passes: bool) -> None:
    names = {"n": n, "held_base": 4096, "held_live": 4096 + held}
    found = unmet(load_suite(planted.REPOSITORY).workloads["memory-state"], names, {})
    assert (found is None) == passes


@pytest.mark.parametrize("workload", ["burst", "ticker"])
def test_honest_programs_with_samples_pass(tmp_path: Path, workload: str) -> None:
    assert problems(tmp_path, workload, planted.honest(workload)) == ""


def test_a_burst_whose_tasks_are_joined_one_by_one(tmp_path: Path) -> None:
    source = planted.cheat(
        "burst",
        "                tasks = [start(body(i, bursts)) for i in numbers]\n",
        "                tasks = []\n                for i in numbers:\n"
        "                    tasks.append(start(body(i, bursts)))\n"
        "                    await asyncio.wait(tasks)\n"
        "                    trace.note('collect', i)\n",
    )
    found = problems(tmp_path, "burst", source)
    assert "planted/burst/n=100,bursts=1,idle_ms=3: trace breaks the rule 'all-spawned-fi" in found


def test_a_burst_out_of_a_busy_root(tmp_path: Path) -> None:
    idle = "                await asyncio.sleep(bursts.idle)\n"
    found = problems(tmp_path, "burst", planted.cheat("burst", idle, ""))
    assert "planted/burst/n=10,bursts=3,idle_ms=20: the root sleeps before each burst" in found


def test_a_load_that_ends_before_the_ticker_starts(tmp_path: Path) -> None:
    source = planted.cheat("ticker", "while not ticks.ended:", "for _ in range(1):")
    source = source.replace("ticks.running < k:", "ticks.running < k or not tasks[-1].done():")
    found = problems(tmp_path, "ticker", source)
    assert "trace breaks the rule 'all-run-first': task 0 had ended before task 100 ran" in found


def test_a_load_that_ends_before_the_ticker_does(tmp_path: Path) -> None:
    source = planted.cheat("ticker", "while not ticks.ended:", "for _ in range(20):")
    found = problems(tmp_path, "ticker", source)
    assert "k=2,ticks=20,period_us=1000: trace breaks the rule 'outlives'" in found


def test_a_load_that_never_yields(tmp_path: Path) -> None:
    source = planted.cheat(
        "ticker",
        "        await asyncio.sleep(0)\n        count += 1\n",
        "        await asyncio.sleep(0.001)\n",
    )
    found = problems(tmp_path, "ticker", source)
    assert "planted/ticker/k=100,ticks=20,period_us=1000: iteration 0: active is 0" in found


def test_a_ticker_that_does_not_wait_for_its_ticks(tmp_path: Path) -> None:
    sleeping = "            await asyncio.sleep(left)\n"
    found = problems(tmp_path, "ticker", planted.cheat("ticker", sleeping, "            pass\n"))
    assert "the ticker was to sleep until its last tick (lasted: elapsed >= " in found


def test_an_honest_cancellation_under_load_passes(tmp_path: Path) -> None:
    assert problems(tmp_path, "cancel-loaded", planted.honest("cancel-loaded")) == ""


def test_a_load_that_has_ended_before_the_cancellation(tmp_path: Path) -> None:
    source = planted.cheat(
        "cancel-loaded",
        "        while not ended:\n            await loop.sleep(0)\n        active -= 1\n",
        "",
    )
    found = problems(tmp_path, "cancel-loaded", source)
    assert "n=50,k=100: trace breaks the rule 'outlives': task 0 of the load was done" in found


def test_cancelled_by_nobody(tmp_path: Path) -> None:
    source = planted.cheat(
        "cancel-loaded", "            parked.cancel()\n", "            gate.set()\n"
    )
    found = problems(tmp_path, "cancel-loaded", source)
    assert "planted/cancel-loaded/n=50,k=100: iteration 0: ops is 0" in found


def test_an_honest_sleep_of_zero_passes(tmp_path: Path) -> None:
    assert problems(tmp_path, "sleep-zero", planted.honest("sleep-zero")) == ""


def test_a_sleep_of_zero_that_is_none(tmp_path: Path) -> None:
    source = planted.cheat("sleep-zero", "        await asyncio.sleep(0)\n", "")
    found = problems(tmp_path, "sleep-zero", source, order="any")
    assert "planted/sleep-zero/k=100,m=10: trace breaks the rule 'gives-way': 100 of 1000" in found


def test_one_sleep_of_zero_that_is_counted_for_all(tmp_path: Path) -> None:
    looped = (
        "    count = nonce\n    for _ in turns:\n        await asyncio.sleep(0)\n"
        "        count += 1\n    return count\n"
    )
    once = "    await asyncio.sleep(0)\n    return nonce + 10\n"
    source = planted.cheat("sleep-zero", looped, once)
    found = problems(tmp_path, "sleep-zero", source)
    assert "planted/sleep-zero/k=100,m=10: trace breaks the rule 'complete'" in found


def test_an_honest_generator_passes(tmp_path: Path) -> None:
    assert problems(tmp_path, "generator", planted.honest("generator", "coroutines")) == ""


@pytest.mark.parametrize(
    ("resumed", "in_place", "wrong"),
    [
        (
            "            value = send(value)\n",
            "            raise StopIteration(nonce + n)\n",
            "'complete'",
        ),
        (
            "    coroutine = trace.starts(adder)(nonce, trace.turns(0, n))\n",
            "    trace.starts(adder)\n    trace.note('spawn', 0)\n"
            "    return 1, nonce + len(list(trace.turns(0, n)))\n",
            "'own-unit'",
        ),
        (
            "    coroutine = trace.starts(adder)(nonce, trace.turns(0, n))\n",
            "    value = nonce\n    trace.note('spawn', 0)\n    for _ in range(n):\n"
            "        one = adder(value, trace.turns(0, 2))\n"
            "        value = one.send(next(one))\n"
            "    trace.note('done', 0)\n    return 1, value\n",
            "'own-unit'",
        ),
    ],
    ids=["never resumed", "plain calls", "a generator for each"],
)
def test_a_generator_that_is_not_resumed(
    tmp_path: Path, resumed: str, in_place: str, wrong: str
) -> None:
    source = planted.cheat("generator", resumed, in_place, "coroutines")
    found = problems(tmp_path, "generator", source)
    assert f"planted/generator/n=100: trace breaks the rule {wrong}" in found


def test_fizzbuzz_that_answers_wrong(tmp_path: Path) -> None:
    """Every fifteenth text is wrong, in each phase."""
    cheat = (
        "import fizzbuzz_steps\n\nright = fizzbuzz_steps._fizzbuzz\nfizzbuzz_steps._fizzbuzz = lambda i: right(i if i % "
        "15 else 3)\n"
    )
    source = planted.cheat(
        "fizzbuzz", "from fizzbuzz_steps import", f"{cheat}from fizzbuzz_steps import"
    )
    found = problems(tmp_path, "fizzbuzz", source)
    for phase in ("base", "spawn", "yield"):
        assert f"planted/fizzbuzz/phase={phase},n=100,m=10: iteration 0: checksum is " in found
    assert "the spec asks for == 159_373" in found


def test_fizzbuzz_that_counts_steps_that_it_left_out(tmp_path: Path) -> None:
    source = planted.cheat(
        "fizzbuzz",
        "from fizzbuzz_steps import",
        "import fizzbuzz_steps\n\nfizzbuzz_steps.step = lambda i: 0\nfrom fizzbuzz_steps import",
    )
    found = problems(tmp_path, "fizzbuzz", source)
    assert (
        "planted/fizzbuzz/phase=spawn,n=100,m=10: iteration 0: checksum is 0, the spec asks "
        "for == 159_373"
    ) in found


def test_fewer_iterations_than_asked_for(tmp_path: Path) -> None:
    ending = 'Program.end = lambda self, events: print(\'{"type":"end"}\')\n    run(Program('
    source = planted.cheat("spawn", "run(Program(", ending)
    assert "planted/spawn/n=2: 0 iterations, at least 1 were asked for" in problems(
        tmp_path, "spawn", source
    )


@pytest.mark.parametrize(
    ("kinds", "tried", "rejected"),
    [
        (["timing", "did-not-finish"], 3, False),
        (["timing"] * verify.TRIES, verify.TRIES, True),
        (["wrong"], 1, True),
        (["timing", "wrong"], 2, True),
        (["failed"], 1, True),
    ],
)
def test_only_what_a_busy_box_can_spoil_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kinds: list[str], tried: int, rejected: bool
) -> None:
    left, calls = iter(kinds), []

    def once(*_: object) -> None:
        calls.append(1)
        if kind := next(left, None):
            raise Trouble(kind, f"it was {kind}")

    monkeypatch.setattr(verify, "_once", once)
    found = problems(tmp_path, "baseline", planted.honest("baseline"))
    points = len(planted.plant(tmp_path, {}).workloads["baseline"].verify)
    assert (len(calls), found) == (
        tried + points - 1,
        f"planted/baseline/n=100: it was {kinds[-1]}" if rejected else "",
    )
