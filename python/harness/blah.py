"""The answer of http, and the application that gives it in WSGI servers."""

from collections.abc import Callable, Iterable
from typing import Any

BODY = b"Blah\n"
HEADERS = [("Content-Type", "text/html"), ("Content-Length", str(len(BODY)))]


def wsgi(_environ: dict[str, Any], start_response: Callable[[str, list[tuple[str, str]]], object]) -> Iterable[bytes]:
    start_response("200 OK", HEADERS)
    return [BODY]
