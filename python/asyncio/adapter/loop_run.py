"""How a program runs under asyncio, and what it says of itself."""

import asyncio

import asyncio_support
from asyncio_support import run

__all__ = ["facts", "run"]


def facts() -> tuple[str, dict[str, object]]:
    """Version, settings."""
    with asyncio.Runner(loop_factory=asyncio_support.new_event_loop()) as runner:
        return asyncio_support.version(), asyncio_support.settings(runner.get_loop())
