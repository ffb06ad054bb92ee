"""What a spec says of the requests that a served program gets."""

from __future__ import annotations

from typing import Literal

from corobench.value import Value


class Load(Value, frozen=True, kw_only=True):
    """Requests that the load generator sends to a served program, with the answer that each must have.

    `when` says at which points; it and all from `clients` on are expressions of the parameters; `path`, `body` and `expect` may
    hold `$parameter`. A stream sends so many `requests`, and goes on until `least_ms` are over; without them it lasts as long as
    the others do. With `rate` (a second) it is an open loop. `warm`: so many requests
    beforehand, closed, for `warm_ms` at least; in `rate`, how many of them a second were answered.
    """

    name: str
    expect: str
    json: bool = False
    status: int = 200
    method: Literal["GET", "POST"] = "GET"
    path: str = "/"
    body: str = ""
    when: str = "1"
    clients: str = "1"
    keepalive: str = "1"
    requests: str | None = None
    least_ms: str = "0"
    rate: str | None = None
    warm: str = "0"
    warm_ms: str = "0"
