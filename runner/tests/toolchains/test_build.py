"""Environments and builds: made once for each hash of their inputs, never half, never stopped by a
neighbour.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import msgspec
import pytest
import toolchain_suites as fake
from planted import REPOSITORY

from corobench.commands import in_parallel
from corobench.errors import UserError
from corobench.suite.load import load_suite
from corobench.toolchains.prepare import opened, parts, prepare
from corobench.toolchains.tools import Missing, Prepared, places


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A root with the language `one`, its tool on PATH, and the runtime `alpha`."""
    tools = tmp_path / "tools"
    fake.script(tools / "uv", "#!/bin/sh\n")
    fake.add_tool(tools, "one")
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COROBENCH_UV", str(tools / "uv"))
    root = fake.make_root(tmp_path / "root")
    fake.add_runtime(fake.add_language(root, "one"), "alpha")
    return root


def ready(root: Path, name: str = "alpha") -> Prepared:
    found = prepare(fake.suite(root), [name], lambda _text: None)[name]
    assert isinstance(found, Prepared), found
    return found


def missing(root: Path, name: str = "alpha") -> Missing:
    found = prepare(fake.suite(root), [name], lambda _text: None)[name]
    assert isinstance(found, Missing), found
    return found


def builds(root: Path, language: str = "one") -> int:
    file = root / language / "builds"
    return len(file.read_text().splitlines()) if file.exists() else 0


def built_folders(root: Path) -> list[str]:
    return sorted(path.name for path in (root / ".build/one/alpha").iterdir() if path.is_dir())


def test_a_second_time_builds_nothing(root: Path) -> None:
    first, second = ready(root), ready(root)
    assert first == second
    assert builds(root) == 1
    assert first.build is not None
    assert (first.build / "program").read_text() == "program of alpha\n"
    assert first.build.parent == root / ".build/one/alpha"


def test_a_changed_source_builds_anew_and_removes_the_old(root: Path) -> None:
    before = ready(root)
    (root / "one/alpha/baseline.fake").write_text("another program\n")
    after = ready(root)
    assert builds(root) == 2
    assert after.build is not None
    assert after.build != before.build
    assert built_folders(root) == [after.build.name]
    assert {name for name in after.hashes if after.hashes[name] != before.hashes[name]} == {
        "sources",
        "built",
        "programs",
    }


def test_another_version_of_the_tool_builds_anew(root: Path, tmp_path: Path) -> None:
    ready(root)
    fake.add_tool(tmp_path / "tools", "one", version="2.6")
    after = ready(root)
    assert builds(root) == 2
    assert after.version == after.language_version == "2.6"


