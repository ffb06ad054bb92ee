"""How a program runs under asyncio, and what it says of itself."""

import asyncio

import aio
from aio import run

__all__ = ["facts", "run"]


def facts() -> tuple[str, dict[str, object]]:
    """Version, settings."""
    with asyncio.Runner(loop_factory=aio.new_event_loop()) as runner:
        return aio.version(), aio.settings(runner.get_loop())
