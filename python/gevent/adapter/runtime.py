"""gevent's side of what every program with tasks on stacks of their own does."""

from gevent import Greenlet, sleep, spawn

__all__ = ["join", "pause", "sleep", "spawn"]

join = Greenlet.get
pause = sleep  # without an argument: one turn of the hub
