"""The runtimes that programs are tried with."""

from pathlib import Path

import pytest
from processes import Variant, variants

# Every runtime with tasks has a program for one of these.
OPERATIONS = ("spawn", "switch", "hand-off")


def programs_of(variant: Variant) -> set[Path]:
    return {variant.program(operation) for operation in OPERATIONS if variant.has(operation)}


WHOLE = [variant for variant in variants().values() if not (variant.workloads or variant.pinned)]
SHARED = {program for variant in WHOLE for program in programs_of(variant)}


def tried(variant: Variant) -> bool:
    """Not where a variant for a few workloads or another interpreter only runs the programs of a whole one."""
    own = programs_of(variant) - SHARED if variant.workloads else programs_of(variant)
    return bool(own) and not variant.pinned


RUNTIMES = [name for name, variant in variants().items() if tried(variant)]
# One of each kind of task. What programs answer and trace is read here of these, with answers that were worked out by hand;
# of every program the runner verifies it by the specs.
EXAMPLES = ["asyncio", "coroutines", "gevent", "threads", "trio"]


@pytest.fixture(params=RUNTIMES, scope="module")
def runtime(request: pytest.FixtureRequest) -> Variant:
    return installed(request.param)


@pytest.fixture(params=EXAMPLES, scope="module")
def example(request: pytest.FixtureRequest) -> Variant:
    return installed(request.param)


def installed(name: str) -> Variant:
    variant = variants()[name]
    if variant.missing:
        pytest.skip(f"{variant.library} is not installed here")
    return variant
