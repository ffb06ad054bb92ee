"""A collector behind a real ssh server on this machine: its own host key, and one key that may do
what docs/fleet.md lets the key of a box do.
"""

from __future__ import annotations

import os
import pwd
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import patience
from checkouts import REPOSITORY

from corobench.toolchains.tools import Tool

# The form that an operator is told, with what is to be filled in.
TOLD = re.search(
    r"^ *(restrict,command=.*) ssh-ed25519 AAAA", (REPOSITORY / "docs/fleet.md").read_text(), re.M
)
EXAMPLE = "/opt/corobench/.venv/bin/corobench fleet receive /srv/corobench/inbox"
_SERVER = """
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/authorized_keys
PidFile none
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
# the folder of a test lies in one that anybody may write to
StrictModes no
# what the key must not reach
Subsystem sftp internal-sftp
AllowTcpForwarding yes
PermitTTY yes
"""
_CLIENT = """
Host collector
HostName 127.0.0.1
Port {port}
User {user}
IdentityFile {folder}/box
IdentitiesOnly yes
UserKnownHostsFile {folder}/known_hosts
GlobalKnownHostsFile none
StrictHostKeyChecking yes
ProxyCommand {python} -S {link} {folder}/cut %h %p
"""
# As root sshd wants a user and a folder for its unprivileged half. Where it was not installed, it
# sees them in a mount namespace of its own.
_APART = (
    'mount --bind "$1/passwd" /etc/passwd && mount -t tmpfs run /run && mkdir -m 755 /run/sshd '
    '&& shift && exec "$@"'
)
_LINK = Path(__file__).with_name("link.py")


class Collector:
    """`inbox` is where attempts arrive; `deliver` is what a box pipes one into."""

    def __init__(self, folder: Path, corobench: Path) -> None:
        self.folder = folder
        self.inbox = folder / "inbox"
        self.deliver = f"ssh -F {folder}/config -o BatchMode=yes collector"
        with socket.socket() as made:
            made.bind(("127.0.0.1", 0))
            self.port = made.getsockname()[1]
        for name in ("host", "box"):
            words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)]
            subprocess.run(words, check=True)
        assert TOLD is not None
        assert EXAMPLE in TOLD[1]
        form = TOLD[1].replace(EXAMPLE, f"{corobench} fleet receive {self.inbox}")
        key = (folder / "box.pub").read_text()
        (folder / "authorized_keys").write_text(f"{form} {key}")
        host = (folder / "host.pub").read_text()
        (folder / "known_hosts").write_text(f"[127.0.0.1]:{self.port} {host}")
        values = {
            "folder": folder,
            "port": self.port,
            "user": pwd.getpwuid(os.getuid()).pw_name,
            "python": sys.executable,
            "link": _LINK,
        }
        (folder / "sshd_config").write_text(_SERVER.format(**values))
        (folder / "config").write_text(_CLIENT.format(**values))

    def cut_after(self, sent: int | None) -> None:
        """Connections break after so many bytes of a box; None: they don't."""
        (self.folder / "cut").unlink(missing_ok=True)
        if sent is not None:
            (self.folder / "cut").write_text(str(sent))

    def ssh(self, *words: str, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
        command = [*shlex.split(self.deliver)[:-1], *options, "collector", *words]
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=patience.SECONDS,
            check=False,
        )

    def answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
        except ConnectionRefusedError:
            return False
        return True


@contextmanager
def running(folder: Path, tool: Tool, corobench: Path) -> Iterator[Collector]:
    collector = Collector(folder, corobench)
    command = [str(tool.path), "-D", "-e", "-f", str(folder / "sshd_config")]
    with (folder / "sshd.log").open("wb") as log:
        server = subprocess.Popen(
            [*_apart(folder), *command],
            env={**os.environ, **tool.run_env},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            patience.until(collector.answers, lambda: server.poll() is None)
            yield collector
        except AssertionError as error:
            error.add_note((folder / "sshd.log").read_text(errors="replace")[-3000:])
            raise
        finally:
            server.terminate()
            server.wait()


def _apart(folder: Path) -> list[str]:
    if os.geteuid() != 0:
        return []
    try:
        pwd.getpwnam("sshd")
    except KeyError:
        known = False
    else:
        known = Path("/run/sshd").is_dir()
    if known:
        return []
    shutil.copy("/etc/passwd", folder / "passwd")
    with (folder / "passwd").open("a") as users:
        users.write("sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin\n")
    return ["unshare", "--mount", "sh", "-c", _APART, "sh", str(folder)]
