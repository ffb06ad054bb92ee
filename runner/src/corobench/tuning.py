"""The environment variables that change what is built or how a runtime runs."""

from __future__ import annotations

from collections.abc import Mapping

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


def tuning(environ: Mapping[str, str]) -> dict[str, str]:
    """Those that are set, with their values: never published, since what runs may be told secrets."""
    return {name: environ[name] for name in sorted([*BUILDING, *RUNNING]) if name in environ}


def unused(environ: Mapping[str, str]) -> list[str]:
    """The names of those that would change how a runtime runs: a program gets none of them (execute.program)."""
    return sorted(name for name in RUNNING if name in environ)


def build_tuning(environ: Mapping[str, str]) -> dict[str, str]:
    """Those that change what a compiler makes, with their values: part of a build's identity."""
    return {name: environ[name] for name in sorted(BUILDING) if name in environ}
