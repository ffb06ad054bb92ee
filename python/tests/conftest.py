"""The runtimes that programs are tried with."""

import pytest
from processes import Variant, variants

WHOLE = {name: variant for name, variant in variants().items() if not (variant.workloads or variant.pinned)}
PROGRAMS = {variant.program("spawn") for variant in WHOLE.values()}


def tried(variant: Variant) -> bool:
    """Not where a variant for a few workloads or another interpreter only runs the programs of a whole one."""
    own = variant.program("spawn") not in PROGRAMS
    return variant.program("spawn").is_file() and not variant.pinned and (own or not variant.workloads)


RUNTIMES = [name for name, variant in variants().items() if tried(variant)]


@pytest.fixture(params=RUNTIMES, scope="module")
def runtime(request: pytest.FixtureRequest) -> Variant:
    variant = variants()[request.param]
    if variant.missing:
        pytest.skip(f"{variant.library} is not installed here")
    return variant
