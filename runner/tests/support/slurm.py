"""A real Slurm on this machine: munged, slurmctld and a slurmd for each of three boxes, by ports of
their own, from the configuration that `corobench fleet config` writes.
"""

from __future__ import annotations

import os
import pwd
import re
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import patience

from corobench.fleet.campaign import Campaign
from corobench.fleet.engines.slurm import Site, write_configuration
from corobench.machine.proc import Host
from corobench.toolchains.tools import Tool

BOXES = {"b1": "classa", "b2": "classa", "b3": "classb"}
HOSTS = {"classa": "b[1-2]", "classb": "b3"}
_COMMANDS = ("sbatch", "squeue", "scancel", "sinfo", "scontrol")
# What makes a test short, and what a machine without root's folders lacks.
_SHORT = {
    "SlurmdTimeout": "4",
    "MessageTimeout": "3",  # for so long a box that is dead is asked once more, and that twice
    "SchedulerParameters": "nohold_on_prolog_fail,bf_interval=2,batch_sched_delay=0,sched_interval=2",
    "HealthCheckInterval": "3600",
    "ProctrackType": "proctrack/linuxproc",
    "MpiDefault": "none",
    "KillWait": "2",
}
# What is left on a box: by its name, where all boxes and whoever tests have one user.
_LEFT = """#!/bin/sh
ps -e -o stat=,pid=,args= | grep "[s]tray-of-$SLURMD_NODENAME"
cat {folder}/unending-$SLURMD_NODENAME 2>/dev/null
"""


