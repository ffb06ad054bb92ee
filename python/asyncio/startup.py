"""Startup: the smallest process, or one task on a fresh event loop; nothing is imported before it is needed."""

import sys


def first_task() -> int:
    """What the one task returned."""
    import asyncio
    import os

    # `asyncio` or `uvloop`, as in harness/aio.py, whose other imports have no place in this process.
    loops = __import__(os.environ["COROBENCH_LOOP"])

    async def task() -> int:
        return 1

    async def main() -> int:
        return await asyncio.create_task(task())

    with asyncio.Runner(loop_factory=loops.new_event_loop) as runner:
        return runner.run(main())


def facts() -> tuple[str, dict[str, object]]:
    import asyncio

    import aio

    with asyncio.Runner(loop_factory=aio.new_event_loop()) as runner:
        return aio.version(), aio.settings(runner.get_loop())


if __name__ == "__main__" and sys.argv[1:] != ["mode=bare"]:
    if sys.argv[1:] == ["mode=first-task"]:
        sys.exit(first_task() != 1)
    import starting

    starting.report(first_task, facts)