def test_flags_of_the_shell_reach_no_build(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = ready(root)
    monkeypatch.setenv("CFLAGS", "-O0")
    monkeypatch.setenv("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
    assert (ready(root), builds(root)) == (before, 1)


def test_what_a_language_sets_for_its_commands_is_part_of_a_build(root: Path) -> None:
    before = ready(root)
    toolchain = root / "one/toolchain.toml"
    toolchain.write_text(f'{toolchain.read_text()}\n[env]\nFAKE_LEVEL = "3"\n')
    after = ready(root)
    assert (before.build, before.hashes) != (after.build, after.hashes)
    assert builds(root) == 2


@pytest.mark.parametrize(
    ("runtime", "file"),
    [
        ("asyncio", "python/asyncio/adapter/loop.py"),
        ("uvloop", "python/asyncio/adapter/loop.py"),
        ("uvloop", "python/asyncio/spawn.py"),
        ("gevent-limit", "python/gevent/adapter/hub.py"),
        ("bun", "node/harness/program.mjs"),
        ("lua", "lua/harness/program.lua"),
    ],
)
def test_a_file_of_another_folder_that_a_program_opens_is_in_its_hash(
    runtime: str, file: str
) -> None:
    found = opened(load_suite(REPOSITORY).runtimes[runtime])
    assert REPOSITORY / file in found
    assert not any("tests" in path.parts or path.suffix == ".md" for path in found)


def test_a_half_built_folder_is_built_again(root: Path) -> None:
    build = ready(root).build
    assert build is not None
    (build / ".corobench-finished").unlink()
    (build / "junk").touch()
    assert ready(root).build == build
    assert builds(root) == 2
    assert not (build / "junk").exists()


def test_an_old_build_stays_until_a_new_one_succeeds(root: Path) -> None:
    before = ready(root).build
    assert before is not None
    (root / "one/alpha/x.fake").write_text("broken\n")
    missing(root)
    assert (before / "program").exists()


def test_a_failure_shows_the_tail_and_the_log_and_stops_no_other(root: Path) -> None:
    fake.add_runtime(root / "one", "beta")
    (root / "one/alpha/x.fake").write_text("broken\n")
    found = prepare(fake.suite(root), ["alpha", "beta"], lambda _text: None)
    alpha = found["alpha"]
    assert isinstance(found["beta"], Prepared)
    assert isinstance(alpha, Missing)
    assert alpha.broken
    assert "exit status 4" in alpha.reason.splitlines()[0]
    assert ".build/one/alpha/build.log" in alpha.reason.splitlines()[0]
    assert "one/alpha/x.fake:1: it is broken" in alpha.reason
    assert str(root) not in alpha.reason, "reasons are published"
    assert "it is broken" in (root / ".build/one/alpha/build.log").read_text()


def test_a_missing_tool_is_no_failure_and_says_what_helps(root: Path, tmp_path: Path) -> None:
    fake.add_runtime(fake.add_language(root, "two"), "gamma")
    fake.add_tool(tmp_path / "tools", "two", version="1.9")
    found = missing(root, "gamma")
    assert found == Missing(
        runtime="gamma", reason="Fake 1.9 is older than 2.0", help="get a fake one"
    )
    ready(root)


def test_variants_of_a_folder_share_one_build(root: Path) -> None:
    variant = (
        '\n[[variant]]\nname = "alpha-2"\ntitle = "a"\ntracks = ["one-cpu"]\nenv = { GC = "off" }\n'
    )
    fake.add_runtime(root / "one", "shared", more=variant)
    found = prepare(fake.suite(root), ["shared", "alpha-2"], lambda _text: None)
    shared, other = found["shared"], found["alpha-2"]
    assert isinstance(shared, Prepared)
    assert isinstance(other, Prepared)
    assert builds(root) == 1
    assert shared.build == other.build
    assert shared.hashes["programs"] != other.hashes["programs"], (
        "what decides how it runs is another"
    )
    assert shared.hashes["built"] == other.hashes["built"]


def test_two_at_once_build_once(root: Path) -> None:
    said: list[str] = []
    suite = fake.suite(root)
    in_parallel({number: lambda: prepare(suite, ["alpha"], said.append) for number in range(3)})
    assert builds(root) == 1


def test_languages_build_at_the_same_time(root: Path, tmp_path: Path) -> None:
    """Each build waits until the other has begun: one after the other neither would end."""
    meet = "#!/bin/sh\ncase $1 in version) echo version 3 ;; build) touch {mine}\n"
    meet += "for i in $(seq 300); do [ -e {other} ] && exit 0; sleep 0.1; done; exit 1 ;; esac\n"
    fake.add_runtime(fake.add_language(root, "two"), "gamma")
    for mine, other in (("one", "two"), ("two", "one")):
        fake.add_tool(
            tmp_path / "tools",
            mine,
            text=meet.format(mine=tmp_path / f"began-{mine}", other=tmp_path / f"began-{other}"),
        )
    found = prepare(fake.suite(root), ["alpha", "gamma"], lambda _text: None)
    assert all(isinstance(one, Prepared) for one in found.values()), found


def test_hashes_are_the_same_in_another_place(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere/deeper"
    shutil.copytree(root, other)
    first, second = ready(root), ready(other)
    assert first.hashes == second.hashes
    assert first.build != second.build


def test_a_copied_checkout_makes_its_own(root: Path, tmp_path: Path) -> None:
    """Environments and builds may hold the paths of the place where they were made."""
    ready(root)
    shutil.copytree(root, tmp_path / "copy")
    ready(tmp_path / "copy")
    assert builds(tmp_path / "copy") == 2


def test_the_environments_tool_builds(root: Path, tmp_path: Path) -> None:
    more = """
[environment]
inputs = ["{language}/lock"]
commands = [["cp", "{tool}", "{env}/tool"], ["cp", "{language}/lock", "{env}/"]]
tool = "{env}/tool"
[facts]
tool = ["{tool}", "version"]
wrong = ["false"]
"""
    two = fake.add_language(root, "two", more=more)
    (two / "lock").write_text("delta==1.2.3\n")
    fake.add_tool(tmp_path / "tools", "two")
    fake.add_runtime(
        two,
        "delta",
        text="version_from = {{ file = '{{language}}/lock', pattern = 'delta==(?P<version>.+)' }}\n"
        + fake.RUNTIME,
    )
    found = ready(root, "delta")
    assert found.environment is not None
    assert found.tool == found.environment / "tool"
    assert found.version == "1.2.3"
    assert found.language_version == "2.5"
    assert found.facts["tool"] == "fake version 2.5 rank 0"
    assert found.facts["wrong"].startswith("unknown: ")
    assert set(found.hashes) == {"sources", "lock", "built", "programs"}
    values = places(fake.suite(root).runtimes["delta"], found, 2)
    assert values["tool"] == f"{values['env']}/tool"
    assert (values["cpus"], values["language"], values["root"]) == ("2", str(two), str(root))

    library = found.environment / "lock"
    with library.open("a") as file:
        file.write("and more\n")
    again = ready(root, "delta")
    assert again == found, "an environment that was changed is made anew"
    assert library.read_text() == "delta==1.2.3\n"

    (two / "lock").write_text("delta==1.2.4\n")
    after = ready(root, "delta")
    assert after.version == "1.2.4"
    assert after.hashes["lock"] != found.hashes["lock"]
    assert builds(root, "two") == 2, "what rests on another environment is built anew"


def test_what_a_variant_puts_together_is_told_with_each_version(root: Path) -> None:
    text = (
        "version_from = {{ file = '{{runtime}}/lock', pattern = 'server==(?P<version>.+)' }}\n"
        + fake.RUNTIME
    )
    more = (
        "parts = { Framework = 'framework==(?P<version>.+)', server = 'server==(?P<version>.+)' }\n"
    )
    folder = fake.add_runtime(root / "one", "beta", more=more, text=text)
    (folder / "lock").write_text("framework==4.4\nserver==27.0\n")
    found = ready(root, "beta")
    assert (found.version, found.facts["parts"]) == ("27.0", "Framework 4.4, server 27.0")
    assert "parts" not in ready(root).facts


def test_servers_of_this_repository_are_told_with_their_frameworks() -> None:
    known = load_suite(REPOSITORY).runtimes
    named = {
        name: parts(runtime)["parts"] for name, runtime in known.items() if runtime.variant.parts
    }
    assert re.fullmatch(r"Falcon [0-9.]+, gunicorn [0-9.]+", named["falcon-gunicorn"])
    assert re.fullmatch(
        r"FastAPI [0-9.]+, uvicorn [0-9.]+, gunicorn [0-9.]+", named["fastapi-gunicorn"]
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '"{tool}", "build"',
            '"{took}", "build"',
            "one/alpha/runtime.toml: build.commands: {took} has no value here; known: ",
        ),
        (
            "{runtime}/*.fake",
            "{runtime}/absent",
            "one/alpha/runtime.toml: build.inputs: one/alpha/absent does not exist",
        ),
        (
            "[program]",
            "version_from = { file = '{runtime}/no.lock', pattern = '(?P<version>x)' }\n[program]",
            "No such file or directory",
        ),
        (
            "[program]",
            "version_from = { file = '{runtime}/baseline.fake', pattern = 'x=(?P<version>.)' "
            "}\n[program]",
            "version_from.pattern: ",
        ),
    ],
)
def test_a_wrong_manifest_breaks_its_runtime_only(
    root: Path, old: str, new: str, said: str
) -> None:
    fake.add_runtime(root / "one", "beta")
    file = root / "one/alpha/runtime.toml"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    found = prepare(fake.suite(root), ["alpha", "beta"], lambda _text: None)
    alpha = found["alpha"]
    assert isinstance(alpha, Missing)
    assert alpha.broken
    assert said in alpha.reason
    assert isinstance(found["beta"], Prepared)


def test_an_unknown_runtime_is_the_users_error(root: Path) -> None:
    with pytest.raises(UserError, match="did you mean 'alpha'"):
        prepare(fake.suite(root), ["alhpa"], lambda _text: None)


def test_what_tools_leave_behind_is_no_source(root: Path) -> None:
    before = ready(root)
    for name in (
        "target/x.o",
        "node_modules/x.js",
        "__pycache__/x.pyc",
        ".hidden",
        "README.md",
        "tests/test_x.fake",
    ):
        file = root / "one/alpha" / name
        file.parent.mkdir(exist_ok=True)
        file.touch()
    assert ready(root).hashes == before.hashes
    assert msgspec.to_builtins(before, enc_hook=str)
