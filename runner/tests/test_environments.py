"""Odd but legitimate surroundings: what a shell sets, a home that can't be written to, a path with
spaces, no git.
"""

from __future__ import annotations

import errno
import os
import shutil
import socket
import subprocess
import tomllib
from pathlib import Path

import pytest

from corobench.cli import setup
from corobench.commands import git, run_tool
from corobench.environ import for_tools, home
from corobench.execute.begin import commit_of
from corobench.plan import Selection
from corobench.suite.load import load_suite
from corobench.toolchains.tools import uv

ROOT = Path(__file__).resolve().parents[2]

# A few of every family, each of which broke a build or changed what it makes.
REACHING = {
    "PYTHONHOME": "/nonexistent",
    "PYTHONPATH": "/nonexistent",
    "NODE_OPTIONS": "--no-such-option",
    "NODE_ENV": "production",
    "GOROOT": "/nonexistent",
    "GOOS": "plan9",
    "GOARCH": "arm64",
    "GODEBUG": "gctrace=1",
    "GOFLAGS": "-gcflags=all=-N",
    "RUSTFLAGS": "-Copt-level=0",
    "RUSTC_WRAPPER": "/nonexistent",
    "CARGO_TARGET_DIR": "/nonexistent",
    "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0",
    "CC": "/nonexistent",
    "CFLAGS": "-O0",
    "_JAVA_OPTIONS": "-Xno-such-option",
    "PERL5OPT": "-Mno::such",
    "RUBYOPT": "-rno-such",
    "MAKEFLAGS": "-n",
    "BASH_ENV": "/nonexistent",
    "ENV": "/nonexistent",
    "GIT_DIR": "/nonexistent",
    "LD_PRELOAD": "/nonexistent",
    "LD_LIBRARY_PATH": "/nonexistent",
    "PIP_TARGET": "/nonexistent",
    "PIP_USER": "1",
    "PIP_REQUIRE_VIRTUALENV": "1",
    "PIP_CONFIG_FILE": "/nonexistent",
    "UV_PYTHON": "3.8",
    "UV_WORKING_DIRECTORY": "/nonexistent",
    "npm_config_dry_run": "true",
    "LANGUAGE": "de",
    "A_SETTING_OF_A_TOOL_THAT_NOBODY_KNOWS": "1",
}
# How a machine reaches registries.
NEEDED = {
    "PIP_INDEX_URL": "https://example.org/simple",
    "PIP_CERT": "/etc/ssl/own.pem",
    "UV_DEFAULT_INDEX": "https://example.org/simple",
    "UV_CACHE_DIR": "/var/cache/uv",
    "npm_config_registry": "https://example.org/npm",
    "CARGO_NET_OFFLINE": "true",
    "CARGO_REGISTRIES_OWN_INDEX": "sparse+https://example.org/",
    "GOPROXY": "https://example.org/go",
    "https_proxy": "http://proxy.example.org:3128",
    "SSL_CERT_FILE": "/etc/ssl/own.pem",
    "COROBENCH_TOOL_GO": "/opt/go/bin/go",
}


def test_tools_get_no_setting_of_the_shell_but_what_reaches_a_registry(tmp_path: Path) -> None:
    made = for_tools(
        {**REACHING, **NEEDED, "HOME": str(tmp_path), "LC_ALL": "de_DE", "LANG": "de_DE"},
        tmp_path / "ours",  # never the checkout's: builds run beside the tests
    )
    assert not made.keys() & REACHING.keys()
    assert made.items() >= NEEDED.items()
    assert made["LC_ALL"] == "C.UTF-8"
    assert made["HOME"] != str(tmp_path)
    assert made["XDG_CACHE_HOME"] == str(tmp_path / ".cache")


def test_uv_takes_no_settings_of_a_folder_above_the_checkout(tmp_path: Path) -> None:
    below = tmp_path / "checkout"
    below.mkdir()
    (tmp_path / "uv.toml").write_text("no-such-key = true\n")
    told = run_tool([uv(ROOT), "cache", "dir"], below, for_tools(os.environ))
    assert told.ok, told.errors


