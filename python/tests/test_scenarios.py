"""The scenario programs as processes: what they say adds up, and what is wrong in them does not pass."""

import socketserver
import threading
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import Done, Variant, lines, variants, with_program

RUNTIMES = with_program("mixed")
MIXED = ["splits=2", "cpu_us=1000", "wait_us=40000"]
# So long are the schedules that are tried one after the other where threads must come to the CPU while one lasts.
PERIODS_US = [1_000, 50_000, 1_000_000]


def installed(name: str) -> Variant:
    variant = variants()[name]
    if variant.missing:
        pytest.skip(f"{variant.folder.name} is not installed here")
    return variant


@pytest.fixture(params=RUNTIMES)
def mixing(request: pytest.FixtureRequest) -> Variant:
    return installed(request.param)


class Peer(socketserver.ThreadingTCPServer):
    """A latency server, and the delays that it was asked for, in microseconds."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.asked_us: list[int] = []


class Answer(socketserver.StreamRequestHandler):
    """Sends back each 8 bytes after the delay that they state."""

    def handle(self) -> None:
        assert isinstance(self.server, Peer)
        while len(message := self.rfile.read(8)) == 8:
            delay_us = int.from_bytes(message, "big")
            self.server.asked_us.append(delay_us)
            time.sleep(delay_us / 1e6)
            self.wfile.write(message)


@pytest.fixture
def peer() -> Iterator[Peer]:
    with Peer() as server:
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        serving.start()
        yield server
        server.shutdown()
        serving.join()


def series(told: list[dict[str, Any]]) -> dict[str, list[int]]:
    return {line["name"]: line["values"] for line in told if line["type"] == "series"}


@pytest.mark.parametrize(("c", "requests", "alive"), [(1, 4, 1), (3, 10, 3), (5, 2, 2)])
@pytest.mark.parametrize("wait", ["timer", "peer"])
def test_mixed(mixing: Variant, peer: Peer, wait: str, c: int, requests: int, alive: int) -> None:
    port = peer.server_address[1]
    told = lines(mixing.run("mixed", f"c={c}", f"requests={requests}", *MIXED, f"wait={wait}", f"peer={port}"))
    hello, iteration = told[:2]
    assert hello["params"] == {"c": c, "requests": requests, "splits": 2, "cpu_us": 1000, "wait_us": 40000, "wait": wait}
    assert peer.asked_us == ([20_000] * (2 * requests) if wait == "peer" else [])
    evidence = iteration["evidence"]
    worked, most_alive = evidence.pop("worked_ns"), evidence.pop("most_alive")
    assert worked >= requests * 1_000_000
    steady_ns, alive_ns, steady = (
        evidence.pop("steady_ns"),
        evidence.pop("steady_alive_ns"),
        max(requests - 2 * c - 1, 0) // c * c,
    )
    assert (steady_ns > 0) == (steady > 0)
    assert 0 <= alive_ns <= c * steady_ns
    assert evidence == {
        "finished": requests, "pieces": 3 * requests, "asked_ns": requests * 1_000_000, "steady_ops": steady,
    }  # fmt: skip
    # The kernel may let a thread end its request before the root has started the next chain.
    assert most_alive == alive or (mixing.name == "threads" and 1 <= most_alive <= alive)
    values = series(told)
    assert [len(values[name]) for name in ("response", "service", "queueing")] == [steady] * 3
    assert [r - s - q for r, s, q in zip(values["response"], values["service"], values["queueing"], strict=True)] == [0] * steady
    assert min(values["service"], default=20_000_000) >= 20_000_000, (
        "half of what the waits take: timers may be early, uvloop's by milliseconds"
    )
    assert len(values["timeline"]) >= (9 if steady else 0)


def test_each_request_is_a_task_of_its_own(mixing: Variant) -> None:
    *_, trace, _ = lines(mixing.run("mixed", "c=2", "requests=5", *MIXED, "wait=timer", "trace=1"))
    runs = {i: unit for kind, i, unit in trace["events"] if kind == "run"}
    assert sorted(runs) == list(range(5))
    assert len(set(runs.values())) == 5
    root, *others = [unit for kind, _, unit in trace["events"] if kind == "spawn"]
    started_by_requests = [unit for unit in others if unit != root]
    assert len(set(started_by_requests)) == len(started_by_requests), "each goes on with one other"
    assert set(started_by_requests) <= set(runs.values())
    # The kernel may let a thread, and those after it, end before the root has started the next chain: it may come to none.
    assert root not in runs.values()
    assert len(started_by_requests) == 3 or (mixing.name == "threads" and len(started_by_requests) == 4)


def planted(variant: Variant, workload: str, right: str, wrong: str, folder: Path, *arguments: str) -> Done:
    """Runs a program with one statement of it replaced."""
    source = variant.program(workload).read_text()
    assert source.count(right) == 1, "the program has changed: plant the error elsewhere"
    file = folder / f"{workload}.py"
    file.write_text(source.replace(right, wrong))
    return variant.python([str(file), *arguments])


def test_an_error_in_a_request_is_status_1(mixing: Variant, tmp_path: Path) -> None:
    arguments = ["c=2", "requests=4", *MIXED, "wait=timer"]
    done = planted(mixing, "mixed", "request.end()\n", "raise ValueError('planted')\n", tmp_path, *arguments)
    assert done.returncode == 1
    assert '"end"' not in done.stdout
    assert "planted" in done.stderr


def test_a_request_that_leaves_out_its_waits_tells_on_itself(mixing: Variant, tmp_path: Path) -> None:
    arguments = ["c=2", "requests=4", *MIXED, "wait=timer"]
    lazy = planted(mixing, "mixed", "range(self._course.waits)", "range(1)", tmp_path, *arguments)
    evidence = lines(lazy)[1]["evidence"]
    assert (evidence["finished"], evidence["pieces"]) == (0, 8)
    assert evidence["asked_ns"] < 4_000_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["c=1", "requests=1", *MIXED], "wait is missing"),
        (["c=1", "requests=1", *MIXED, "wait=peer"], "peer is missing"),
        (["c=1", "requests=1", *MIXED, "wait=clock"], "wait=clock must be one of timer, peer"),
        (["c=0", "requests=1", *MIXED, "wait=timer"], "c=0 must be an integer of at least 1"),
    ],
)
def test_mixed_refuses(mixing: Variant, arguments: list[str], message: str) -> None:
    done = mixing.run("mixed", *arguments)
    assert (done.returncode, done.stderr) == (2, f"usage: {message}\n")


def starvation(period_us: int) -> list[str]:
    return ["probes=20", f"period_us={period_us}", "series_count=2", "job_us=5000"]


STARVATION = starvation(PERIODS_US[0])


@pytest.fixture(params=RUNTIMES)
def starving(request: pytest.FixtureRequest) -> Variant:
    return installed(request.param)


def modes(variant: Variant) -> list[str]:
    manifest = tomllib.loads((variant.folder / "runtime.toml").read_text())
    listed: list[str] = manifest["values"]["starvation"]["mode"]
    return listed


def test_starvation(starving: Variant) -> None:
    for mode in modes(starving):
        told = lines(starving.run("starvation", f"mode={mode}", *STARVATION, "cap_ms=60000"))
        iteration, values = told[1], series(told)
        assert told[0]["params"]["mode"] == mode
        evidence = iteration["evidence"]
        assert (iteration["ops"], evidence["answered"], evidence["over_limit"]) == (20, 20, 0)
        assert len(values["lateness"]) == 20
        assert len(values["small"]) == (0 if mode in ("idle", "naive", "slices") else 20)
        assert evidence["worked_ns"] >= evidence["asked_ns"] >= evidence["jobs"] * 5_000_000
        assert iteration["elapsed_ns"] >= 10_000_000, "half of the time until the last is due: timers may be early"


def test_no_load_makes_no_progress(starving: Variant) -> None:
    idle = lines(starving.run("starvation", "mode=idle", *STARVATION, "cap_ms=60000"))[1]["evidence"]
    assert (idle["jobs"], idle["asked_ns"], idle["worked_ns"]) == (0, 0, 0)


def test_a_load_makes_progress(starving: Variant) -> None:
    def jobs(period_us: int) -> int:
        told = lines(starving.run("starvation", "mode=naive", *starvation(period_us), "cap_ms=60000"))
        done: int = told[1]["evidence"]["jobs"]
        return done

    assert any(jobs(period_us) > 0 for period_us in PERIODS_US)


def test_starvation_ends_at_its_cap(starving: Variant) -> None:
    for mode in modes(starving):
        arguments = [f"mode={mode}", "probes=1000", "period_us=10000", "series_count=2", "job_us=5000", "cap_ms=20"]
        told = lines(starving.run("starvation", *arguments))
        evidence = told[1]["evidence"]
        assert evidence["answered"] + evidence["over_limit"] == len(series(told)["lateness"]) == 1000
        assert evidence["over_limit"] >= 990, "three were due at the cap, a fourth soon"


def test_a_job_that_is_under_way_at_the_cap_counts_by_what_is_done(starving: Variant) -> None:
    """In those modes in which it runs beside the root, which sees the cap meanwhile."""
    beneath = ("idle", "slices") if starving.name == "threads" else ("idle", "slices", "naive")
    for mode in set(modes(starving)).difference(beneath):
        arguments = [f"mode={mode}", "probes=1000", "period_us=10000", "series_count=2", "job_us=500000", "cap_ms=200"]
        evidence = lines(starving.run("starvation", *arguments))[1]["evidence"]
        assert evidence["asked_ns"] > evidence["jobs"] * 500_000_000


def test_an_error_in_a_probe_is_status_1(starving: Variant, tmp_path: Path) -> None:
    done = planted(
        starving,
        "starvation",
        "probes.answer(i)\n",
        "raise ValueError('planted')\n",
        tmp_path,
        "mode=idle",
        *STARVATION,
        "cap_ms=60000",
    )
    assert done.returncode == 1
    assert '"end"' not in done.stdout
    assert "planted" in done.stderr


def test_an_error_in_a_job_is_status_1(starving: Variant, tmp_path: Path) -> None:
    right, wrong = "load.work(load.job_ns)\n", "raise ValueError('planted')\n"
    for period_us in PERIODS_US:
        done = planted(starving, "starvation", right, wrong, tmp_path, "mode=naive", *starvation(period_us), "cap_ms=60000")
        if done.returncode != 0:  # with 0 no job may have come to the CPU before the last probe was answered
            break
    assert done.returncode == 1
    assert '"end"' not in done.stdout
    assert "planted" in done.stderr


def test_starvation_refuses_a_mode_of_another_runtime(starving: Variant) -> None:
    done = starving.run("starvation", "mode=gosched", *STARVATION, "cap_ms=100")
    assert done.returncode == 2
    assert done.stderr.startswith("usage: mode=gosched must be one of idle, naive, ")
