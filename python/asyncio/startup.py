"""Startup: the smallest process, or one task on a fresh event loop; nothing is imported before it is needed."""

import sys


def first_task() -> int:
    """What the one task returned."""
    import loop

    async def task() -> int:
        return 1

    async def main() -> int:
        return await loop.create_task(task())

    return loop.run_root(main())


def facts() -> tuple[str, dict[str, object]]:
    import loop_run

    return loop_run.facts()


if __name__ == "__main__" and sys.argv[1:] != ["mode=bare"]:
    if sys.argv[1:] == ["mode=first-task"]:
        sys.exit(first_task() != 1)
    import startup_report

    startup_report.report(first_task, facts)
