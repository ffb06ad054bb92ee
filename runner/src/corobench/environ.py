"""The environment variables that tools and programs get, and those that change what is built or how
a runtime runs.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping
from pathlib import Path

_OURS = Path(__file__).resolve().parents[3] / ".toolchain/home"
# Folders that tools make others in, and caches. What else lies in a home is settings, and
# toolchains that are only read.
_FOLDERS = (".", ".cargo", ".config", ".local", ".local/share")
_CACHES = {
    ".cache",
    ".npm",
    "go",
    *(f".cargo/{name}" for name in ("registry", "git", ".package-cache", ".global-cache")),
}


def home(environ: Mapping[str, str], ours: Path = _OURS) -> str:
    """HOME where it is a folder that can be written to; else a folder of ours with links to what
    the user's holds.

    Compilers and package managers keep caches in it, and end where they can't: in a container
    without a home, for a service's user, on a file system that is read-only.
    """
    theirs = Path(environ.get("HOME") or Path("~").expanduser())
    if theirs.is_dir() and os.access(theirs, os.W_OK | os.X_OK):
        return str(theirs)
    # a checkout that can't be written to says so where something is made in it
    with contextlib.suppress(OSError):
        for folder in _FOLDERS:
            _link(theirs, ours, folder)
    return str(ours)


def _link(theirs: Path, ours: Path, folder: str) -> None:
    (ours / folder).mkdir(parents=True, exist_ok=True)
    source = theirs / folder
    for entry in (
        source.iterdir() if source.is_dir() and os.access(source, os.R_OK | os.X_OK) else ()
    ):
        name = entry.relative_to(theirs)
        if str(name) not in {*_FOLDERS, *_CACHES}:
            with contextlib.suppress(FileExistsError):  # linked before, or the tool's own by now
                (ours / name).symlink_to(entry)


# Names, not patterns like GO*: the value of a proxy or registry variable can hold a password, and
# all of these are published.
BUILDING = [
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_BUILD_TARGET",
    "CARGO_INCREMENTAL",
    "GOFLAGS",
    "GOAMD64",
    "GOARM64",
    "GOEXPERIMENT",
    "GOTOOLCHAIN",
    "CGO_ENABLED",
    "CGO_CFLAGS",
    "CGO_LDFLAGS",
    "CC",
    "CXX",
    "CFLAGS",
    "CPPFLAGS",
    "CXXFLAGS",
    "LDFLAGS",
]
RUNNING = [
    "GOGC",
    "GOMEMLIMIT",
    "GOMAXPROCS",
    "GODEBUG",
    "NODE_OPTIONS",
    "UV_THREADPOOL_SIZE",
    "TOKIO_WORKER_THREADS",
    "RUST_MIN_STACK",
    "PYTHONMALLOC",
    "PYTHONOPTIMIZE",
    "PYTHONHASHSEED",
    "PYTHONDEVMODE",
    "PYTHONUNBUFFERED",
    "PYTHON_GIL",
    "PYTHON_JIT",
    "PYTHONASYNCIODEBUG",
    "GEVENT_LOOP",
    "GEVENT_RESOLVER",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "GLIBC_TUNABLES",
    "MALLOC_ARENA_MAX",
    "MALLOC_TRIM_THRESHOLD_",
    "MALLOC_CONF",
]

# What a shell sets for its own use of a tool: other modules, sources, folders and options than
# ours. By their beginnings.
_OF_THE_SHELL = (
    *("PYTHON", "VIRTUAL_ENV", "CONDA_", "PYENV_VERSION"),
    *("NODE_OPTIONS", "NODE_PATH", "NODE_ENV", "BUN_", "DENO_"),
    *("GO111MODULE", "GOARCH", "GOBIN", "GOOS", "GOROOT", "GOTOOLDIR", "GOWORK"),
    *(
        "CARGO_BUILD_BUILD_DIR",
        "CARGO_BUILD_RUSTC",
        "CARGO_BUILD_TARGET_DIR",
        "CARGO_INSTALL_ROOT",
        "CARGO_PROFILE_",
    ),
    *("CARGO_TARGET_DIR", "CARGO_UNSTABLE_", "RUSTC", "RUSTDOC"),
    *("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"),
    *(
        "ERL_",
        "ELIXIR_",
        "MIX_",
        "GHC_",
        "GHCRTS",
        "RUBY",
        "GEM_",
        "BUNDLE_",
        "LUA_",
        "PHPRC",
        "PHP_INI_SCAN_DIR",
        "PERL",
    ),
    *("MAKEFLAGS", "MAKEFILES", "MAKELEVEL", "MFLAGS", "GNUMAKEFLAGS"),
    *(
        "BASH_ENV",
        "BASH_FUNC_",
        "BASHOPTS",
        "SHELLOPTS",
        "CDPATH",
        "GREP_OPTIONS",
        "POSIXLY_CORRECT",
    ),
    # A git hook sets these; they would name its repository in place of the one that is asked.
    *(
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_PREFIX",
        "GIT_OBJECT_DIRECTORY",
        "GIT_COMMON_DIR",
        "GIT_NAMESPACE",
    ),
    *("LD_PRELOAD", "LD_AUDIT"),
)
# The settings of package managers, but for those by which a registry is reached: its address, its
# cache, what proves who asks.
_OF_A_PACKAGE_MANAGER = re.compile(r"(PIP|UV|NPM_CONFIG)_", re.IGNORECASE)
_REACHES_A_REGISTRY = re.compile(
    r"INDEX|REGISTRY|MIRROR|URL|HOST|PROXY|FIND_LINKS|CERT|CA$|CAFILE|TLS|SSL|AUTH|TOKEN|USERNAME|PASSWORD|KEYRING|KEY$"
    r"|CACHE|TIMEOUT|RETR|OFFLINE|CONCURRENT|HTTP|CONFIG_FILE|USERCONFIG|GLOBALCONFIG|LINK_MODE|USE_FEATURE|PYTHON_INSTALL_DIR",
    re.IGNORECASE,
)
# Messages in English, which is what is looked for in them, and names of files in any script.
_LOCALE = {"LC_ALL": "C.UTF-8"}


def for_tools(environ: Mapping[str, str]) -> dict[str, str]:
    """What tools are started in: the user's environment without what would reach into them, in one
    locale, with a home.
    """
    return (
        {name: value for name, value in environ.items() if not _reaches_in(name)}
        | _LOCALE
        | {"HOME": home(environ)}
    )


def _reaches_in(name: str) -> bool:
    if _OF_A_PACKAGE_MANAGER.match(name):
        return not _REACHES_A_REGISTRY.search(name)
    return name in (*RUNNING, "ENV", "LANGUAGE") or name.startswith(_OF_THE_SHELL)


def tuning(environ: Mapping[str, str]) -> dict[str, str]:
    """Those that are set, with their values: never published, since what runs may be told
    secrets.
    """
    return {name: environ[name] for name in sorted([*BUILDING, *RUNNING]) if name in environ}


def unused(environ: Mapping[str, str]) -> list[str]:
    """The names of those that would change how a runtime runs: a program gets none of them
    (execute.program).
    """
    return sorted(name for name in RUNNING if name in environ)


def build_tuning(environ: Mapping[str, str]) -> dict[str, str]:
    """Those that change what a compiler makes, with their values: part of a build's identity."""
    return {name: environ[name] for name in sorted(BUILDING) if name in environ}


def has_route(proc: Path = Path("/proc")) -> bool:
    """Whether a route leaves this machine: without one no network will do better the next time.

    Routes as in proc_pid_net(5); those of the loopback interface lead nowhere.
    """
    four = _lines(proc / "net/route")[1:]
    six = [line for line in _lines(proc / "net/ipv6_route") if not line.endswith(" lo")]
    return any(not line.startswith("lo\t") for line in [*four, *six])


def _lines(file: Path) -> list[str]:
    try:
        return [line.rstrip() for line in file.read_text().splitlines() if line.strip()]
    except OSError:
        return []
