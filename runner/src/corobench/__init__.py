"""corobench: what does a task cost in each runtime, on this box?"""

__version__ = "0.1.0"
