"""The servers of http: what they answer, and that nothing of them is left when they end, however that comes about."""

import os
import signal
from contextlib import closing
from pathlib import Path
from socket import create_connection

import pytest
from processes import PATIENCE, Variant, variants, with_program
from served import Served, end, interpreter, serving, start

SERVERS = with_program("http")


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest) -> Variant:
    variant = variants()[request.param]
    interpreter(variant)  # skips the test where there is none
    return variant


def ask_twice(served: Served) -> list[int]:
    """Two requests, on one connection where the server keeps it; the statuses."""
    statuses = []
    with closing(served.connect()) as connection:
        for _ in range(2):
            connection.request("GET", "/")
            answer = connection.getresponse()
            assert answer.read() == b"Blah\n"
            assert answer.headers.get_content_type() == "text/html"
            assert answer.headers["Content-Length"] == "5"
            statuses.append(answer.status)
    return statuses


def test_answers_and_leaves_nothing_behind(server: Variant) -> None:
    with serving(server, "http", "phase=many-keep") as served:
        assert (served.hello["workload"], served.hello["params"]) == ("http", {"phase": "many-keep"})
        assert server.settings.items() <= served.hello["settings"].items()
        assert ask_twice(served) == [200, 200]
        assert end(served) == [{"type": "end"}]
        assert served.process.returncode == 0
        assert served.gone()


def test_closes_the_connection_when_it_is_asked_to(server: Variant) -> None:
    with serving(server, "http", "phase=one-new") as served:
        for _ in range(3):
            with create_connection(("127.0.0.1", served.port), PATIENCE) as connection, connection.makefile("rb") as answer:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
                assert answer.read().endswith(b"\r\n\r\nBlah\n")
        end(served)


def test_ends_when_the_runner_is_gone(server: Variant) -> None:
    with serving(server, "http", "phase=open") as served:
        assert served.process.stdin
        served.process.stdin.close()
        assert served.process.wait(PATIENCE) == 1
        assert served.gone()


def test_nothing_outlives_a_launcher_that_was_killed(server: Variant, tmp_path: Path) -> None:
    with serving(server, "http", "phase=open", folder=tmp_path) as served:
        served.process.kill()
        served.process.wait(PATIENCE)
        assert served.gone()


def test_a_server_that_dies_is_status_1(server: Variant) -> None:
    with serving(server, "http", "phase=open") as served:
        (child,) = Path(f"/proc/{served.process.pid}/task/{served.process.pid}/children").read_text().split()
        os.kill(int(child), signal.SIGKILL)
        assert served.process.wait(PATIENCE) == 1
        assert served.gone()


def test_a_server_that_cannot_start_is_status_1(server: Variant, tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("import serving\n\nif __name__ == '__main__':\n    serving.http(None)\n")
    with start(server, file, "phase=open") as process:
        told, _ = process.communicate(timeout=PATIENCE)
        assert (process.returncode, told) == (1, "")


@pytest.mark.parametrize("arguments", [[], ["phase=some"], ["phase=open", "n=3"]])
def test_refuses(server: Variant, arguments: list[str]) -> None:
    with start(server, server.program("http"), *arguments) as process:
        told, _ = process.communicate(timeout=PATIENCE)
        assert (process.returncode, told) == (2, "")
