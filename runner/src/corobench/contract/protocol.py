"""The JSON lines that a program writes (docs/contract.md), decoded strictly."""

from __future__ import annotations

from typing import Annotated

import msgspec

from corobench.suite.workload import Parameter, Setting


class Message(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of the lines."""


class Hello(Message, frozen=True, tag="hello"):
    protocol: int
    runtime: str
    version: str
    language_version: str
    workload: str
    params: dict[str, Parameter]
    settings: dict[str, Setting]


class Iterated(Message, frozen=True, tag="iteration"):
    index: int
    elapsed_ns: int
    cpu_ns: int
    ops: int
    evidence: dict[str, Parameter]


class Hold(Message, frozen=True, tag="hold"):
    """`launcher`: the process that was started, and now waits, is none of the server's that it has
    started.
    """

    point: str
    units: int
    port: int | None = None
    launcher: bool = False


class Sampled(Message, frozen=True, tag="series"):
    name: str
    values: list[Annotated[int, msgspec.Meta(ge=0)]]


class Traced(Message, frozen=True, tag="trace"):
    events: list[tuple[str, int, str | int]]


class End(Message, frozen=True, tag="end"):
    pass


Line = Hello | Iterated | Hold | Sampled | Traced | End
_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


def decode(line: bytes) -> Line:
    """ValueError, with the beginning of the line, for anything but a line of the protocol."""
    try:
        return _decoder.decode(line)
    except msgspec.DecodeError as error:
        shown = line[:120].decode(errors="replace")
        raise ValueError(f"not a line of the protocol on stdout: {shown!r} ({error})") from error
