"""What is measured under one name: a runtime, a workload, a point and a track. Measurements refer to it by its key."""

from __future__ import annotations

import msgspec

from corobench.model import TRACKS, Track


class Case(msgspec.Struct, frozen=True, order=True):
    """runtime x workload x point (x track). `twin` marks the second name of the reference runtime: the A/A control."""

    workload: str
    point: str
    track: Track
    runtime: str
    twin: bool = False

    @property
    def key(self) -> str:
        return "/".join((self.workload, self.point, self.track, self.runtime + (TWIN if self.twin else "")))

    @property
    def cell(self) -> str:
        """Without the runtime: what is compared across runtimes."""
        return "/".join((self.workload, self.point, self.track))


TWIN = "~twin"


def parse_case(key: str) -> Case:
    """The case of a key; ValueError where the key has another shape."""
    workload, point, track, runtime = key.split("/")
    if track not in TRACKS:
        raise ValueError(f"unknown track {track!r} in case {key!r}")
    return Case(workload, point, track, runtime.removesuffix(TWIN), runtime.endswith(TWIN))
