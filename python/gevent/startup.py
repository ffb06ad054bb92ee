"""Startup: the smallest process, or one task on a fresh scheduler; nothing is imported before it is needed."""

import sys


def first_task() -> int:
    """What the one task returned."""
    import runtime

    return int(runtime.join(runtime.spawn(lambda: 1)))


def facts() -> tuple[str, dict[str, object]]:
    import launch

    return launch.facts()


if __name__ == "__main__" and sys.argv[1:] != ["mode=bare"]:
    if sys.argv[1:] == ["mode=first-task"]:
        sys.exit(first_task() != 1)
    import startup_report

    startup_report.report(first_task, facts)
