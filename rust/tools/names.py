"""Puts the executable `programs` of a folder, if it has one, under the name of each program in it."""

import subprocess
import sys
from pathlib import Path

programs = Path(sys.argv[1]).resolve() / "programs"
if programs.exists():
    for name in subprocess.check_output([programs], text=True).split():
        programs.with_name(name).hardlink_to(programs)
    programs.unlink()
