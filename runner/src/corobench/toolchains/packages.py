"""Unpacks Debian packages, with what they depend on and the system lacks, into a folder: no root, nothing is installed.

They are named without versions. A suite of Debian or Ubuntu holds one version of a package, which a security update takes
away and replaces: a version that is locked here would be gone just then. The suite is the lock instead: apt checks every
package against the archive's signed index. What was had, versions and SHA-256, is kept in the folder and told by every run.
"""

from __future__ import annotations

import platform
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

from corobench.toolchains.steps import Unavailable

COMMANDS = ("apt-get", "dpkg-deb", "flock")  # of a Debian or one made of it
_HAD = ".corobench-packages"
# Lists and cache of our own; the system's state is read only to know what is installed. Hooks would write to the system.
_CONFIGURATION = """\
Dir::State::lists "{state}/lists";
Dir::Cache "{state}/cache";
Debug::NoLocking "true";
APT::Sandbox::User "";
APT::Install-Recommends "false";
Acquire::Languages "none";
Acquire::Retries "5";
Acquire::http::Timeout "60";
Acquire::https::Timeout "60";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
"""
# Arguments: the archives' folder, the folder to fill, the record's name. The files' names hold name and version. A link to a
# file of a package that the system has (libgmp.so to libgmp.so.10) is made to lead there.
_UNPACK = """
cd "$1"
sha256sum *.deb > "$2/$3"
for archive in *.deb; do dpkg-deb --extract "$archive" "$2"; done
cd "$2"
rm -r "$1"
find . -xtype l | while read -r link; do
    target=$(readlink -m "$link")
    case $target in "$PWD"/*) if [ -e "${target#"$PWD"}" ]; then ln -sfn "${target#"$PWD"}" "$link"; fi ;; esac
done
"""


def commands(root: Path, packages: Sequence[str], folder: Path) -> list[list[str]]:
    """Commands that fetch packages and unpack them into an existing folder. Writes the configuration that they use.

    Unavailable on a machine without apt.
    """
    if lacked := next((name for name in COMMANDS if shutil.which(name) is None), None):
        named = ", ".join(packages)
        raise Unavailable(f"needs Debian's {named}, and there is no {lacked} here", f"measure on a Debian, or install {named}")
    state = root / ".toolchain/apt"
    archives = folder / ".archives"
    for place in (state / "lists/partial", state / "cache"):
        place.mkdir(parents=True, exist_ok=True)
    configuration = state / "apt.conf"
    _configure(configuration, _CONFIGURATION.format(state=state))
    # One at a time: apt's own locks are of the system's state, which we may not write to.
    apt = ["flock", str(state / "lock"), "apt-get", "--quiet", "--config-file", str(configuration)]
    # Also what is installed (--reinstall): the tool is asked for because the system's is not to be used.
    fetch = ["--yes", "--download-only", "--reinstall", "--option", f"Dir::Cache::archives={archives}"]
    return [
        [*apt, "update"],
        ["mkdir", "--parents", str(archives / "partial")],
        [*apt, "install", *fetch, *packages],
        ["sh", "-ec", _UNPACK, "sh", str(archives), str(folder), _HAD],
    ]


def _configure(file: Path, text: str) -> None:
    """Tools are made side by side: while one's configuration is written, another's apt would read half of it."""
    if file.is_file() and file.read_text() == text:
        return
    with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False) as made:
        made.write(text)
    Path(made.name).replace(file)


def had(folder: Path) -> list[str]:
    """`name version` of each package that was unpacked into a folder."""
    record = folder / _HAD
    lines = record.read_text().splitlines() if record.is_file() else []
    files = (line.split(maxsplit=1)[1].split("_") for line in lines)
    return [f"{name} {unquote(version)}" for name, version, _architecture in files]


def archive() -> str:
    """What decides which packages a name means: distribution, release, architecture."""
    try:
        told = platform.freedesktop_os_release()
    except OSError:
        told = {}
    return f"{told.get('ID')} {told.get('VERSION_CODENAME')} {platform.machine()}"
