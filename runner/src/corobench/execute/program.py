"""Turns a case into what is started: command, environment, CPUs, limits, and what the process owes.

A process limit (RLIMIT_NPROC) would not do: it does not bind root, and counts all of a user's
processes.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Mapping
from copy import copy
from pathlib import Path

from corobench.contract.checks import Expectation
from corobench.contract.traces import ALL_AT_ONCE
from corobench.environ import home
from corobench.execute.monitor import LOOK_S, Limits
from corobench.execute.process import Launch, Trouble
from corobench.machine.proc import Host, cores_first, free_memory, usable
from corobench.results.log import NONCES
from corobench.suite import variables
from corobench.suite.runtime import Runtime, fill
from corobench.suite.workload import Parameter, Point, Track, Workload, some_cpus
from corobench.toolchains.tools import Prepared, places

TOKEN = "COROBENCH_RUN"  # noqa: S105  marks every process of a run, so that the watchdog finds it

CROSSCHECK_S = 60.0
_ROOMY = 16  # a million stacks of 64 KiB are 61 GiB of address space, and hold a tenth of it
_PATH = "/usr/local/bin:/usr/bin:/bin"


def track_cpus(track: Track) -> frozenset[int]:
    """The CPUs of a track: the last one usable for `one-cpu` (interrupts and the runner prefer the
    first), all for `all-cpus`; for so many between them each of a core of its own, as far as there
    are cores.
    """
    allowed = sorted(usable())
    if track == "one-cpu":
        return frozenset(allowed[-1:])
    some = some_cpus(track)
    return frozenset(allowed if some is None else cores_first(Host(), allowed)[:some])


def memory_cap(host: Host | None = None) -> int:
    """Bytes that a program may hold: three quarters of what the box, or the control group around
    us, has free now.
    """
    free = free_memory(host or Host())
    if free is None:
        raise OSError("/proc/meminfo has no MemAvailable")
    return free * 3 // 4


def _limits(timeout_s: float, *, roomy: bool = False) -> Limits:
    """`roomy`: what a program maps may be many times what it holds (the stacks of a million tasks);
    else both have one cap.
    """
    cap = memory_cap()
    return Limits(timeout_s=timeout_s, memory=cap, address_space=cap * (_ROOMY if roomy else 1))


class Program:
    """A runtime's program for a workload, ready to be started at any point and track."""

    def __init__(
        self,
        runtime: Runtime,
        workload: Workload,
        prepared: Prepared,
        token: str,
        tools: Mapping[str, Path],
    ) -> None:
        self.runtime = runtime
        self.workload = workload
        self._tools = tools
        self._prepared = prepared
        self.token = token
        # That all tasks are alive at once shows in how large the process has become.
        are_looked_at = workload.kind == "timed" and _AT_ONCE & set(workload.trace)
        asked = variables.asks(workload, variables.SEEN_HIGH)
        self._look_s = LOOK_S if asked or are_looked_at else None
        self._options: list[str] = []

    def only_verified(self) -> Program:
        """The same program, without what its tool does for speed: it ends before that is repaid."""
        other = copy(self)
        other._options = self.runtime.toolchain.verify_options
        return other

    @property
    def root(self) -> Path:
        """The repository that the runtime lies in."""
        return self.runtime.toolchain.folder.parent

    def arguments(self, params: dict[str, Parameter], **extra: int) -> list[str]:
        return [f"{key}={value}" for key, value in {**params, **extra}.items()]

    def ask(
        self,
        params: dict[str, Parameter],
        cpus: int,
        iterations: int,
        *,
        min_warm_ms: int = 0,
        traced: bool = False,
        counted: bool = False,
    ) -> tuple[list[str], Expectation]:
        """The arguments of a process that repeats its operation, and what it owes in return.

        Where the spec has a nonce each process is given another one: no result is known before.
        Always seven digits, so that it changes the size of no argument list, and small enough that
        ten million results add up exactly in a double.
        """
        least, most = NONCES
        nonce = least + secrets.randbelow(most - least + 1) if self.workload.nonce else 0
        arguments = self.arguments(
            params,
            iterations=iterations,
            min_warm_ms=min_warm_ms,
            trace=int(traced),
            **({"count": 1} if counted else {}),
            **({"nonce": nonce} if nonce else {}),
        )
        return arguments, self.expectation(
            params, cpus, iterations, traced=traced, counted=counted, nonce=nonce
        )

    def command(self, cpus: int, arguments: list[str]) -> list[str]:
        """The argument list, as a person could type it (after the environment)."""
        tool, *words = self._filled(cpus, "program.command", self.runtime.program.command)
        options = self._filled(cpus, "verify_options", self._options)
        return [tool, *options, *words, *self._own(cpus), *arguments]

    def env(self, cpus: int) -> dict[str, str]:
        """A clean environment: nothing of the user's reaches a program, and it has the same size
        for all cases of a run.
        """
        own = self.runtime.variant.env
        return {
            "PATH": _PATH,
            "HOME": home(os.environ),
            "LANG": "C.UTF-8",
            "COROBENCH_RUNTIME": self.runtime.name,
            TOKEN: self.token,
            **self._prepared.env,
            **dict(zip(own, self._filled(cpus, "variant.env", own.values()), strict=True)),
        }

    def launch(
        self, cpus: frozenset[int], arguments: list[str], timeout_s: float | None = None
    ) -> Launch:
        """`timeout_s`: another limit than the workload's."""
        return Launch(
            argv=self.command(len(cpus), arguments),
            env=self.env(len(cpus)),
            cwd=self.runtime.folder,
            cpus=cpus,
            # What is traced is about its tasks, of which there may be a million; the scenarios have
            # tens, and several processes.
            limits=_limits(timeout_s or self.workload.timeout_s, roomy=bool(self.workload.trace)),
            look_s=self._look_s,
            out_of_resource_messages=self.runtime.toolchain.out_of_resource_messages,
        )

    @property
    def tools(self) -> list[Path]:
        """The tools of the runner's own that this workload is measured with, as far as the box has
        them.
        """
        return [self._tools[name] for name in self.workload.tools if name in self._tools]

    def tool(self, name: str) -> Path:
        """A tool of the runner's own that this workload is measured with; Trouble where the box
        lacks it.
        """
        if name not in self._tools:
            raise Trouble(
                "not-started",
                f"{name} is missing, with which this is measured; corobench doctor says "
                "how to get it",
            )
        return self._tools[name]

    def helper(self, arguments: list[str], cpus: frozenset[int], timeout_s: float) -> Launch:
        """The load generator, or the companion that it also is; marked, so that it ends with the
        run.
        """
        return Launch(
            argv=[str(self.tool("load")), *arguments],
            env={"PATH": _PATH, TOKEN: self.token},
            cwd=Path("/"),
            cpus=cpus,
            limits=_limits(timeout_s),
        )

    def crosscheck(self, cpus: frozenset[int]) -> Launch:
        """The runtime's cross-check under the language's own harness; it must have one."""
        assert self.runtime.crosscheck is not None
        argv = self._filled(len(cpus), "crosscheck.command", self.runtime.crosscheck.command)
        env, limits = self.env(len(cpus)), _limits(CROSSCHECK_S)
        return Launch(
            argv=[*argv, *self._own(len(cpus))],
            env=env,
            cwd=self.runtime.folder,
            cpus=cpus,
            limits=limits,
        )

    def expectation(
        self,
        params: dict[str, Parameter],
        cpus: int,
        iterations: int,
        *,
        traced: bool = False,
        counted: bool = False,
        nonce: int = 0,
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
            nonce=nonce,
        )

    def _own(self, cpus: int) -> list[str]:
        """The variant's own arguments."""
        return self._filled(cpus, "variant.arguments", self.runtime.variant.arguments)

    def _filled(self, cpus: int, key: str, texts: Iterable[str]) -> list[str]:
        values, where = self._places(cpus), f"{self.runtime.folder}/runtime.toml: {key}"
        return [fill(text, values, where) for text in texts]

    def _places(self, cpus: int) -> dict[str, str]:
        source = str(self.runtime.source(self.workload.name))
        return {
            **places(self.runtime, self._prepared, cpus),
            "workload": self.workload.name,
            "source": source,
        }


