"""Folders made by commands, each named by the hash of its inputs and marked as finished at the very
end.

They are named without versions. A suite of Debian or Ubuntu holds one version of a package, which a
security update takes away and replaces: a version that is locked here would be gone just then. The
suite is the lock instead: apt checks every package against the archive's signed index. What was
had, versions and SHA-256, is kept in the folder and told by every run.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote

import msgspec

from corobench.commands import Completed, halted, run_tool
from corobench.environ import for_tools, has_route
from corobench.errors import UserError

# What tools leave in a source tree.
_MADE = frozenset({"node_modules", "target", "__pycache__"})
_TESTS = frozenset({"test", "tests"})
_MAGIC = frozenset("*?[")


def hash_of(*parts: str) -> str:
    """A hash of 64 hex digits over words, in order."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part.encode())}:{part}".encode())
    return digest.hexdigest()


def hash_files(files: Iterable[Path], base: Path) -> str:
    """A hash over names (relative to a folder) and contents, whatever their order."""
    parts: list[str] = []
    for file in sorted(set(files)):
        name = str(file.relative_to(base)) if file.is_relative_to(base) else file.name
        with file.open("rb") as stream:
            parts += [name, hashlib.file_digest(stream, "sha256").hexdigest()]
    return hash_of(*parts)


def matching(pattern: str, where: str) -> list[Path]:
    """The files of an absolute glob, sorted. UserError for a plain name that doesn't exist."""
    if _MAGIC.isdisjoint(pattern):
        if not Path(pattern).is_file():
            raise UserError(f"{where}: {pattern} does not exist")
        return [Path(pattern)]
    parts = Path(pattern).parts
    plain = next(place for place, part in enumerate(parts) if not _MAGIC.isdisjoint(part))
    base = Path(*parts[:plain])
    found = base.glob("/".join(parts[plain:]))
    return sorted(
        file
        for file in found
        if file.is_file() and not any(_is_made(part) for part in file.relative_to(base).parts)
    )


def sources(language: Path, runtime: Path, others: Iterable[Path] = ()) -> list[Path]:
    """The files that people wrote for a runtime: its folder, what the language's runtimes share,
    and `others` (files, or folders of other runtimes), but for tests and the manifests of others.
    """
    foreign = {manifest.parent for manifest in language.glob("*/runtime.toml")} - {runtime}
    found = set(_walk(language, skip=foreign))
    for path in others:
        found.update(_walk(path, skip=set()) if path.is_dir() else [path])
    return sorted(file for file in found if file.name != "runtime.toml" or file.parent == runtime)


def _is_made(name: str) -> bool:
    return name.startswith(".") or name in _MADE


def _walk(folder: Path, skip: set[Path]) -> Iterable[Path]:
    for entry in folder.iterdir():
        if _is_made(entry.name) or entry.name in _TESTS or entry in skip or entry.suffix == ".md":
            continue
        if entry.is_dir():
            yield from _walk(entry, skip)
        elif entry.is_file():
            yield entry


_STAMP = ".corobench-finished"
_TAIL_LINES = 12
# Before the second and the third try, where the network failed.
PAUSES_S = (3.0, 15.0)
# What uv, pip, npm, cargo, Go, apt, rustup and Python say of a network that may do better the next
# time.
_NETWORK = re.compile(
    r"time[sd]? out|(connect\w*|read|request|operation|i/o|handshake) timeout|ETIMEDOUT|deadline "
    r"exceeded|try again"
    r"|temporary failure|resolve host|name resolution|no such "
    r"host|EAI_AGAIN|ECONNRE(SET|FUSED)|broken pipe|socket hang up"
    r"|connection (was |is )?(reset|refused|closed|aborted)|network (is unreachable|error|request "
    r"failed)|error sending request"
    r"|unexpected (eof|end of file)|tls handshake|hash sum mismatch|failed to (fetch|download)"
    r"|(http|status|error|code)\D{0,20}\b(429|500|502|503|504)\b|\b(429 too many|50[0234] "
    r"(internal|bad|service|gateway))",
    re.IGNORECASE,
)
# A name server has answered: there is no such name. (One that can't be reached is "temporary".)
_NO_SUCH_HOST = re.compile(
    r"name or service not known|no such host|nodename nor servname", re.IGNORECASE
)

