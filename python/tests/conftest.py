"""The runtimes that programs are tried with."""

import pytest
from processes import Variant, variants

# Variants for a few workloads, or for another interpreter, run the programs of one of these under other settings.
RUNTIMES = [
    name
    for name, variant in variants().items()
    if variant.program("spawn").is_file() and not (variant.workloads or variant.pinned)
]


@pytest.fixture(params=RUNTIMES, scope="module")
def runtime(request: pytest.FixtureRequest) -> Variant:
    variant = variants()[request.param]
    if variant.missing:
        pytest.skip(f"{variant.library} is not installed here")
    return variant
