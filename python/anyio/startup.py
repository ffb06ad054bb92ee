"""Startup: the smallest process, or one task on a fresh event loop; nothing is imported before it is needed."""

import sys


def first_task() -> int:
    """What the one task left behind."""
    import os

    import anyio

    results: list[int] = []

    async def task() -> None:
        results.append(1)

    async def main() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(task)

    anyio.run(main, backend=os.environ["COROBENCH_BACKEND"])
    return results[0]


def facts() -> tuple[str, dict[str, object]]:
    import anyio

    import anyio_support

    return anyio_support.version(), anyio.run(anyio_support.settings, backend=anyio_support.backend())


if __name__ == "__main__" and sys.argv[1:] != ["mode=bare"]:
    if sys.argv[1:] == ["mode=first-task"]:
        sys.exit(first_task() != 1)
    import startup_report

    startup_report.report(first_task, facts)