# What apt says of a package that this release has under another name, or not at all.
_UNKNOWN = re.compile(
    r"^E: (?:Unable to locate package (\S+)|Package '?([^'\s]+)'? has no installation candidate"
    r"|Couldn't find any package by (?:glob|regex) '([^']+)')",
    re.MULTILINE,
)


class StepFailed(Exception):
    """A command failed: a sentence, then the tail of its output."""


class Unavailable(StepFailed):
    """What can't be done on this machine, whoever tries: a gap. `help` says what helps."""

    def __init__(self, reason: str, advice: str) -> None:
        super().__init__(reason)
        self.help = advice


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """Commands, ready to be started, that make one folder; `log` keeps their output."""

    folder: Path
    commands: Sequence[Sequence[str]]
    cwd: Path
    env: Mapping[str, str]
    log: Path


def is_finished(folder: Path) -> bool:
    return (folder / _STAMP).is_file()


def is_untouched(folder: Path) -> bool:
    """Whether a folder is finished and holds what was made there."""
    return is_finished(folder) and (folder / _STAMP).read_text() == _stamp(folder)


def _stamp(folder: Path) -> str:
    """Name, size and time of each file: to read them all would take seconds with each command.
    What Python compiles comes and goes.
    """
    parts: list[str] = []
    for where, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for file in (Path(where, name) for name in files if name != _STAMP):
            told = file.lstat()
            parts.append(f"{file.relative_to(folder)} {told.st_size} {told.st_mtime_ns}")
    return f"{folder.name}\n{hash_of(*sorted(parts))}\n"


def kept(homes: Sequence[Path], name: str) -> Path | None:
    """The first finished folder of a name in several places."""
    return next((home / name for home in homes if is_finished(home / name)), None)


def make(step: Step, say: Callable[[str], None]) -> None:
    """Makes the folder from nothing; StepFailed leaves it unfinished. Tries again where the network
    failed meanwhile.
    """
    for pause_s in pauses_s():
        try:
            return _make(step)
        except StepFailed as error:
            told = step.log.read_text(errors="replace")
            if not _NETWORK.search(told) or _NO_SUCH_HOST.search(told):
                raise
            say(f"{step.folder.name}: the network failed, trying again in {pause_s:g} s: {error}")
        if halted(pause_s):
            raise KeyboardInterrupt
    return _make(step)


def pauses_s() -> tuple[float, ...]:
    """Seconds before each further try; none where waiting can't help."""
    return PAUSES_S if has_route() else ()


