"""Runs a program (first argument) whose task bodies fail, after its real source with a planted error."""

import sys
from pathlib import Path

# The first statement of each body that may be traced, and of the loop in the others.
BODIES = {
    "spawn": "    return i\n",
    "spawn-chain": "checksum += i\n",
    "switch": "resumes += 1\n",
    "hand-off": "received += 1\n",
}

if __name__ == "__main__":
    file = Path(sys.argv.pop(1))
    source, body = file.read_text(), BODIES[file.stem]
    assert source.count(body) == 1, f"{file} has changed: plant the error elsewhere"
    indent = body[: len(body) - len(body.lstrip())]
    exec(compile(source.replace(body, f"{indent}raise ValueError('planted')\n"), file, "exec"))
