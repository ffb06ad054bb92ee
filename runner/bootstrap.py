"""Makes .venv with corobench in it, from hash-locked packages, and puts the pinned uv in place.
Needs nothing but Python.

`python3 runner/bootstrap.py` for use, `--dev` to test and lint as well. Does nothing where all is
as the locks say.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036  this file is what an older one meets first
    found = sys.version.split()[0]
    sys.exit("corobench needs Python 3.11 or newer, not " + found + "; try: make PYTHON=python3.12")

RUNNER = Path(__file__).resolve().parent
sys.path.insert(0, str(RUNNER / "src"))
from corobench.environ import for_tools, has_route  # noqa: E402

ROOT = RUNNER.parent
VENV = ROOT / ".venv"
UV = ROOT / ".toolchain/uv/bin/uv"
ENVIRON = {**for_tools(os.environ), "PIP_ROOT_USER_ACTION": "ignore"}
TRIES = 3
PAUSE_S = 5
# Modules and their arguments. The first start would compile all, and every start where Python may
# not keep what it compiles.
AHEAD = (
    ["compileall", "-q", RUNNER / "src"],
    ["corobench.report.vega"],
    ["corobench.report.render"],
)
LOCKS = {"use": RUNNER / "requirements.lock", "dev": RUNNER / "requirements-dev.lock"}


def main(kind: str) -> None:
    """Brings uv and .venv to what the locks say. `kind` is use or dev."""
    with _only_one():
        uv_stamp = UV.parent.parent / ".corobench-stamp"
        uv_key = _hash(RUNNER / "bootstrap.lock")
        if not _is(uv_stamp, uv_key):
            _get_uv(uv_stamp, uv_key)
        stamp = VENV / f".corobench-{kind}"
        # An environment holds absolute paths: one that came with a copied checkout is made anew.
        key = _hash(
            LOCKS[kind],
            RUNNER / "pyproject.toml",
            extra=f"{ROOT} {os.path.realpath(sys.executable)} {sys.version}",
        )
        if not _is(stamp, key):
            _fill(kind, stamp, key)


def _get_uv(stamp: Path, key: str) -> None:
    """uv by pip into a folder of its own, moved into place when complete."""
    say("fetching uv")
    folder = UV.parent.parent
    fresh = folder.with_name("uv.new")
    shutil.rmtree(fresh, ignore_errors=True)
    install = [
        *_pip(),
        "install",
        "--quiet",
        "--require-hashes",
        "--no-deps",
        "--only-binary",
        ":all:",
        "--target",
        fresh,
    ]
    _run(
        [*install, "--requirement", RUNNER / "bootstrap.lock"],
        "pip could not fetch uv; see its message above",
        TRIES,
    )
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)
    stamp.write_text(key)


def _pip() -> list[object]:
    """The pip of this Python, or one in a scratch environment where the system's Python comes
    without.
    """
    if _works([sys.executable, "-m", "pip", "--version"]):
        return [sys.executable, "-m", "pip"]
    scratch = ROOT / ".toolchain/pip"
    if _works([sys.executable, "-m", "venv", "--clear", scratch]):
        return [scratch / "bin/python", "-m", "pip"]
    sys.exit(
        f"{sys.executable} has neither pip nor ensurepip; try: apt install python3-venv, or make "
        "PYTHON=<another Python>"
    )


def _fill(kind: str, stamp: Path, key: str) -> None:
    say(
        f"installing corobench into {VENV.name}"
        + (" with what tests need" if kind == "dev" else "")
    )
    stamp.unlink(missing_ok=True)
    python = VENV / "bin/python"
    if not _works(
        [python, "-c", f"import sys; sys.exit(sys.version != {sys.version!r})"]
    ) or not _own(VENV / "bin/corobench"):
        _run(
            [UV, "venv", "--quiet", "--clear", "--no-project", "--python", sys.executable, VENV],
            "uv could not make .venv",
        )
    install = [UV, "pip", "install", "--quiet", "--compile-bytecode", "--python", python]
    _run(
        [*install, "--require-hashes", "--requirement", LOCKS[kind]],
        "uv could not install the locked packages",
        TRIES,
    )
    # uv builds this one itself (uv_build is part of it): nothing is fetched.
    _run([*install, "--no-deps", "--editable", RUNNER], "uv could not install corobench")
    for module in AHEAD:
        _works([python, "-m", *module])  # else it is made when it is needed
    stamp.write_text(key)


def _own(script: Path) -> bool:
    """Whether a script starts with this checkout's interpreter."""
    try:
        return str(VENV) in script.read_text().partition("import")[0]
    except OSError:
        return False


@contextlib.contextmanager
def _only_one():  # type: ignore[no-untyped-def]
    """Two `make` at once take turns."""
    (ROOT / ".toolchain").mkdir(exist_ok=True)
    with (ROOT / ".toolchain/bootstrap.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _hash(*files: Path, extra: str = "") -> str:
    digest = hashlib.sha256(extra.encode())
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _is(stamp: Path, key: str) -> bool:
    try:
        return stamp.read_text() == key
    except OSError:
        return False


def _works(command: list[object]) -> bool:
    try:
        return (
            subprocess.run(
                [str(word) for word in command], capture_output=True, env=ENVIRON, check=False
            ).returncode
            == 0
        )
    except OSError:
        return False


def _run(command: list[object], trouble: str, tries: int = 1) -> None:
    """`tries` of more than one: for what is fetched, since a network may do better the next
    time.
    """
    for left in reversed(range(tries)):
        try:
            status = subprocess.run(
                [str(word) for word in command], stdout=sys.stderr, env=ENVIRON, check=False
            ).returncode
        except OSError as error:
            sys.exit(f"{trouble} ({error})")
        if not status:
            return
        if not has_route():
            trouble += "; no route leaves this machine"
            break
        if left:
            say(f"{trouble} (exit status {status}); trying again in {PAUSE_S} s")
            time.sleep(PAUSE_S)
    sys.exit(f"{trouble} (exit status {status})")


def say(text: str) -> None:
    """stdout is data; progress goes to stderr."""
    print(f"setup: {text}", file=sys.stderr)


if __name__ == "__main__":
    try:
        main("dev" if "--dev" in sys.argv[1:] else "use")
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
