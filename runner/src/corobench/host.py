"""Reads /proc and /sys under a root, so that tests can plant a box. Nothing here is written or started."""

from __future__ import annotations

from pathlib import Path

import msgspec


class Host(msgspec.Struct, frozen=True):
    """A box as its files tell it. What a file doesn't say, or we may not read, is None."""

    root: Path = Path("/")

    def text(self, path: str) -> str | None:
        """A file's text without surrounding blanks; None where it is absent, unreadable or empty."""
        try:
            return (self.root / path.lstrip("/")).read_text(errors="replace").strip() or None
        except OSError:
            return None

    def number(self, path: str) -> int | None:
        text = self.text(path)
        try:
            return None if text is None else int(text.split()[0])
        except ValueError:
            return None

    def texts(self, pattern: str) -> dict[str, str]:
        """Text by path relative to the root, of the files that match a glob and can be read, in order."""
        paths = sorted(path.relative_to(self.root) for path in self.root.glob(pattern.lstrip("/")))
        found = {f"/{path}": self.text(f"/{path}") for path in paths}
        return {path: text for path, text in found.items() if text is not None}

    def exists(self, path: str) -> bool:
        return (self.root / path.lstrip("/")).exists()

    def field(self, path: str, name: str) -> str | None:
        """The value of a `name: value` line, such as those of /proc/meminfo and /proc/cpuinfo."""
        for line in (self.text(path) or "").splitlines():
            key, colon, value = line.partition(":")
            if colon and key.strip() == name:
                return value.strip()
        return None

    def choice(self, path: str) -> str | None:
        """What is chosen in a file like `always [madvise] never`."""
        text = self.text(path)
        if text is None or "[" not in text:
            return text
        return text.partition("[")[2].partition("]")[0]


def cpu_list(text: str | None) -> list[int]:
    """The numbers in a list like `0-3,8`; none where it is unknown."""
    numbers: list[int] = []
    for part in (text or "").split(","):
        first, _, last = part.strip().partition("-")
        if first.isdigit():
            numbers += range(int(first), int(last or first) + 1)
    return numbers


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What the control groups around this process allow: CPUs, bytes, tasks. None: no limit."""

    cpus: float | None
    memory: int | None
    tasks: int | None


def limits(host: Host) -> Limits:
    """The tightest limit of this process's group and all above it (version 2, or the version 1 files of a container)."""
    found: dict[str, list[float]] = {"cpu.max": [], "memory.max": [], "pids.max": []}
    for folder in _groups(host):
        for name, values in found.items():
            words = (host.text(f"{folder}/{name}") or "max").split()
            if words[0].isdigit():
                values.append(int(words[0]) / (int(words[1]) if len(words) > 1 else 1))
    quota, period = (host.number(f"/sys/fs/cgroup/cpu/cpu.cfs_{name}_us") for name in ("quota", "period"))
    if quota and period and quota > 0:
        found["cpu.max"].append(quota / period)
    old_memory = host.number("/sys/fs/cgroup/memory/memory.limit_in_bytes")
    if old_memory and old_memory < 2**60:  # version 1 writes "no limit" as a huge number
        found["memory.max"].append(old_memory)
    cpus, memory, tasks = (min(values, default=None) for values in found.values())
    return Limits(cpus=cpus, memory=None if memory is None else int(memory), tasks=None if tasks is None else int(tasks))


def throttled(host: Host) -> int:
    """In how many periods, since boot, the control groups around this process were stopped for having used up their CPU quota."""
    files = [*(f"{folder}/cpu.stat" for folder in _groups(host)), "/sys/fs/cgroup/cpu/cpu.stat"]
    lines = [line.split() for file in files for line in (host.text(file) or "").splitlines()]
    return max((int(words[1]) for words in lines if words[0] == "nr_throttled"), default=0)


def _groups(host: Host) -> list[str]:
    own = "/"
    for line in (host.text("/proc/self/cgroup") or "").splitlines():
        if line.startswith("0::"):
            own = line.removeprefix("0::")
    parts = [part for part in own.split("/") if part and part != ".."]
    return ["/sys/fs/cgroup/" + "/".join(parts[:depth]) for depth in range(len(parts) + 1)]
