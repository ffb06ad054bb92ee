"""The environment variables that change what is built or how a runtime runs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from corobench.home import home

# Names, not patterns like GO*: the value of a proxy or registry variable can hold a password, and all of these are published.
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

# What a shell sets for its own use of a tool: other modules, sources, folders and options than ours. By their beginnings.
_OF_THE_SHELL = (
    *("PYTHON", "VIRTUAL_ENV", "CONDA_", "PYENV_VERSION"),
    *("NODE_OPTIONS", "NODE_PATH", "NODE_ENV", "BUN_", "DENO_"),
    *("GO111MODULE", "GOARCH", "GOBIN", "GOOS", "GOROOT", "GOTOOLDIR", "GOWORK"),
    *("CARGO_BUILD_BUILD_DIR", "CARGO_BUILD_RUSTC", "CARGO_BUILD_TARGET_DIR", "CARGO_INSTALL_ROOT", "CARGO_PROFILE_"),
    *("CARGO_TARGET_DIR", "CARGO_UNSTABLE_", "RUSTC", "RUSTDOC"),
    *("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"),
    *("ERL_", "ELIXIR_", "MIX_", "GHC_", "GHCRTS", "RUBY", "GEM_", "BUNDLE_", "LUA_", "PHPRC", "PHP_INI_SCAN_DIR", "PERL"),
    *("MAKEFLAGS", "MAKEFILES", "MAKELEVEL", "MFLAGS", "GNUMAKEFLAGS"),
    *("BASH_ENV", "BASH_FUNC_", "BASHOPTS", "SHELLOPTS", "CDPATH", "GREP_OPTIONS", "POSIXLY_CORRECT"),
    # A git hook sets these; they would name its repository in place of the one that is asked.
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE"),
    *("LD_PRELOAD", "LD_AUDIT"),
)
# The settings of package managers, but for those by which a registry is reached: its address, its cache, what proves who asks.
_OF_A_PACKAGE_MANAGER = re.compile(r"(PIP|UV|NPM_CONFIG)_", re.IGNORECASE)
_REACHES_A_REGISTRY = re.compile(
    r"INDEX|REGISTRY|MIRROR|URL|HOST|PROXY|FIND_LINKS|CERT|CA$|CAFILE|TLS|SSL|AUTH|TOKEN|USERNAME|PASSWORD|KEYRING|KEY$"
    r"|CACHE|TIMEOUT|RETR|OFFLINE|CONCURRENT|HTTP|CONFIG_FILE|USERCONFIG|GLOBALCONFIG|LINK_MODE|USE_FEATURE|PYTHON_INSTALL_DIR",
    re.IGNORECASE,
)
# Messages in English, which is what is looked for in them, and names of files in any script.
_LOCALE = {"LC_ALL": "C.UTF-8"}


def for_tools(environ: Mapping[str, str]) -> dict[str, str]:
    """What tools are started in: the user's environment without what would reach into them, in one locale, with a home."""
    return {name: value for name, value in environ.items() if not _reaches_in(name)} | _LOCALE | {"HOME": home(environ)}


def _reaches_in(name: str) -> bool:
    if _OF_A_PACKAGE_MANAGER.match(name):
        return not _REACHES_A_REGISTRY.search(name)
    return name in (*RUNNING, "ENV", "LANGUAGE") or name.startswith(_OF_THE_SHELL)


def tuning(environ: Mapping[str, str]) -> dict[str, str]:
    """Those that are set, with their values: never published, since what runs may be told secrets."""
    return {name: environ[name] for name in sorted([*BUILDING, *RUNNING]) if name in environ}


def unused(environ: Mapping[str, str]) -> list[str]:
    """The names of those that would change how a runtime runs: a program gets none of them (execute.program)."""
    return sorted(name for name in RUNNING if name in environ)


def build_tuning(environ: Mapping[str, str]) -> dict[str, str]:
    """Those that change what a compiler makes, with their values: part of a build's identity."""
    return {name: environ[name] for name in sorted(BUILDING) if name in environ}