def _make(step: Step) -> None:
    """What an earlier try or a kill left half done is removed first."""
    shutil.rmtree(step.folder, ignore_errors=True)
    step.folder.mkdir(parents=True)
    step.log.parent.mkdir(parents=True, exist_ok=True)
    step.log.write_text(f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC {step.folder.name}\n")
    for command in step.commands:
        completed = run_tool(command, step.cwd, step.env, step.log)
        if not completed.ok:
            _check_known(step.log.read_text(errors="replace"))
            raise StepFailed(_story(completed, step))
    (step.folder / _STAMP).write_text(_stamp(step.folder))


def _check_known(output: str) -> None:
    """Unavailable where apt knows no such package, and the network isn't why."""
    if (unknown := _UNKNOWN.search(output)) and not _NETWORK.search(output):
        name = next(filter(None, unknown.groups()))
        raise Unavailable(
            f"this distribution has no package {name}",
            f"measure on a release that has {name}",
        )


def remove_others(folder: Path, prefix: str) -> None:
    """Removes the earlier versions of a finished folder: its siblings named prefix-hash."""
    for other in folder.parent.iterdir():
        if other != folder and re.fullmatch(rf"{re.escape(prefix)}-[0-9a-f]{{12}}", other.name):
            shutil.rmtree(other, ignore_errors=True)


def command_env(tool: Path | None, extra: Mapping[str, str]) -> dict[str, str]:
    """Our environment without what would reach into the tools, the chosen tool's folder first on
    PATH (npm beside node).
    """
    env = for_tools(os.environ)
    if tool is not None:
        env["PATH"] = os.pathsep.join([str(tool.parent), env.get("PATH", os.defpath)])
    return {**env, **extra}


def _story(completed: Completed, step: Step) -> str:
    text = completed.output or completed.errors
    tail = [line.rstrip() for line in text.splitlines() if line.strip()][-_TAIL_LINES:]
    return "\n".join(
        [f"{completed.reason}; its output is kept in {step.log}", *(f"  {line}" for line in tail)]
    )


_HAD = ".corobench-packages"
_FETCHED = "fetched.sha256"
# Lists and cache of our own; the system's state is read only to know what is installed. Hooks would
# write to the system.
# A container's apt keeps no parsed lists (pkgcache): each call would take twice its CPU time.
_CONFIGURATION = """\
Dir::State::lists "{state}/lists";
Dir::Cache "{state}/cache";
Dir::Cache::pkgcache "pkgcache.bin";
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
# Arguments: the configuration, a file that tells when the lists were read, the archives' folder,
# the packages. Lists serve for an hour, for all tools of a set-up; after a failure, which may be
# theirs, they are read again. What is installed is fetched too (--reinstall): the tool is asked for
# because the system's is not to be used.
_FETCH = """
configuration=$1 read=$2 archives=$3
shift 3
if [ -z "$(find "$read" -mmin -60 2>/dev/null)" ]; then
    apt-get --quiet --config-file "$configuration" update
    touch "$read"
fi
mkdir --parents "$archives/partial"
if ! apt-get --quiet --config-file "$configuration" install --yes --download-only --reinstall \
    --option "Dir::Cache::archives=$archives" "$@"; then
    rm -f "$read"
    exit 100
fi
"""
# Arguments: the archives' folder, the folder to fill, the record's name, and the record of all that
# this checkout has ever fetched: a file of the same name and version must be the same. The files'
# names hold name and version. Several tools may fetch the same package at once, so the record is
# locked while one looks it up there and adds it. A link to a file of a package that the system has
# (libgmp.so to libgmp.so.10) is made to lead there.
_UNPACK = """
cd "$1"
sha256sum *.deb > "$2/$3"
exec 9>> "$4"
flock 9
while read -r hash name; do
    if grep -qxF "$hash  $name" "$4"; then continue; fi
    if grep -qF "  $name" "$4"; then
        echo "$name is another file than the one of this name that was fetched before" >&2
        exit 1
    fi
    echo "$hash  $name" >> "$4"
done < "$2/$3"
exec 9>&-
for archive in *.deb; do dpkg-deb --extract "$archive" "$2"; done
cd "$2"
rm -r "$1"
find . -xtype l | while read -r link; do
    target=$(readlink -m "$link")
    case $target in
        "$PWD"/*) if [ -e "${target#"$PWD"}" ]; then ln -sfn "${target#"$PWD"}" "$link"; fi ;;
    esac
done
"""


def commands(root: Path, packages: Sequence[str], folder: Path) -> list[list[str]]:
    """Commands that fetch packages and unpack them into an existing folder. Writes the
    configuration that they use.

    Unavailable on a machine without apt.
    """
    if lacked := next((name for name in COMMANDS if shutil.which(name) is None), None):
        named = ", ".join(packages)
        raise Unavailable(
            f"needs Debian's {named}, and there is no {lacked} here",
            f"measure on a Debian, or install {named}",
        )
    state = root / ".toolchain/apt"
    archives = folder / ".archives"
    for place in (state / "lists/partial", state / "cache"):
        place.mkdir(parents=True, exist_ok=True)
    configuration = state / "apt.conf"
    _configure(configuration, _CONFIGURATION.format(state=state))
    # One at a time: apt's own locks are of the system's state, which we may not write to.
    fetch = ["flock", str(state / "lock"), "sh", "-ec", _FETCH, "fetch", str(configuration)]
    return [
        [*fetch, str(state / "read"), str(archives), *packages],
        ["sh", "-ec", _UNPACK, "sh", str(archives), str(folder), _HAD, str(state / _FETCHED)],
    ]


def _configure(file: Path, text: str) -> None:
    """Tools are made side by side: while one's configuration is written, another's apt would read
    half of it.
    """
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


COMMANDS = ["apt-get", "dpkg-deb", "flock"]