class Cluster:
    """`bin`: the commands of a client, as a campaign finds them. Every daemon is known by name."""

    def __init__(self, folder: Path, tool: Tool) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.conf = folder / "slurm.conf"
        self._tool = tool
        self._root = tool.path.parents[2]
        self._daemons: dict[str, subprocess.Popen[bytes]] = {}
        self._libraries = tool.run_env.get("LD_LIBRARY_PATH", "")

    @property
    def env(self) -> dict[str, str]:
        libraries = {"LD_LIBRARY_PATH": self._libraries} if self._libraries else {}
        return {**os.environ, **libraries, "SLURM_CONF": str(self.conf)}

    def write(self, campaign: Campaign) -> None:
        """The campaign's configuration: its scripts as they are, and in slurm.conf what differs
        where all boxes are on one machine.
        """
        left = self.folder / "left"
        left.write_text(_LEFT.format(folder=self.folder))
        left.chmod(0o755)
        site = Site(
            controller="head",
            user=_user(),
            folder=str(self.folder),
            path=f"{self.bin}:{os.environ['PATH']}:/usr/sbin:/sbin",
            become="",
            processes=str(left),
        )
        write_configuration(campaign, site, self.folder)
        text = self.conf.read_text()
        here = {
            "SlurmctldHost": f"{socket.gethostname()}(127.0.0.1)",
            "SlurmUser": _user(),
            "SlurmdUser": _user(),
            "SlurmctldPort": str(_port()),
            "SlurmctldPidFile": self._file("slurmctld.pid"),
            "SlurmdPidFile": self._file("slurmd-%n.pid"),
            "SlurmctldLogFile": self._file("slurmctld.log"),
            "SlurmdLogFile": self._file("slurmd-%n.log"),
            "StateSaveLocation": self._file("state"),
            "SlurmdSpoolDir": self._file("spool-%n"),
            "JobCompLoc": self._file("jobs.log"),
            # Slurm takes anything below 5 s for 120
            "AuthInfo": f"socket={self._file('munge.socket')},cred_expire=5",
            **_SHORT,
            **({"PluginDir": str(self._plugins())} if self._plugins().is_dir() else {}),
        }
        for key, value in here.items():
            text = _set(text, key, value)
        nodes = "".join(
            f"NodeName={name} NodeAddr=127.0.0.1 NodeHostname={socket.gethostname()} "
            f"Port={_port()} CPUs={os.cpu_count()} RealMemory=100 Feature={kind}\n"
            for name, kind in BOXES.items()
        )
        text = re.sub(r"^NodeName=.*\n", "", text, flags=re.MULTILINE)
        self.conf.write_text(text.replace("PartitionName=", f"{nodes}PartitionName=", 1))
        for name in ("state", *(f"spool-{box}" for box in BOXES)):
            (self.folder / name).mkdir(exist_ok=True)
        self._wrap()

    def _plugins(self) -> Path:
        return next(self._root.glob("usr/lib/*/slurm-wlm"), Path("/nowhere"))

    def _file(self, name: str) -> str:
        return str(self.folder / name)

    def set(self, key: str, value: str) -> None:
        """Another value of a setting, while the daemons run."""
        self.conf.write_text(_set(self.conf.read_text(), key, value))
        self.call("scontrol", "reconfigure")

    def begin_numbers_at(self, job: int) -> None:
        """A controller that was killed may have lost jobs that boxes still hold, and would give
        their numbers again: such a box is drained (`Duplicate jobid`).
        """
        self.set("FirstJobId", str(job))

    def _wrap(self) -> None:
        """Commands that find the libraries and the configuration by themselves."""
        self.bin.mkdir(exist_ok=True)
        for name in (*_COMMANDS, *(["ps"] if self._libraries else [])):
            real = self._real(name)
            file = self.bin / name
            env = " ".join(
                f"{key}={shlex.quote(self.env[key])}"
                for key in ("LD_LIBRARY_PATH", "SLURM_CONF")
                if key in self.env
            )
            file.write_text(f'#!/bin/sh\nexec env {env} {real} "$@"\n')
            file.chmod(0o755)

    def _real(self, name: str) -> Path:
        """A program of Slurm by its own name: Debian's packages have another, to which a link leads
        once they are installed, and Slurm 24 looks at what it was called by. It also starts itself
        once more for a prolog, without the environment: where its packages were only unpacked, it
        is a copy that knows where its libraries are.
        """
        beside = self._tool.path.parents[1]
        folders = [beside / "bin", beside / "sbin", self._root / "bin"]
        tried = [folder / one for folder in folders for one in (name, f"{name}-wlm")]
        called = self.folder / "called" / name
        if called.exists():
            return called
        called.parent.mkdir(exist_ok=True)
        real = next(path for path in tried if path.exists())
        if not self._libraries:
            called.symlink_to(real)
            return called
        shutil.copy(real, called)
        patchelf = self._root / "usr/bin/patchelf"
        asked = [patchelf, "--force-rpath", "--set-rpath", self._libraries, called]
        subprocess.run(asked, check=True, capture_output=True)
        return called

    def start(self) -> None:
        munge = self._real("munged")
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(1024))
        key.chmod(0o400)
        self.folder.chmod(0o755)
        options = {
            "key-file": key,
            "socket": self._file("munge.socket"),
            "pid-file": self._file("munged.pid"),
            "log-file": self._file("munged.log"),
            "seed-file": self._file("munged.seed"),
        }
        self._start(
            "munged", munge, "--foreground", "--force", *(f"--{k}={v}" for k, v in options.items())
        )
        self._wait(lambda: Path(self._file("munge.socket")).exists(), "munged")
        self.start_controller()
        for box in BOXES:
            self.start_box(box)
        self._wait(lambda: all(self.state(box) == "idle" for box in BOXES), "all boxes idle")

    def start_controller(self) -> None:
        self._start("slurmctld", self._real("slurmctld"), "-D", "-f", str(self.conf))

    def start_box(self, box: str) -> None:
        step, slurmd = self._real("slurmstepd"), self._real("slurmd")
        # all that it starts is known by its box
        self._start(box, slurmd, "-D", "-N", box, "-f", str(self.conf), "-d", str(step))

    def _start(self, name: str, *command: str | Path) -> None:
        with (self.folder / f"{name}.out").open("ab") as out:
            self._daemons[name] = subprocess.Popen(
                list(map(str, command)),
                env=self.env | ({"SLURMD_NODENAME": name} if name in BOXES else {}),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                cwd=self.folder,
            )

    def kill(self, name: str) -> None:
        """As a power cut: the daemon, and on a box all that it has started."""
        daemon = self._daemons.pop(name)
        daemon.kill()
        daemon.wait()
        for pid in self.steps(name):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def steps(self, box: str) -> list[int]:
        """The daemon of a box, those of its steps, which outlive it, and what they have started.

        A step's own daemon comes first: one that lived on would tell how its job ended. Slurm 24
        starts it without the environment, so it is known by its children.
        """
        mark = f"SLURMD_NODENAME={box}".encode()
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                environment = (folder / "environ").read_bytes()
            except OSError:
                continue  # it ended, or is another user's
            if str(self.folder).encode() in environment and mark in environment.split(b"\0"):
                found.append(int(folder.name))
        return list(dict.fromkeys([*filter(_steps, map(_parent, found)), *found]))

    def pid(self, name: str) -> int:
        return self._daemons[name].pid

    def stop(self) -> None:
        for name in [*BOXES, "slurmctld", "munged"]:
            if name in self._daemons:
                self.kill(name)

    def call(self, name: str, *arguments: str) -> str:
        done = subprocess.run(
            [str(self.bin / name), *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return done.stdout.strip() or done.stderr.strip()

    def state(self, box: str) -> str:
        return self.call("sinfo", "--noheader", f"--nodes={box}", "--format=%T").rstrip("*")

    def _wait(self, holds: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + patience.SECONDS
        while not holds():
            if time.monotonic() > deadline:
                raise AssertionError(f"{what}: never came true\n{self.logs()}")
            time.sleep(0.2)

    def logs(self) -> str:
        files = sorted([*self.folder.glob("*.log"), *self.folder.glob("*.out")])
        return "\n".join(f"== {f.name}\n{f.read_text(errors='replace')[-3000:]}" for f in files)


@contextmanager
def running(folder: Path, tool: Tool, campaign: Campaign) -> Iterator[Cluster]:
    """`folder` holds the campaign's file, as /etc/slurm does."""
    cluster = Cluster(folder, tool)
    cluster.write(campaign)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


def _set(text: str, key: str, value: str) -> str:
    line = f"{key}={value}"
    text, found = re.subn(rf"^{key}=.*$", line, text, flags=re.MULTILINE)
    return text if found else f"{text}{line}\n"


def _parent(pid: int) -> int:
    """0 for one that has ended."""
    status = Host().text(f"/proc/{pid}/status") or ""
    return int(found[1]) if (found := re.search(r"^PPid:\s*(\d+)", status, re.MULTILINE)) else 0


def _steps(pid: int) -> bool:
    """Whether this is the daemon of a step, which calls itself by the step's name."""
    return (Host().text(f"/proc/{pid}/cmdline") or "").startswith("slurmstepd")


def _user() -> str:
    return pwd.getpwuid(os.getuid()).pw_name


def _port() -> int:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        port: int = made.getsockname()[1]
        return port