# the rules of a trace by which all of a workload's tasks may live at once
_AT_ONCE = ALL_AT_ONCE | {"all-parked"}
_MAPS = 2  # a thread's stack and the guard below it


def thread_room(proc: Path = Path("/proc")) -> tuple[int, str]:
    """How many threads a program may have, three quarters of what is free now, and the limit that
    says so.
    """
    running = int((proc / "loadavg").read_text().split()[3].partition("/")[2])
    limits = {
        name: int((proc / "sys" / name.replace(".", "/")).read_text())
        for name in ("kernel.pid_max", "kernel.threads-max")
    }
    free = {name: limit - running for name, limit in limits.items()}
    limits["vm.max_map_count"] = int((proc / "sys/vm/max_map_count").read_text())
    free["vm.max_map_count"] = limits["vm.max_map_count"] // _MAPS
    name = min(free, key=free.__getitem__)
    return max(0, free[name] * 3 // 4), f"{name} is {limits[name]:,}"


def check_threads(program: Program, point: Point, proc: Path = Path("/proc")) -> None:
    """Trouble where a runtime whose tasks are threads would need more of them at once than there is
    room for.
    """
    spec = program.workload
    if (
        program.runtime.manifest.unit != "thread"
        or not spec.ladder
        or not _AT_ONCE & set(spec.trace)
    ):
        return
    wanted = int(point.params[spec.ladder])
    most, limit = thread_room(proc)
    if wanted > most:
        raise Trouble(
            "limit",
            f"not started: it needs {wanted:,} threads at once, more than this machine can "
            f"spare ({limit})",
        )
