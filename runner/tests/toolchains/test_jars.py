"""The jars of Java and Kotlin: tried again where the network failed, checked against the lock,
named where they can't be had.
"""

from __future__ import annotations

import hashlib
import importlib.util
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType

import pytest
from planted import REPOSITORY

JAR = b"a jar"
LOCK = f"org.example:thing:1.0 {hashlib.sha256(JAR).hexdigest()}\n"
PATH = "/org/example/thing/1.0/thing-1.0.jar"


class Central(HTTPServer):
    """Answers with these statuses in turn, then with the last one again."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.statuses = [200]
        self.asked: list[str] = []


class Answer(BaseHTTPRequestHandler):
    server: Central

    def do_GET(self) -> None:
        statuses = self.server.statuses
        status = statuses[min(len(self.server.asked), len(statuses) - 1)]
        self.server.asked.append(self.path)
        self.send_response(status)
        self.send_header("Content-Length", str(len(JAR)))
        self.end_headers()
        self.wfile.write(JAR)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def central() -> Iterator[Central]:
    with Central() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def jars(central: Central, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("jars", REPOSITORY / "java/tools/jars.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "CENTRAL", f"http://127.0.0.1:{central.server_port}")
    monkeypatch.setattr(module, "PAUSES_S", (0, 0))
    (tmp_path / "lock").write_text(LOCK)
    return module


def fetched(jars: ModuleType, folder: Path) -> bytes:
    jars.main(str(folder / "lock"), str(folder / "made"))
    return (folder / "made/thing.jar").read_bytes()


def test_a_jar_is_fetched_once(jars: ModuleType, central: Central, tmp_path: Path) -> None:
    assert fetched(jars, tmp_path) == fetched(jars, tmp_path) == JAR
    assert central.asked == [PATH]


def test_a_server_in_trouble_is_asked_again(
    jars: ModuleType, central: Central, tmp_path: Path
) -> None:
    central.statuses = [503, 429, 200]
    assert fetched(jars, tmp_path) == JAR
    assert central.asked == 3 * [PATH]


@pytest.mark.parametrize(("status", "asked"), [(503, 3), (404, 1)])
def test_what_cannot_be_had_is_named(
    jars: ModuleType, central: Central, tmp_path: Path, status: int, asked: int
) -> None:
    central.statuses = [status]
    with pytest.raises(SystemExit, match=rf"thing-1\.0\.jar: HTTP Error {status}"):
        fetched(jars, tmp_path)
    assert len(central.asked) == asked


def test_another_jar_than_the_locked_one_is_refused(jars: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "lock").write_text(f"org.example:thing:1.0 {64 * '0'}\n")
    with pytest.raises(SystemExit, match="the lock says 0000"):
        fetched(jars, tmp_path)
