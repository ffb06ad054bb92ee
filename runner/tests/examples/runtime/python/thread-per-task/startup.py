"""Startup: the smallest process, or one thread; nothing is imported before it is needed."""

import sys


def first_task() -> int:
    """What the one task returned."""
    import threading

    results: list[int] = []
    thread = threading.Thread(target=lambda: results.append(1))
    thread.start()
    thread.join()
    return results[0]


def facts() -> tuple[str, dict[str, object]]:
    import gc
    import platform

    return platform.python_version(), {"gc": gc.isenabled()}


if __name__ == "__main__" and sys.argv[1:] != ["mode=bare"]:
    if sys.argv[1:] == ["mode=first-task"]:
        sys.exit(first_task() != 1)
    import startup_report

    startup_report.report(first_task, facts)