# A settings file of a home: what a registry is reached by, and what would change a build.
SETTINGS = {
    ".cargo/config.toml": (
        '[source.crates-io]\nreplace-with = "own"\n[source.own]\nregistry = "sparse+https://a/"\n',
        '[profile.release]\nopt-level = 0\n[build]\nrustflags = ["-Ctarget-cpu=native"]\n',
    ),
    ".npmrc": (
        "registry=https://a/\n//a/:_authToken=secret\n@own:registry=https://b/\n",
        "ignore-scripts=true\nprefix=/nonexistent\n",
    ),
    ".config/go/env": ("GOPROXY=https://a\n", "GOFLAGS=-gcflags=all=-N\nGOARCH=arm64\n"),
    ".config/pip/pip.conf": (
        "[global]\nindex-url = https://a/\n",
        "require-virtualenv = true\n[install]\nuser = true\n",
    ),
    ".config/uv/uv.toml": ('index-url = "https://a/"\n', 'python-preference = "system"\n'),
}


def test_of_a_homes_settings_tools_get_how_a_registry_is_reached(tmp_path: Path) -> None:
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    for name, (reaching, changing) in SETTINGS.items():
        (theirs / name).parent.mkdir(parents=True, exist_ok=True)
        (theirs / name).write_text(reaching + changing)
    (theirs / ".gitconfig").write_text("[status]\n\tshowUntrackedFiles = no\n")
    (theirs / ".erlang").write_text("halt().\n")
    (theirs / ".netrc").write_text("machine a login b\n")
    assert home({"HOME": str(theirs)}, ours) == str(ours)
    kept = {name: (ours / name).read_text() for name in SETTINGS}
    assert tomllib.loads(kept[".cargo/config.toml"]) == tomllib.loads(
        SETTINGS[".cargo/config.toml"][0]
    )
    assert kept[".npmrc"] == SETTINGS[".npmrc"][0]
    assert kept[".config/go/env"] == SETTINGS[".config/go/env"][0]
    assert kept[".config/pip/pip.conf"].strip() == SETTINGS[".config/pip/pip.conf"][0].strip()
    assert tomllib.loads(kept[".config/uv/uv.toml"]) == {"index-url": "https://a/"}
    assert (ours / ".netrc").read_text() == "machine a login b\n"
    assert not (ours / ".gitconfig").exists()
    assert not (ours / ".erlang").exists()


def test_a_home_that_a_variable_moves_is_asked_for_its_settings(tmp_path: Path) -> None:
    (tmp_path / "cargo").mkdir()
    (tmp_path / "cargo/config.toml").write_text(SETTINGS[".cargo/config.toml"][0])
    (tmp_path / "npmrc").write_text(SETTINGS[".npmrc"][0])
    named = {
        "HOME": str(tmp_path / "none"),
        "CARGO_HOME": str(tmp_path / "cargo"),
        "NPM_CONFIG_USERCONFIG": str(tmp_path / "npmrc"),
    }
    home(named, tmp_path / "ours")
    assert "sparse+https://a/" in (tmp_path / "ours/.cargo/config.toml").read_text()
    assert (tmp_path / "ours/.npmrc").read_text() == SETTINGS[".npmrc"][0]
    assert (tmp_path / "ours/.cargo/registry").readlink() == tmp_path / "cargo/registry"


def test_what_a_tool_starts_finds_the_home_as_it_is(tmp_path: Path) -> None:
    """A link of it to itself would be no link to anything."""
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    (theirs / ".cargo/registry").mkdir(parents=True)
    (theirs / ".netrc").touch()
    outer = {"HOME": str(theirs), "PATH": "/bin"}
    home(outer, ours)
    links = {name: (ours / name).readlink() for name in (".cargo/registry", ".netrc")}
    assert links == {name: theirs / name for name in links}
    (tmp_path / "linked").symlink_to(tmp_path)
    for other in (ours, tmp_path / "linked/ours"):  # the second: a checkout that links to our tools
        assert home({"HOME": str(ours)}, other) == str(other)
        assert {name: (ours / name).readlink() for name in links} == links


