"""Tools: the best that satisfies the minimum is found, else a pinned one is provisioned, else one
line says what helps.
"""

from __future__ import annotations

import os
import shutil
import sys
import tomllib
from pathlib import Path

import pytest
import toolchain_suites as fake

from corobench.commands import Completed, run_tool
from corobench.errors import UserError
from corobench.suite.runtime import Suite, fill, version_key
from corobench.toolchains import provision
from corobench.toolchains.prepare import prepare
from corobench.toolchains.provision import helper, setup
from corobench.toolchains.tools import MissingTool, Prepared, Tool

REPOSITORY = fake.RUNNER.parent

PROVISION = """
[[provision]]
lock = "toolchain.lock"
tool = "onetool"
"""

# Puts a tool where `uv pip install --target FOLDER` would, and counts.
UV = """#!/bin/sh
echo "$@" >> {calls}
while [ "$1" != --target ]; do shift; done
printf '#!/bin/sh\\necho version 3.1\\n' > "$2/onetool"
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A root with the language `one`; PATH holds the folders first/ and second/ before the
    system's.
    """
    folders = [tmp_path / "first", tmp_path / "second"]
    monkeypatch.setenv("PATH", os.pathsep.join([*map(str, folders), "/usr/bin", "/bin"]))
    fake.script(tmp_path / "uv", UV.format(calls=tmp_path / "calls"))
    monkeypatch.setenv("COROBENCH_UV", str(tmp_path / "uv"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "nowhere/.venv"))
    root = fake.make_root(tmp_path / "root")
    fake.add_language(root, "one")
    return root


def tool(root: Path) -> Tool:
    found = setup(fake.suite(root), lambda _text: None)["one"]
    assert isinstance(found, Tool), found
    return found


def no_tool(root: Path) -> MissingTool:
    found = setup(fake.suite(root), lambda _text: None)["one"]
    assert isinstance(found, MissingTool), found
    return found


def calls(tmp_path: Path) -> list[str]:
    file = tmp_path / "calls"
    return file.read_text().splitlines() if file.exists() else []


@pytest.mark.parametrize(
    "rising",
    [
        ["1.9", "1.10"],
        ["1.25", "1.25.1", "1.26"],
        ["3.14.0a7", "3.14.0rc1", "3.14", "3.14.1"],
        ["1.95.0-nightly", "1.95.0"],
        ["go1.9", "go1.26.8"],
    ],
)
def test_versions_are_compared_as_numbers(rising: list[str]) -> None:
    keys = [version_key(text) for text in rising]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


def test_trailing_zeros_are_nothing() -> None:
    assert version_key("1.25") == version_key("1.25.0")


def test_the_newest_on_path_wins_wherever_it_lies(root: Path, tmp_path: Path) -> None:
    fake.add_tool(tmp_path / "first", "one", "2.9")
    fake.add_tool(tmp_path / "second", "one", "2.10")
    assert tool(root) == Tool(
        name="one", path=tmp_path / "second/onetool", version="2.10", origin="system"
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("\x7fELF of another machine", "Exec format error"),
        ("#!/no/such/interpreter\n", "No such file or directory"),
        ("#!/bin/sh\nexec /no/such/binary\n", "/no/such/binary"),
        ("#!/bin/sh\nkill -SEGV $$\n", "ended with signal 11"),
        ("#!/bin/sh\necho 'no default toolchain' >&2; exit 1\n", "no default toolchain"),
        ("#!/bin/sh\nprintf 'red \\033[31mwords\\n' >&2; exit 1\n", "red words"),
    ],
)
def test_one_that_is_there_and_cannot_start_is_named(
    root: Path, tmp_path: Path, content: str, words: str
) -> None:
    broken = tmp_path / "first/onetool"
    fake.script(broken, content)
    reason = no_tool(root).reason
    assert reason.startswith(f"{broken} exists, but could not start: ")
    assert words in reason
    fake.add_tool(tmp_path / "second", "one", "2.10")
    assert tool(root).path == tmp_path / "second/onetool"


def test_a_higher_rank_goes_before_a_newer_version(root: Path, tmp_path: Path) -> None:
    fake.add_tool(tmp_path / "first", "one", "2.1", rank=1)
    fake.add_tool(tmp_path / "second", "one", "2.9", rank=0)
    assert tool(root).version == "2.1"


