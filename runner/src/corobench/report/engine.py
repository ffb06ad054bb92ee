"""The engine of the charts, drawn or interactive, which the site carries: made once for what is installed, as it takes long."""

from __future__ import annotations

from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from corobench.errors import RunFailed
from corobench.report.writing import write

_VEGA_LITE = "6.4.1"
_SERIES = _VEGA_LITE.rpartition(".")[0]  # by which vl-convert knows it
VERSION = f"{version('vl-convert-python')}-{_SERIES}"
KEPT = Path(__file__).parent / "__pycache__" / "vega.cache"  # as with what Python keeps there, only what is installed decides it
_MARK = f"/* vl-convert {VERSION}, with its parts */\n".encode()
# vl-convert offers vegaEmbed by name; its parts come from the same modules, which it has inside under these addresses.
_PARTS = """
import * as vega_ from "https://cdn.jsdelivr.net/npm/vega@{vega}/+esm";
import * as vegaLite_ from "https://cdn.jsdelivr.net/npm/vega-lite@{vega_lite}/+esm";
Object.assign(window, {{ vegaEmbed, vega: vega_, vegaLite: vegaLite_ }});
"""


def engine(*places: Path) -> bytes:
    """The script, from the first of these places that has it; made and kept in the last of them where none has."""
    for place in places:
        if place.is_file() and (found := place.read_bytes()).startswith(_MARK):
            return found
    import vl_convert  # noqa: PLC0415  large, and hardly ever needed

    parts = _PARTS.format(vega=vl_convert.get_vega_version(), vega_lite=_VEGA_LITE)
    made = _MARK + vl_convert.javascript_bundle(parts, vl_version=_SERIES).encode()
    with suppress(RunFailed):  # it is only a memory
        write(places[-1], made)
    return made
