"""The engine of the interactive charts, which the site carries: put together once for what is installed, as it takes long."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import vl_convert

from corobench.errors import RunFailed
from corobench.report.rendering import VEGA_LITE, VERSION
from corobench.report.writing import write

KEPT = Path(__file__).parent / "__pycache__" / "vega.cache"  # as with what Python keeps there, only what is installed decides it


def engine(*places: Path) -> bytes:
    """The script, from the first of these places that has it; made and kept in the last of them where none has."""
    mark = f"/* vl-convert {VERSION} */\n".encode()
    for place in places:
        if place.is_file() and (found := place.read_bytes()).startswith(mark):
            return found
    made = mark + vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=VEGA_LITE).encode()
    with suppress(RunFailed):  # it is only a memory
        write(places[-1], made)
    return made
