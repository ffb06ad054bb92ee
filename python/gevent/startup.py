"""Startup: the smallest process, or one greenlet on a fresh hub; nothing is imported before it is needed."""

import sys


def first_task() -> int:
    """What the one greenlet returned."""
    import gevent

    return int(gevent.spawn(lambda: 1).get())


def facts() -> tuple[str, dict[str, object]]:
    import gevent

    import green

    return gevent.__version__, green.settings()


if __name__ == "__main__" and sys.argv[1:] != ["mode=bare"]:
    if sys.argv[1:] == ["mode=first-task"]:
        sys.exit(first_task() != 1)
    import starting

    starting.report(first_task, facts)
