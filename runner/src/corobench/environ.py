"""The closed environment of tools: what builds, probes and tests are started in.

A user's shell and home hold settings of every toolchain (CARGO_PROFILE_*, GOFLAGS, .npmrc, pip.conf
and many more) that would change what is built or measured. Tools get the variables that are listed
here and no other, and a home of ours, with what reaches registries, proxies and caches. Needs
nothing but Python, since it is used before anything is installed.
"""

from __future__ import annotations

import configparser
import contextlib
import io
import json
import os
import re
import sys
import tempfile
import tomllib  # bootstrap.py loads this module before tomli is installed
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[3]
_OURS = (
    _CHECKOUT / ".toolchain/home"
    if (_CHECKOUT / "runner/bootstrap.py").is_file()
    else Path(sys.prefix) / "corobench-home"  # installed without a checkout
)

# Names by which a run, a machine and its tools are found.
_KEPT = frozenset(
    {
        *("PATH", "USER", "LOGNAME", "TERM", "COLUMNS", "NO_COLOR", "TMPDIR", "TZ", "CI"),
        *("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "PYTEST_ADDOPTS"),
        *("JAVA_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "PYENV_ROOT", "NVM_DIR", "VOLTA_HOME"),
        *("ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "SDKMAN_DIR", "GOPATH", "GOMODCACHE"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"),
        *("NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "NETRC", "APT_CONFIG"),
        *("GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "GOINSECURE", "GOAUTH"),
        *("RUSTUP_DIST_SERVER", "RUSTUP_UPDATE_ROOT", "DENO_CERT", "DENO_TLS_CA_STORE"),
    }
)
_KEPT_FAMILIES = ("COROBENCH_", "CARGO_REGISTRIES_", "CARGO_REGISTRY_", "CARGO_NET_", "CARGO_HTTP_")
_PROXY = re.compile(r"(https?|ftp|all|no)_proxy", re.IGNORECASE)
# The settings of package managers by which a registry is reached: its address, its cache, what
# proves who asks. The same words in their files.
_OF_A_PACKAGE_MANAGER = re.compile(r"(PIP|UV|NPM_CONFIG)_", re.IGNORECASE)
_REACHES_A_REGISTRY = re.compile(
    r"INDEX|REGISTRY|MIRROR|URL|HOST|PROXY|FIND[_-]LINKS|CERT|CA$|CAFILE|TLS|SSL|AUTH|TOKEN"
    r"|USERNAME|PASSWORD|KEYRING|KEY$|CACHE|TIMEOUT|RETR|OFFLINE|CONCURRENT|HTTP|LINK[_-]MODE"
    r"|USE[_-]FEATURE|PYTHON_INSTALL_DIR",
    re.IGNORECASE,
)
_NAMES_A_SERVER = re.compile(
    r"(https?|ftp|all)_proxy|GOPROXY|(PIP|UV|NPM_CONFIG)_.*(INDEX|REGISTRY|MIRROR|URL|LINKS|PROXY).*",
    re.IGNORECASE,
)
# Messages in English, which is what is looked for in them, and names of files in any script.
_LOCALE = {"LC_ALL": "C.UTF-8"}

# Where no network is, package managers take what they have kept, and fail at once where that is not
# enough: cargo alone retries for half a minute a package.
_CUT_OFF = {
    "CARGO_NET_OFFLINE": "true",
    "GOPROXY": "off",
    "UV_OFFLINE": "1",
    "PIP_RETRIES": "0",
    "npm_config_offline": "true",
}

# What would change a build or a program, and does not reach one: told by name in a run's header,
# never by value, which can be a secret. (Runs until 2026 recorded what of these had reached one.)
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


def for_tools(environ: Mapping[str, str], home_folder: Path = _OURS) -> dict[str, str]:
    """What tools are started in: the listed variables of the user's environment, one locale, a home
    of ours, and the caches and tool managers of the user's.
    """
    ours = home(environ, home_folder)
    return {
        **_of_the_home(_theirs(environ)),
        **{name: value for name, value in environ.items() if _is_kept(name)},
        **_LOCALE,
        "HOME": ours,
        **_config_of_uv(Path(ours) / _UV_SETTINGS),
        **(_CUT_OFF if is_cut_off(environ) else {}),
    }


_UV_SETTINGS = ".config/uv/uv.toml"


def _config_of_uv(file: Path) -> dict[str, str]:
    """Left to itself uv also takes the settings of every folder above the one it works in, the
    user's home perhaps.
    """
    return {"UV_CONFIG_FILE": str(file)} if file.is_file() else {"UV_NO_CONFIG": "1"}


def _is_kept(name: str) -> bool:
    if _OF_A_PACKAGE_MANAGER.match(name):
        return bool(_REACHES_A_REGISTRY.search(name)) and not name.upper().endswith("CONFIG")
    return name in _KEPT or name.startswith(_KEPT_FAMILIES) or bool(_PROXY.fullmatch(name))


def unused(environ: Mapping[str, str]) -> list[str]:
    """The names of those that would change a build or how a runtime runs: nothing gets them."""
    return sorted(name for name in (*BUILDING, *RUNNING) if name in environ)


# Where tool managers look below a home, when no variable tells them.
_MANAGERS = {"RUSTUP_HOME": ".rustup", "PYENV_ROOT": ".pyenv", "NVM_DIR": ".nvm"}
# What of a home is no setting: tools that a manager has put there, and who may ask a registry.
_LINKED = (".asdf", ".tool-versions", ".volta", ".sdkman", ".rbenv", ".nodenv", ".goenv", ".netrc")
_CARGO_CACHES = ("registry", "git")


def _theirs(environ: Mapping[str, str]) -> Path:
    """The user's home."""
    return Path(environ.get("HOME") or Path("~").expanduser())


@cache
def _of_the_home(theirs: Path) -> dict[str, str]:
    """The variables by which tools find caches and other tools in a home that is not theirs."""
    found = {
        name: str(theirs / folder)
        for name, folder in _MANAGERS.items()
        if _readable(theirs / folder)
    }
    if _writable(theirs):
        found |= {
            "XDG_CACHE_HOME": str(theirs / ".cache"),
            "XDG_DATA_HOME": str(theirs / ".local/share"),
            "GOPATH": str(theirs / "go"),
            "npm_config_cache": str(theirs / ".npm"),
        }
    return found


def home(environ: Mapping[str, str], ours: Path = _OURS) -> str:
    """The home that tools and programs get: ours, with the user's settings as far as they say how
    a registry is reached, and links to tools and caches.
    """
    theirs = _theirs(environ)
    named = {name: environ[name] for name in _NAMING_FILES if environ.get(name)}
    # Started by a tool that has it already: a test, a build, perhaps of a checkout that links to
    # our tools. A link in it would be to itself.
    if theirs.resolve() == ours.resolve():
        return str(ours)
    # a checkout that can't be written to says so where something is made in it
    with contextlib.suppress(OSError):
        _furnish(theirs, ours, tuple(sorted(named.items())))
    return str(ours)


@cache
def _furnish(theirs: Path, ours: Path, named: tuple[tuple[str, str], ...]) -> None:
    """Once a process: settings change seldom, and tools are started by the hundred."""
    variables = dict(named)
    cargo = Path(variables.get("CARGO_HOME") or theirs / ".cargo")
    for name in _LINKED:
        if _readable(theirs / name):
            _link(ours / name, theirs / name)
    for name in _CARGO_CACHES:
        if _writable(cargo):
            (cargo / name).mkdir(exist_ok=True)
            _link(ours / ".cargo" / name, cargo / name)
    for name, (variable, places, kept) in _SETTINGS.items():
        sources = [Path(variables[variable])] if variable in variables else []
        if variable == "CARGO_HOME":
            sources = [cargo / "config.toml", cargo / "config"]
        sources += [theirs / place for place in places]
        _write(ours / name, _first(sources, kept))
    for name in ("credentials.toml", "credentials"):
        if _readable(cargo / name):
            _link(ours / ".cargo" / name, cargo / name)


def _readable(path: Path) -> bool:
    return os.access(path, os.R_OK | os.X_OK if path.is_dir() else os.R_OK)


def _writable(folder: Path) -> bool:
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


def _link(link: Path, target: Path) -> None:
    link.parent.mkdir(parents=True, exist_ok=True)
    if link.is_symlink() and link.readlink() == target:
        return
    if link.is_symlink():
        link.unlink()
    with contextlib.suppress(FileExistsError):  # the tool's own by now
        link.symlink_to(target)


def _first(sources: Iterable[Path], kept: Callable[[str], str]) -> str:
    """What is kept of the first of these files that can be read; empty for one that is broken, of
    which its own tool would complain.
    """
    for source in sources:
        with contextlib.suppress(OSError, ValueError, configparser.Error):
            return kept(source.read_text())
    return ""


def _write(file: Path, text: str) -> None:
    """Whole or not at all: others may read it meanwhile. No file where there is nothing to say."""
    if not text:
        file.unlink(missing_ok=True)
        return
    if file.is_file() and file.read_text() == text:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    # It may hold a password: made readable to its owner alone, as mkstemp does.
    with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False) as made:
        made.write(text)
    Path(made.name).replace(file)


def _of_npm(text: str) -> str:
    """Of lines `key=value`; a registry's own start with its address."""
    lines = [line for line in text.splitlines() if "=" in line]
    kept = [
        line
        for line in lines
        if line.startswith(("//", "@")) or _REACHES_A_REGISTRY.search(line.partition("=")[0])
    ]
    return "".join(f"{line}\n" for line in kept)


def _of_go(text: str) -> str:
    return "".join(f"{line}\n" for line in text.splitlines() if line.partition("=")[0] in _KEPT)


def _of_pip(text: str) -> str:
    read = configparser.RawConfigParser()
    read.read_string(text)
    for section in read.sections():
        for option in read.options(section):
            if not _REACHES_A_REGISTRY.search(option):
                read.remove_option(section, option)
        if not read.options(section):
            read.remove_section(section)
    written = io.StringIO()
    read.write(written)
    return written.getvalue()


def _of_uv(text: str) -> str:
    return _toml({k: v for k, v in tomllib.loads(text).items() if _REACHES_A_REGISTRY.search(k)})


def _of_cargo(text: str) -> str:
    tables = ("registries", "registry", "source", "net", "http", "credential-alias")
    return _toml({name: held for name, held in tomllib.loads(text).items() if name in tables})


def _toml(tables: Mapping[str, object]) -> str:
    return "".join(f"{json.dumps(name)} = {_inline(held)}\n" for name, held in tables.items())


def _inline(value: object) -> str:
    """A value as TOML writes it in one line; of plain values that is as JSON does."""
    if isinstance(value, dict):
        pairs = (f"{json.dumps(key)} = {_inline(held)}" for key, held in value.items())
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    return json.dumps(value)


# A settings file of a tool -> the variable that names another, where else it may lie in a home, and
# what is kept of it.
_SETTINGS: dict[str, tuple[str, tuple[str, ...], Callable[[str], str]]] = {
    ".cargo/config.toml": ("CARGO_HOME", (), _of_cargo),
    ".npmrc": ("NPM_CONFIG_USERCONFIG", (".npmrc",), _of_npm),
    ".config/go/env": ("GOENV", (".config/go/env",), _of_go),
    ".config/pip/pip.conf": ("PIP_CONFIG_FILE", (".config/pip/pip.conf", ".pip/pip.conf"), _of_pip),
    _UV_SETTINGS: ("UV_CONFIG_FILE", (_UV_SETTINGS,), _of_uv),
}
_NAMING_FILES = [variable for variable, _, _ in _SETTINGS.values()]


def is_cut_off(environ: Mapping[str, str], proc: Path = Path("/proc")) -> bool:
    """Whether no registry can be reached: no route leaves this machine, and neither a proxy nor a
    registry is set that may be on it.
    """
    return not has_route(proc) and not any(map(_NAMES_A_SERVER.fullmatch, environ))


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
