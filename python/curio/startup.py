"""Startup: the smallest process, or one task on a fresh kernel; nothing is imported before it is needed."""

import sys


def first_task() -> int:
    """What the one task returned."""
    import curio

    async def task() -> int:
        return 1

    async def main() -> int:
        running = await curio.spawn(task)
        result: int = await running.join()
        return result

    finished: int = curio.run(main)
    return finished


def facts() -> tuple[str, dict[str, object]]:
    import curio

    import curio_support

    return curio.__version__, curio.run(curio_support.settings)


if __name__ == "__main__" and sys.argv[1:] != ["mode=bare"]:
    if sys.argv[1:] == ["mode=first-task"]:
        sys.exit(first_task() != 1)
    import startup_report

    startup_report.report(first_task, facts)
