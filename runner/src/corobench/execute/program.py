"""Turns a case into what is started: command, environment, CPUs, and what the process owes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from corobench.checks import Expectation
from corobench.execute.process import Launch, Limits
from corobench.execute.trouble import Trouble
from corobench.model import Parameter, Runtime, Track, Workload
from corobench.toolchains.places import places
from corobench.toolchains.values import Prepared

TOKEN = "COROBENCH_RUN"  # noqa: S105  marks every process of a run, so that the watchdog finds it

CROSSCHECK_S = 60.0
_PATH = "/usr/local/bin:/usr/bin:/bin"


def track_cpus(track: Track) -> frozenset[int]:
    """The CPUs of a track: the last one allowed for `one-cpu` (interrupts and the runner prefer the first), else all."""
    allowed = sorted(os.sched_getaffinity(0))
    return frozenset(allowed[-1:] if track == "one-cpu" else allowed)


def memory_cap() -> int:
    """Bytes of private writable memory that a program may map: three quarters of what is available now."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024 * 3 // 4
    raise OSError("/proc/meminfo has no MemAvailable")


class Program:
    """A runtime's program for a workload, ready to be started at any point and track."""

    def __init__(self, runtime: Runtime, workload: Workload, prepared: Prepared, token: str, tools: Mapping[str, Path]) -> None:
        self.runtime = runtime
        self.workload = workload
        self._tools = tools
        self._prepared = prepared
        self.token = token

    def arguments(self, params: dict[str, Parameter], **extra: int) -> list[str]:
        return [f"{key}={value}" for key, value in {**params, **extra}.items()]

    def command(self, cpus: int, arguments: list[str]) -> list[str]:
        """The argument list, as a person could type it (after the environment)."""
        where = self._places(cpus)
        program = [part.format(**where) for part in self.runtime.manifest.program.command]
        return [*program, *(a.format(**where) for a in self.runtime.variant.arguments), *arguments]

    def env(self, cpus: int) -> dict[str, str]:
        """A clean environment: nothing of the user's reaches a program, and it has the same size for all cases of a run."""
        where = self._places(cpus)
        return {
            "PATH": _PATH,
            "HOME": os.environ.get("HOME", "/"),
            "LANG": "C.UTF-8",
            "COROBENCH_RUNTIME": self.runtime.name,
            TOKEN: self.token,
            **self._prepared.env,
            **{key: value.format(**where) for key, value in self.runtime.variant.env.items()},
        }

    def launch(self, cpus: frozenset[int], arguments: list[str], timeout_s: float | None = None) -> Launch:
        """`timeout_s`: another limit than the workload's."""
        return Launch(
            argv=self.command(len(cpus), arguments),
            env=self.env(len(cpus)),
            cwd=self.runtime.folder,
            cpus=cpus,
            limits=Limits(timeout_s=timeout_s or self.workload.timeout_s, memory=memory_cap()),
        )

    def tool(self, name: str) -> Path:
        """A tool of the runner's own that this workload is measured with; Trouble where the box lacks it."""
        if name not in self._tools:
            raise Trouble("not-started", f"{name} is missing, with which this is measured; corobench doctor says how to get it")
        return self._tools[name]

    def helper(self, arguments: list[str], cpus: frozenset[int], timeout_s: float) -> Launch:
        """The load generator, or the companion that it also is; marked, so that it ends with the run."""
        return Launch(
            argv=[str(self.tool("load")), *arguments],
            env={"PATH": _PATH, TOKEN: self.token},
            cwd=Path("/"),
            cpus=cpus,
            limits=Limits(timeout_s=timeout_s, memory=memory_cap()),
        )

    def crosscheck(self, cpus: frozenset[int]) -> Launch:
        """The runtime's cross-check under the language's own harness; the manifest must have one."""
        assert self.runtime.manifest.crosscheck is not None
        where = self._places(len(cpus))
        argv = [part.format(**where) for part in self.runtime.manifest.crosscheck.command]
        extra = [part.format(**where) for part in self.runtime.variant.arguments]
        limits = Limits(timeout_s=CROSSCHECK_S, memory=memory_cap())
        return Launch(argv=[*argv, *extra], env=self.env(len(cpus)), cwd=self.runtime.folder, cpus=cpus, limits=limits)

    def expectation(
        self, params: dict[str, Parameter], cpus: int, iterations: int, *, traced: bool = False, counted: bool = False
    ) -> Expectation:
        return Expectation(
            workload=self.workload,
            runtime=self.runtime,
            params=params,
            cpus=cpus,
            iterations=iterations,
            version=self._prepared.version,
            language_version=self._prepared.language_version,
            traced=traced,
            counted=counted,
        )

    def _places(self, cpus: int) -> dict[str, str]:
        source = str(self.runtime.source(self.workload.name))
        return {**places(self.runtime, self._prepared, cpus), "workload": self.workload.name, "source": source}
