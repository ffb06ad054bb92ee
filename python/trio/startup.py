"""Startup: the smallest process, or one task on a fresh run loop; nothing is imported before it is needed."""

import sys


def first_task() -> int:
    """What the one task left behind."""
    import trio

    results: list[int] = []

    async def task() -> None:
        results.append(1)

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(task)

    trio.run(main)
    return results[0]


def facts() -> tuple[str, dict[str, object]]:
    import trio

    import trio_support

    return trio.__version__, trio.run(trio_support.settings)


if __name__ == "__main__" and sys.argv[1:] != ["mode=bare"]:
    if sys.argv[1:] == ["mode=first-task"]:
        sys.exit(first_task() != 1)
    import startup_report

    startup_report.report(first_task, facts)
