"""Runs a program (first argument) whose task bodies fail, after its real source with a planted error."""

import sys
from pathlib import Path
from types import ModuleType

import programs

# The first statement of each body that may be traced, and of the loop in the others; of some tasks only where they have
# different bodies.
# Where tasks return nothing, they have another one.
BODIES: dict[str, str | tuple[str, ...]] = {
    "spawn": ("return i\n", "results[i] = i\n"),
    "spawn-chain": "checksum += i\n",
    "switch": "count += 1\n",
    "hand-off": ("received += 1\n", "count += 1\n"),
    "ring": ("received += 1\n", "count += 1\n"),
    "fan-in": "received += 1\n",
    "channel": "received += 1\n",
    "select": "checksum += message\n",
    "wake-thread": "received += 1\n",
    "io-switch": "received += len(byte)\n",
    "tree": ("return first\n", "return 0, first\n", "results.append(first)\n"),
    "timers": "deadlines.wake(i)\n",
    "fizzbuzz": "done += 1\n",
    "fizzbuzz-sleep": "done += 1\n",
    "mutex": "acquired += 1\n",
    "scope": "scopes.cleaned += 1\n",
    "semaphore": "taken += 1\n",
    "burst": "bursts.run(i)\n",
    "ticker": "ticks.take(tick)\n",
    "sleep-zero": "count += 1\n",
    "generator": "value += 1\n",
    "cancel-loaded": ("cleaned += 1\n", "cleaned.append(i)\n"),
    "cancel": ("cleaned += 1\n", "cleaned.append(i)\n"),
    "memory": "lot.leave()\n",
    "memory-state": "lot.leave()\n",
}


def planted(file: Path, bodies: str | tuple[str, ...], times: int) -> str:
    source = file.read_text()
    found = [body for body in _all(bodies) if body in source]
    assert [source.count(body) for body in found] == [times], f"{file} has changed: plant the error elsewhere"
    return source.replace(found[0], "raise ValueError('planted')\n")


def _all(bodies: str | tuple[str, ...]) -> tuple[str, ...]:
    return (bodies,) if isinstance(bodies, str) else bodies


def load(folder: Path, workload: str) -> ModuleType:
    """As programs.load, with the error in it."""
    module = ModuleType(f"program_{workload}")
    exec(failing(folder / f"{workload}.py"), vars(module))
    return module


def failing(file: Path) -> str:
    """A program's source; what fails is in it, or in the program that it changes a part of."""
    source, bodies = file.read_text(), BODIES[file.stem]
    if any(body in source for body in _all(bodies)):
        return planted(file, bodies, 1)
    programs.load = load
    return source


if __name__ == "__main__":
    file = Path(sys.argv.pop(1))
    exec(compile(failing(file), file, "exec"))
