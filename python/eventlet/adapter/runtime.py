"""eventlet's side of what every program with tasks on stacks of their own does."""

from eventlet import sleep, spawn
from eventlet.greenthread import GreenThread

__all__ = ["join", "pause", "sleep", "spawn"]

join = GreenThread.wait
pause = sleep  # without an argument: one turn of the hub
