"""Starts a program without its folder on the path of modules: what `python -P` does, which 3.10 doesn't have."""

import runpy
import sys

del sys.path[0], sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
