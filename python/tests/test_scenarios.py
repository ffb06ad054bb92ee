"""The scenario programs as processes: what they say adds up, and what is wrong in them does not pass."""

import socketserver
import threading
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import Done, Variant, lines, variants

# The others run the programs of one of these with other versions or settings.
RUNTIMES = ["asyncio", "uvloop", "gevent", "eventlet", "threads"]
MIXED = ["splits=2", "cpu_us=1000", "wait_us=2000"]


def installed(name: str) -> Variant:
    variant = variants()[name]
    if variant.missing:
        pytest.skip(f"{variant.folder.name} is not installed here")
    return variant


@pytest.fixture(params=RUNTIMES)
def mixing(request: pytest.FixtureRequest) -> Variant:
    return installed(request.param)


class Answer(socketserver.StreamRequestHandler):
    """Sends back each 8 bytes after the delay that they state."""

    def handle(self) -> None:
        while len(message := self.rfile.read(8)) == 8:
            time.sleep(int.from_bytes(message, "big") / 1e6)
            self.wfile.write(message)


@pytest.fixture
def peer() -> Iterator[int]:
    """The port of a latency server."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answer) as server:
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        serving.start()
        yield server.server_address[1]
        server.shutdown()
        serving.join()


def series(told: list[dict[str, Any]]) -> dict[str, list[int]]:
    return {line["name"]: line["values"] for line in told if line["type"] == "series"}


@pytest.mark.parametrize(("c", "requests", "alive"), [(1, 3, 1), (3, 7, 3), (5, 2, 2)])
@pytest.mark.parametrize("wait", ["timer", "peer"])
def test_mixed(mixing: Variant, peer: int, wait: str, c: int, requests: int, alive: int) -> None:
    told = lines(mixing.run("mixed", f"c={c}", f"requests={requests}", *MIXED, f"wait={wait}", f"peer={peer}"))
    hello, iteration = told[:2]
    assert hello["params"] == {"c": c, "requests": requests, "splits": 2, "cpu_us": 1000, "wait_us": 2000, "wait": wait}
    evidence = iteration["evidence"]
    worked, most_alive = evidence.pop("worked_ns"), evidence.pop("most_alive")
    assert worked >= requests * 1_000_000
    assert evidence == {"finished": requests, "pieces": 3 * requests, "asked_ns": requests * 1_000_000}
    # The kernel may let a thread end its request before the root has started the next chain.
    assert most_alive == alive or (mixing.name == "threads" and 1 <= most_alive <= alive)
    values = series(told)
    assert [len(values[name]) for name in ("response", "service", "queueing")] == [requests] * 3
    assert [r - s - q for r, s, q in zip(values["response"], values["service"], values["queueing"], strict=True)] == [
        0
    ] * requests
    # The work and the waiting of a request can't take less than was asked for; uvloop's timers may end early (its gap at
    # timers says by how much), its work can't.
    assert min(values["service"]) >= (1_000_000 if (mixing.name, wait) == ("uvloop", "timer") else 3_000_000)
    assert len(values["timeline"]) >= 9


def test_each_request_is_a_task_of_its_own(mixing: Variant) -> None:
    *_, trace, _ = lines(mixing.run("mixed", "c=2", "requests=5", *MIXED, "wait=timer", "trace=1"))
    runs = {i: unit for kind, i, unit in trace["events"] if kind == "run"}
    assert sorted(runs) == list(range(5))
    assert len(set(runs.values())) == 5
    starters = [unit for kind, _, unit in trace["events"] if kind == "spawn"]
    assert len(set(starters[:2])) == 1
    assert set(starters[2:]) <= set(runs.values())


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


STARVATION = ["probes=20", "period_us=1000", "series_count=2", "job_us=5000"]


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
        assert iteration["elapsed_ns"] >= 18_000_000, "the last is due after 19 ms, and uvloop may wake before"


def test_a_load_makes_progress_and_none_does_not(starving: Variant) -> None:
    idle, naive = [
        lines(starving.run("starvation", f"mode={mode}", *STARVATION, "cap_ms=60000"))[1]["evidence"]
        for mode in ("idle", "naive")
    ]
    assert (idle["jobs"], idle["asked_ns"], idle["worked_ns"]) == (0, 0, 0)
    assert naive["jobs"] > 0


def test_starvation_ends_at_its_cap(starving: Variant) -> None:
    arguments = ["mode=naive", "probes=1000", "period_us=10000", "series_count=2", "job_us=5000", "cap_ms=20"]
    told = lines(starving.run("starvation", *arguments))
    evidence = told[1]["evidence"]
    assert evidence["answered"] + evidence["over_limit"] == len(series(told)["lateness"]) == 1000
    assert evidence["over_limit"] >= 998


def test_an_error_in_a_probe_is_status_1(starving: Variant, tmp_path: Path) -> None:
    done = planted(
        starving,
        "starvation",
        "probes.answer(i)\n",
        "raise ValueError('planted')\n",
        tmp_path,
        "mode=idle",
        *STARVATION,
        "cap_ms=9000",
    )
    assert done.returncode == 1
    assert '"end"' not in done.stdout
    assert "planted" in done.stderr


def test_an_error_in_a_job_is_status_1(starving: Variant, tmp_path: Path) -> None:
    right, wrong = "load.add(load.job_ns, burn(load.job_ns))\n", "raise ValueError('planted')\n"
    done = planted(starving, "starvation", right, wrong, tmp_path, "mode=naive", *STARVATION, "cap_ms=9000")
    assert done.returncode == 1
    assert '"end"' not in done.stdout
    assert "planted" in done.stderr


def test_starvation_refuses_a_mode_of_another_runtime(starving: Variant) -> None:
    done = starving.run("starvation", "mode=gosched", *STARVATION, "cap_ms=100")
    assert done.returncode == 2
    assert done.stderr.startswith("usage: mode=gosched must be one of idle, naive, ")