def test_rank_does_not_help_one_that_is_too_old(root: Path, tmp_path: Path) -> None:
    fake.add_tool(tmp_path / "first", "one", "1.9", rank=1)
    fake.add_tool(tmp_path / "second", "one", "2.0", rank=0)
    assert tool(root).version == "2.0"


def test_candidates_that_fail_hang_or_talk_otherwise_are_passed_over(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def impatient(command: list[str], *arguments: object, timeout_s: float) -> Completed:
        """Only the one that hangs is ended early: the others may be slow to start."""
        hangs = command[0] == str(tmp_path / "second/onetool")
        return run_tool(command, *arguments, timeout_s=0.2 if hangs else timeout_s)  # type: ignore[arg-type]

    monkeypatch.setattr(provision, "run_tool", impatient)
    manifest = root / "one/toolchain.toml"
    manifest.write_text(
        manifest.read_text().replace('["onetool"]', f'["onetool", "{tmp_path}/glob/*/onetool"]')
    )
    fake.script(tmp_path / "first/onetool", "#!/bin/sh\necho version 9; exit 1\n")
    fake.script(tmp_path / "second/onetool", "#!/bin/sh\nexec sleep 1000\n")
    fake.script(tmp_path / "glob/a/onetool", "#!/bin/sh\necho hello\n")
    fake.add_tool(tmp_path / "glob/b", "one", "2.2")
    assert tool(root).path == tmp_path / "glob/b/onetool"


def test_the_probe_may_name_the_real_executable(root: Path, tmp_path: Path) -> None:
    manifest = root / "one/toolchain.toml"
    manifest.write_text(
        manifest.read_text().replace("(?P<version>[0-9.]+)", "(?P<version>[0-9.]+) at (?P<path>.+)")
    )
    fake.script(tmp_path / "first/onetool", "#!/bin/sh\necho version 2.2 at /real/one\n")
    assert tool(root).path == Path("/real/one")


def test_a_named_tool_is_used_though_another_is_newer(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.add_tool(tmp_path / "first", "one", "2.9")
    named = fake.add_tool(tmp_path / "third", "one", "2.1")
    monkeypatch.setenv("COROBENCH_TOOL_ONE", str(named))
    assert tool(root) == Tool(name="one", path=named, version="2.1", origin="named")


@pytest.mark.parametrize(
    ("version", "said"), [("1.2", "Fake 1.2 is older than 2.0"), (None, "no such executable")]
)
def test_a_named_tool_that_does_not_fit_is_an_error(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str | None, said: str
) -> None:
    fake.add_tool(tmp_path / "first", "one", "2.9")
    if version:
        fake.add_tool(tmp_path / "third", "one", version)
    monkeypatch.setenv("COROBENCH_TOOL_ONE", str(tmp_path / "third/onetool"))
    with pytest.raises(UserError, match=f"COROBENCH_TOOL_ONE=.*{said}"):
        setup(fake.suite(root), lambda _text: None)


def test_absent_and_too_old_say_what_helps(root: Path, tmp_path: Path) -> None:
    assert no_tool(root) == MissingTool(
        name="one", reason="Fake is not installed", help="get a fake one"
    )
    fake.add_tool(tmp_path / "first", "one", "1.10")
    assert no_tool(root).reason == "Fake 1.10 is older than 2.0"


def test_what_is_missing_is_provisioned_once(root: Path, tmp_path: Path) -> None:
    (root / "one/toolchain.toml").write_text(fake.TOOLCHAIN.format(name="one") + PROVISION)
    (root / "one/toolchain.lock").write_text("one==3.1 --hash=sha256:00\n")
    unfetched = setup(fake.suite(root), lambda _text: None, fetch="never")["one"]
    assert unfetched == MissingTool(
        name="one", reason="Fake is not installed", help="make setup", untried=True
    )
    assert not (root / ".toolchain").exists()
    first, second = tool(root), tool(root)
    assert setup(fake.suite(root), lambda _text: None, fetch="never")["one"] == first
    assert first == second
    assert first.origin == "provisioned"
    assert first.version == "3.1"
    assert first.path.parent.parent == root / ".toolchain"
    assert os.access(first.path, os.X_OK), "wheels lose the bit"
    assert len(calls(tmp_path)) == 1
    assert "--require-hashes --no-deps --only-binary :all:" in calls(tmp_path)[0]

    (root / "one/toolchain.lock").write_text("one==3.2 --hash=sha256:11\n")
    assert tool(root).path != first.path
    assert not first.path.exists(), "the earlier one is removed"


def test_a_system_tool_that_fits_needs_no_provision(root: Path, tmp_path: Path) -> None:
    (root / "one/toolchain.toml").write_text(fake.TOOLCHAIN.format(name="one") + PROVISION)
    fake.add_tool(tmp_path / "first", "one", "2.0")
    assert tool(root).origin == "system"
    assert not calls(tmp_path)


def test_a_copy_uses_what_the_checkout_of_its_interpreter_has(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "one/toolchain.toml").write_text(fake.TOOLCHAIN.format(name="one") + PROVISION)
    (root / "one/toolchain.lock").write_text("one==3.1\n")
    path = tool(root).path
    shutil.copytree(root / "one", tmp_path / "copy/one")
    shutil.copytree(root / "runner", tmp_path / "copy/runner")
    monkeypatch.setattr(sys, "prefix", str(root / ".venv"))
    assert tool(tmp_path / "copy").path == path
    assert len(calls(tmp_path)) == 1


def test_the_system_can_be_hidden(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.add_tool(tmp_path / "first", "one", "2.0")
    monkeypatch.setenv("COROBENCH_NO_SYSTEM", "one")
    assert "hidden" in no_tool(root).reason
    monkeypatch.setenv("COROBENCH_NO_SYSTEM", "onne")
    with pytest.raises(UserError, match="did you mean 'one'"):
        setup(fake.suite(root), lambda _text: None)


def test_a_provision_that_fails_says_why_and_what_helps(root: Path, tmp_path: Path) -> None:
    (root / "one/toolchain.toml").write_text(fake.TOOLCHAIN.format(name="one") + PROVISION)
    (root / "one/toolchain.lock").write_text("one==3.1\n")
    fake.script(tmp_path / "uv", "#!/bin/sh\necho no such package >&2; exit 2\n")
    found = no_tool(root)
    assert found.reason.startswith("Fake is not installed; provisioning: ")
    assert "no such package" in found.reason
    assert found.help == "get a fake one"


def test_provision_by_commands(root: Path) -> None:
    fetch = "mkdir $PLACE/bin; printf '#!/bin/sh\\necho version 4\\n' > $PLACE/bin/t-linux"
    more = f'[[provision]]\ncommands = [["sh", "-c", "{fetch}"]]\n'
    more += 'env = { PLACE = "{folder}" }\ntool = "bin/t-*"\n'
    (root / "one/toolchain.toml").write_text(fake.TOOLCHAIN.format(name="one") + more)
    assert tool(root).version == "4"
    assert tool(root).path.name == "t-linux"


def test_placeholders_leave_other_braces_alone() -> None:
    assert fill("{} {tool} {1}", {"tool": "go"}, "here") == "{} go {1}"
    with pytest.raises(UserError, match=r"here: \{env\} has no value here; known: tool"):
        fill("{env}", {"tool": "go"}, "here")


@pytest.fixture
def timer(root: Path) -> Path:
    """The repository's own hyperfine in a root with the language `rust`, by which alone it is
    provisioned there.
    """
    shutil.copytree(REPOSITORY / "runner/tools", root / "runner/tools")
    file = root / "runner/tools/hyperfine.toml"
    found, *ways = file.read_text().split("[[provision]]")
    file.write_text("[[provision]]".join([found, *(way for way in ways if "language =" in way)]))
    fake.add_language(root, "rust")
    return root


def hyperfine(root: Path, *, fetch: provision.Fetch = "once") -> Tool | MissingTool:
    return helper(fake.suite(root), "hyperfine", lambda _text: None, fetch=fetch)


def test_a_helper_of_the_system_where_it_is_new_enough(timer: Path, tmp_path: Path) -> None:
    path = fake.script(tmp_path / "first/hyperfine", "#!/bin/sh\necho hyperfine 1.18.0\n")
    assert hyperfine(timer) == Tool(name="hyperfine", path=path, version="1.18.0", origin="system")


def test_a_helper_is_built_once_with_the_tool_of_its_language(timer: Path, tmp_path: Path) -> None:
    fake.script(tmp_path / "first/hyperfine", "#!/bin/sh\necho hyperfine 1.14.0\n")
    cargo = f"""#!/bin/sh
if [ "$1" = version ]; then echo version 2.0; exit; fi
echo "$@" >> {tmp_path}/calls
while [ "$1" != --root ]; do shift; done
mkdir "$2/bin" "$2/target"
printf '#!/bin/sh\\necho hyperfine 1.20.0\\n' > "$2/bin/hyperfine"
"""
    fake.script(tmp_path / "first/rusttool", cargo)
    unfetched = hyperfine(timer, fetch="never")
    assert isinstance(unfetched, MissingTool)
    assert unfetched.help == "make setup"
    found = hyperfine(timer)
    assert isinstance(found, Tool), found
    assert found.version == "1.20.0"
    assert hyperfine(timer, fetch="never") == found
    assert len(calls(tmp_path)) == 1
    assert "--version 1.20.0 --locked" in calls(tmp_path)[0]


def test_a_helper_that_nothing_can_build_says_what_helps(timer: Path, tmp_path: Path) -> None:
    fake.script(tmp_path / "first/hyperfine", "#!/bin/sh\necho hyperfine 1.14.0\n")
    found = hyperfine(timer)
    assert isinstance(found, MissingTool)
    assert found.reason == (
        "hyperfine 1.14.0 is older than 1.15; provisioning: Fake, which builds it, can't be had: "
        "Fake is not installed"
    )
    assert found.help


@pytest.mark.parametrize(
    "language", sorted(path.parent.name for path in REPOSITORY.glob("*/toolchain.lock"))
)
def test_locks_of_tools_are_hashed_and_name_no_host(language: str) -> None:
    text = (REPOSITORY / language / "toolchain.lock").read_text()
    assert "--hash=sha256:" in text
    assert "://" not in text
    ways = tomllib.loads((REPOSITORY / language / "toolchain.toml").read_text())["provision"]
    assert "toolchain.lock" in [way.get("lock") for way in ways]


def hidden_path(folder: Path, hidden: set[str]) -> Path:
    """A folder of links to everything on PATH but the hidden names."""
    folder.mkdir()
    for source in os.get_exec_path():
        for entry in Path(source).iterdir() if Path(source).is_dir() else []:
            link = folder / entry.name
            if entry.name not in hidden and not link.is_symlink():
                link.symlink_to(entry)
    return folder


@pytest.mark.network
def test_go_and_node_are_provisioned_and_build_where_the_system_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The repository's own Go and Node: what `make setup` and `make build` do on a box without
    them, for a runtime of each and one program of Go's.
    """
    # not those of this checkout
    monkeypatch.setattr(provision, "homes", lambda root: [root / ".toolchain"])
    hidden = {"go", "gofmt", "node", "nodejs", "npm", "npx", "corepack"}
    monkeypatch.setenv("PATH", str(hidden_path(tmp_path / "bin", hidden)))
    monkeypatch.setenv("COROBENCH_NO_SYSTEM", "go,node")  # absolute candidates too
    root = fake.make_root(tmp_path / "root")
    for language in ("go", "node"):
        shutil.copytree(
            REPOSITORY / language, root / language, ignore=shutil.ignore_patterns("node_modules")
        )
    for folder in (root / "go/goroutine").iterdir():
        if folder.is_dir() and folder.name != "spawn":
            shutil.rmtree(folder)
    shutil.copytree(REPOSITORY / "runner/workloads", root / "runner/workloads", dirs_exist_ok=True)
    suite: Suite = fake.suite(root)
    found = prepare(suite, ["go-p1", "node"], lambda _text: None)
    assert {runtime.toolchain.language for runtime in suite.runtimes.values()} == {"go", "node"}
    for name, ready in found.items():
        assert isinstance(ready, Prepared), ready
        assert ready.facts["toolchain"] == "provisioned"
        assert version_key(ready.language_version) >= version_key(
            suite.runtimes[name].toolchain.minimum
        )
