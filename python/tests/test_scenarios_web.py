"""The servers of webmatrix: right results from every framework, with and without nginx in front, and nothing left behind."""

import json
import os
import shutil
import signal
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from processes import PATIENCE, Variant, one_of_each, variants, with_program
from served import Served, end, interpreter, serving, start

from http_answers import evaluate

SERVERS = with_program("webmatrix")
FAMILIES = one_of_each("webmatrix")  # each starts its workers and binds its sockets in its own way
LOAD = ["clients=3", "rounds=100", "wait_us=0"]
QUESTION = {"values": list(range(1, 11)), "rounds": 100, "wait_us": 0}


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest) -> Variant:
    variant = variants()[request.param]
    interpreter(variant)  # skips the test where there is none
    return variant


@pytest.fixture(scope="module")
def nginx() -> str:
    """The nginx that `make test` found or provisioned, or one of this box; without it the test is skipped, and fails in CI."""
    found = os.environ.get("COROBENCH_TOOL_NGINX") or shutil.which("nginx")
    if not found:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("there is no nginx here; apt install nginx-light")
    return found


def ask(served: Served, question: dict[str, Any]) -> Any:
    with closing(served.connect()) as connection:
        connection.request("POST", "/eval", json.dumps(question), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 200
        return json.loads(answer.read())


@pytest.mark.parametrize(
    ("values", "rounds", "state"),
    [([], 0, 2463534242), ([], 1000, 3298996588), ([0, 5, 5], 1000, 3298996588), (range(1, 11), 100, 658516027)],
)
def test_the_handler_gives_the_known_states(values: list[int], rounds: int, state: int) -> None:
    assert evaluate(values, rounds, 0) == state


@pytest.mark.parametrize("workers", [1, 2])
def test_answers_with_the_right_result(server: Variant, workers: int) -> None:
    with serving(server, "webmatrix", f"workers={workers}", *LOAD, "front=none") as served:
        assert served.hello["params"]["workers"] == served.hello["settings"]["workers"] == workers
        assert server.settings.items() <= served.hello["settings"].items()
        assert ask(served, QUESTION) == {"result": 658516027}
        assert ask(served, QUESTION | {"rounds": 1000, "values": [], "wait_us": 100}) == {"result": 3298996588}
        assert end(served) == [{"type": "end"}]
        assert served.process.returncode == 0
        assert served.gone()


def test_japronto_answers_with_the_right_result() -> None:
    japronto = variants()["japronto"]
    with serving(japronto, "webmatrix", "workers=2", *LOAD, "front=none") as served:
        assert served.hello["params"] == {"workers": 2, "clients": 3, "rounds": 100, "wait_us": 0, "front": "none"}
        assert ask(served, QUESTION) == {"result": 658516027}
        assert end(served) == [{"type": "end"}]
        assert served.process.returncode == 0
        assert served.gone()


@pytest.mark.parametrize("server", FAMILIES, indirect=True)
@pytest.mark.parametrize("front", ["tcp", "unix"])
def test_answers_through_nginx(server: Variant, nginx: str, front: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COROBENCH_TOOL_NGINX", nginx)
    with serving(server, "webmatrix", "workers=2", *LOAD, f"front={front}") as served:
        assert ask(served, QUESTION) == {"result": 658516027}
        assert end(served) == [{"type": "end"}]
        assert served.process.returncode == 0
        assert served.gone()


@pytest.mark.parametrize("server", FAMILIES, indirect=True)
@pytest.mark.parametrize("front", ["none", "tcp", "unix"])
def test_nothing_outlives_a_launcher_that_was_killed(
    server: Variant, nginx: str, front: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its files lie where the runner, which removes them then, has told it to put them."""
    monkeypatch.setenv("COROBENCH_TOOL_NGINX", nginx)
    with serving(server, "webmatrix", "workers=2", *LOAD, f"front={front}", folder=tmp_path) as served:
        assert list(tmp_path.glob("corobench-*"))
        served.process.kill()
        served.process.wait(PATIENCE)
        assert served.gone()
    with pytest.raises(ConnectionRefusedError):
        served.connect().connect()


@pytest.mark.parametrize("server", FAMILIES, indirect=True)
@pytest.mark.parametrize("front", ["none", "tcp", "unix"])
def test_no_file_outlives_a_server_that_ends(
    server: Variant, nginx: str, front: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COROBENCH_TOOL_NGINX", nginx)
    with serving(server, "webmatrix", "workers=2", *LOAD, f"front={front}", folder=tmp_path) as served:
        end(served)
        assert served.gone()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ConnectionRefusedError):
        served.connect().connect()


@pytest.mark.parametrize("server", FAMILIES, indirect=True)
def test_workers_whose_server_died_are_ended(server: Variant) -> None:
    with serving(server, "webmatrix", "workers=2", *LOAD, "front=none") as served:
        (child,) = Path(f"/proc/{served.process.pid}/task/{served.process.pid}/children").read_text().split()
        os.kill(int(child), signal.SIGKILL)
        assert served.process.wait(PATIENCE) == 1
        assert served.gone()


@pytest.mark.parametrize(
    "arguments", [["workers=0", "front=none"], ["workers=1", "front=apache"], ["workers=1"], ["workers=1", "front=none", "n=1"]]
)
@pytest.mark.parametrize("name", ["flask-gunicorn", "japronto"])
def test_refuses(name: str, arguments: list[str]) -> None:
    variant = variants()[name]
    with start(variant, variant.program("webmatrix"), *arguments, *LOAD) as process:
        told, _ = process.communicate(timeout=PATIENCE)
        assert (process.returncode, told) == (2, "")