def test_a_home_that_is_missing_leaves_ours_empty(tmp_path: Path) -> None:
    ours = tmp_path / "ours"
    assert home({"HOME": str(tmp_path / "none")}, ours) == str(ours)
    assert not ours.exists() or list(ours.rglob("*")) == []


def test_a_home_that_is_read_only_keeps_no_caches_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    for file in (".cargo/config.toml", ".cargo/registry/index", ".cache/uv/wheel", ".rustup/x"):
        (theirs / file).parent.mkdir(parents=True, exist_ok=True)
        (theirs / file).write_text(SETTINGS.get(file, ("",))[0])
    # As root may write anywhere: what the system would say of a file system that is read-only.
    real = os.access
    monkeypatch.setattr(
        "os.access",
        lambda path, mode: (
            real(path, mode) and not (mode & os.W_OK and Path(path).is_relative_to(theirs))
        ),
    )
    home({"HOME": str(theirs)}, ours)
    made = for_tools({"HOME": str(theirs)}, ours)
    assert (ours / ".cargo/config.toml").is_file()
    assert not (ours / ".cargo/registry").exists()
    assert "XDG_CACHE_HOME" not in made
    assert made["RUSTUP_HOME"] == str(theirs / ".rustup")


def test_an_archive_in_another_projects_checkout_has_no_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpacked = tmp_path / "outer/unpacked"
    unpacked.mkdir(parents=True)
    for words in (
        ["init", "-q"],
        [
            "-c",
            "user.name=x",
            "-c",
            "user.email=x@example.org",
            "commit",
            "-qm",
            "x",
            "--allow-empty",
        ],
    ):
        assert git(tmp_path / "outer", *words).ok
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "outer/.git"))
    assert commit_of(unpacked) == ("", False)
    assert commit_of(tmp_path / "outer")[0]


@pytest.mark.parametrize("language", ["c", "haskell"])
def test_a_makefile_of_a_language_builds_in_a_path_with_spaces(
    language: str, tmp_path: Path
) -> None:
    """make splits names at spaces. What is asked for is only told, not made: no compiler is
    needed.
    """
    root = tmp_path / "bänch böx/co ro"
    shutil.copytree(ROOT / language, root / language)
    runtime = next(file.parent for file in sorted((root / language).glob("*/runtime.mk")))
    places = [
        f"ROOT={root}",
        f"RUNTIME={runtime}",
        f"BUILD={root}/.build/x",
        f"CC={root}/a gcc",
        f"GHC={root}/a ghc",
    ]
    command = ["make", "--dry-run", "--file=build.mk", *places]
    done = subprocess.run(
        command,
        cwd=root / language,
        env=for_tools(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr
    assert " ../.build/x/" in done.stdout
    assert f'"{root}/a ' in done.stdout


def test_a_loopback_that_is_down_is_one_line_and_no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a network of its own (unshare --net) every request would wait for its time-out."""

    def unreachable(_socket: object, _address: object) -> None:
        raise OSError(errno.ENETUNREACH, "Network is unreachable")

    assert setup.loopback_works()
    monkeypatch.setattr(
        "corobench.cli.setup.socket.socket",
        type("Socket", (socket.socket,), {"connect": unreachable}),
    )
    assert not setup.loopback_works()
    suite = load_suite(ROOT)
    chosen = Selection(profile="smoke", workloads=["http"])
    (line,) = setup.gap_lines(setup.missing_tools(suite, chosen, fetch="never"))
    assert line.endswith("(the loopback interface is down); try: ip link set lo up")


def test_make_itself_ignores_what_a_shell_sets(tmp_path: Path) -> None:
    """`make help` needs no environment; a Python that PYTHONHOME names or a file that BASH_ENV
    names must not stop it.
    """
    (tmp_path / "start.sh").write_text("exit 7\n")
    env = {
        **os.environ,
        "PYTHONHOME": "/nonexistent",
        "BASH_ENV": str(tmp_path / "start.sh"),
        "CDPATH": "/tmp",
    }
    asked = [
        "make",
        "--no-print-directory",
        "--eval=asked: ; @$(PYTHON) -c 'print(1 + 1)'",
        "asked",
    ]
    done = subprocess.run(asked, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "2\n"), done.stderr
