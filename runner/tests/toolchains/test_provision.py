"""Tools of our own: Debian packages without root, versions that runtimes pin, helpers that runtimes
need.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import toolchain_suites as fake

from corobench.environ import has_route, is_cut_off
from corobench.execute.program import Program
from corobench.suite.runtime import Manager
from corobench.toolchains import steps
from corobench.toolchains.prepare import prepare
from corobench.toolchains.provision import setup
from corobench.toolchains.tools import Missing, MissingTool, Prepared, Tool, advice

PACKAGE = "onetool_1.0_amd64.deb"
# Answers `install` as apt-get does: the archive of a package into the folder of the option, in the
# format of dpkg-deb.
APT = """#!/bin/sh
echo "$@" >> {calls}
for word; do case $word in Dir::Cache::archives=*) archives=${{word#*=}} ;; esac; done
if [ -n "$archives" ]; then cp {archive} "$archives/onetool_1%3a2.5-1_all.deb"; fi
"""

# A tool that works only where its library is: the folder that run_env names.
NEEDY = """#!/bin/sh
[ -n "$ONE_LIBRARY" ] || exit 1
case $1 in
version) echo version 2.5 ;;
build) echo "$ONE_LIBRARY" > "$3/program" ;;
esac
"""

PACKAGES = """
[[provision]]
packages = ["onetool"]
tool = "usr/bin/one*"
run_env = { ONE_LIBRARY = "{folder}/usr/lib/{multiarch}" }
"""

HELPER = """
title = "Server"
minimum = "1"
help = "get a server"
[find]
candidates = ["server"]
probe = ["{candidate}"]
pattern = '(?P<version>[0-9.]+)'
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A root with the languages `one`, whose tool is a package, and an apt-get that has it."""
    tools = tmp_path / "tools"
    fake.script(tmp_path / "package/usr/bin/onetool", NEEDY)
    fake.script(
        tmp_path / "package/DEBIAN/control",
        "Package: onetool\nVersion: 1:2.5-1\nArchitecture: all\nMaintainer: x\nDescription: x\n",
    )
    archive = tmp_path / "onetool.deb"
    subprocess.run(
        ["dpkg-deb", "--build", tmp_path / "package", archive], check=True, capture_output=True
    )
    fake.script(tools / "apt-get", APT.format(calls=tmp_path / "calls", archive=archive))
    fake.script(tools / "uv", "#!/bin/sh\n")
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("COROBENCH_UV", str(tools / "uv"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "nowhere/.venv"))
    root = fake.make_root(tmp_path / "root")
    fake.add_language(root, "one", PACKAGES)
    return root


def quiet(_text: str) -> None:
    pass


def made(root: Path, *runtimes: str) -> dict[str, Prepared | Missing]:
    return prepare(fake.suite(root), runtimes, quiet)


def test_the_configuration_of_apt_is_never_seen_half_written(tmp_path: Path) -> None:
    """Each tool of packages asks for it, and another one's apt may be reading it just then."""
    steps.commands(tmp_path, ["one"], tmp_path / "one")
    file = tmp_path / ".toolchain/apt/apt.conf"
    before = file.stat()
    steps.commands(tmp_path, ["two"], tmp_path / "two")
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    file.write_text("another state of the checkout")
    steps.commands(tmp_path, ["two"], tmp_path / "two")
    assert file.stat().st_ino != before.st_ino
    assert [path.name for path in file.parent.iterdir() if path.is_file()] == ["apt.conf"]


def test_a_tool_of_packages_is_unpacked_once_and_told(root: Path, tmp_path: Path) -> None:
    first = setup(fake.suite(root), quiet)["one"]
    assert isinstance(first, Tool), first
    assert (first.version, first.origin, first.packages) == (
        "2.5",
        "provisioned",
        ["onetool 1:2.5-1"],
    )
    folder = first.path.parents[2]
    assert first.env == {"ONE_LIBRARY": f"{folder}/usr/lib/{os.uname().machine}-linux-gnu"}
    assert setup(fake.suite(root), quiet)["one"] == first
    update, install = (tmp_path / "calls").read_text().splitlines()
    assert update.endswith("update")
    assert "--download-only" in install
    assert install.endswith("onetool")
    assert not (folder / ".archives").exists()


def test_the_lists_are_read_once_for_all_tools_and_again_after_a_failure(
    root: Path, tmp_path: Path
) -> None:
    fake.add_language(root, "two", PACKAGES)
    setup(fake.suite(root), quiet)
    asked = [line.split()[3] for line in (tmp_path / "calls").read_text().splitlines()]
    assert asked == ["update", "install", "install"]
    read = root / ".toolchain/apt/read"
    assert read.is_file()
    fake.add_language(root, "three", PACKAGES)
    apt = (tmp_path / "tools/apt-get").rename(tmp_path / "real-apt-get")
    fake.script(tmp_path / "tools/apt-get", "#!/bin/sh\nexit 100\n")
    assert isinstance(setup(fake.suite(root), quiet)["three"], MissingTool)
    assert not read.exists()
    apt.rename(tmp_path / "tools/apt-get")
    assert isinstance(setup(fake.suite(root), quiet, fetch="again")["three"], Tool)
    asked = [line.split()[3] for line in (tmp_path / "calls").read_text().splitlines()]
    assert asked[3:] == ["update", "install"]


def test_what_a_tool_needs_reaches_its_builds_and_its_programs(root: Path) -> None:
    fake.add_runtime(root / "one", "alpha")
    suite = fake.suite(root)
    ready = made(root, "alpha")["alpha"]
    assert isinstance(ready, Prepared), ready
    assert ready.build is not None
    assert (ready.build / "program").read_text().strip() == ready.env["ONE_LIBRARY"]
    assert ready.facts["packages"] == "onetool 1:2.5-1"
    program = Program(suite.runtimes["alpha"], suite.workloads["baseline"], ready, "token", None)
    assert program.env(1)["ONE_LIBRARY"] == ready.env["ONE_LIBRARY"]


def test_an_environment_may_hold_packages(root: Path) -> None:
    fake.add_runtime(root / "one", "alpha", '[environment]\npackages = ["onetool"]\n')
    ready = made(root, "alpha")["alpha"]
    assert isinstance(ready, Prepared), ready
    assert ready.environment is not None
    assert steps.had(ready.environment) == ["onetool 1:2.5-1"]
    assert (ready.environment / "usr/bin/onetool").is_file()


def test_packages_that_cannot_be_had_leave_a_gap_that_says_so(root: Path, tmp_path: Path) -> None:
    fake.script(
        tmp_path / "tools/apt-get",
        "#!/bin/sh\necho E: Unable to locate package onetool >&2; exit 100\n",
    )
    fake.add_runtime(root / "one", "alpha")
    found = made(root, "alpha")["alpha"]
    assert isinstance(found, Missing), found
    assert not found.broken
    assert "this distribution has no package onetool" in found.reason
    assert found.help == "get a fake one"


FAILING = """#!/bin/sh
for word; do case $word in update) exit 0 ;; esac; done
echo "$@" >> {calls}
if [ $(wc -l < {calls}) -le {times} ]; then echo "{said}" >&2; exit 100; fi
exec {apt} "$@"
"""


@pytest.mark.parametrize(
    ("times", "said", "tried", "had"),
    [
        (2, "E: Failed to fetch pool/o/onetool.deb  Connection timed out", 3, True),
        (9, "E: Failed to fetch pool/o/onetool.deb  503  Service Unavailable", 3, False),
        (9, "E: Failed to fetch pool/o/onetool.deb  Name or service not known", 1, False),
        (9, "E: Unable to locate package onetool", 1, False),
    ],
)
def test_a_network_that_fails_is_tried_again(
    root: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    times: int,
    said: str,
    tried: int,
    had: bool,
) -> None:
    monkeypatch.setattr(steps, "pauses_s", lambda: (0.0, 0.0))
    apt = (tmp_path / "tools/apt-get").rename(tmp_path / "real-apt-get")
    fake.script(
        tmp_path / "tools/apt-get",
        FAILING.format(calls=tmp_path / "tries", times=times, said=said, apt=apt),
    )
    told: list[str] = []
    found = setup(fake.suite(root), told.append)["one"]
    assert len((tmp_path / "tries").read_text().splitlines()) == tried
    assert (
        sum(
            "the network failed, trying again" in line and "pool/o/onetool.deb" in line
            for line in told
        )
        == tried - 1
    )
    assert isinstance(found, Tool) == had, found
    told_last = said.replace("E: Unable to locate package", "this distribution has no package")
    assert had or " ".join(told_last.split()) in found.reason, "the last failure names the package"


def pinned(root: Path, name: str, version: str, more: str = "") -> None:
    pin = f'[toolchain]\nversion = "{version}"\nhelp = "get {version}"\n'
    fake.add_runtime(root / "one", name, pin + more)


def test_a_pinned_version_is_used_though_a_newer_one_is_there(root: Path, tmp_path: Path) -> None:
    fake.add_tool(tmp_path / "tools", "one", "3.11.2")
    manifest = root / "one/toolchain.toml"
    manifest.write_text(
        manifest.read_text().replace('["onetool"]', f'["onetool", "{tmp_path}/more/*/onetool"]')
    )
    for version in ("3.1.9", "3.10.1", "3.10.4", "1.2"):
        fake.add_tool(tmp_path / "more" / version, "one", version)
    fake.add_runtime(root / "one", "newest")
    pinned(root, "middle", "3.10")
    pinned(root, "exact", "3.10.1")
    pinned(root, "old", "1")  # below the minimum, which a pin replaces
    found = made(root, "newest", "middle", "exact", "old")
    versions = [ready.language_version for ready in found.values() if isinstance(ready, Prepared)]
    assert versions == ["3.11.2", "3.10.4", "3.10.1", "1.2"]
    assert len({ready.build for ready in found.values() if isinstance(ready, Prepared)}) == 4


def test_a_pinned_version_that_is_not_there_is_a_gap_of_its_own(root: Path, tmp_path: Path) -> None:
    fake.add_tool(tmp_path / "tools", "one", "3.11.2")
    fake.add_runtime(root / "one", "newest")
    pinned(root, "absent", "3.12")
    found = made(root, "newest", "absent")
    assert isinstance(found["newest"], Prepared)
    assert found["absent"] == Missing(
        runtime="absent",
        reason="Fake 3.12 is not installed, only 3.11.2",
        help="get 3.12",
        broken=False,
    )


def test_another_build_of_a_version_is_looked_for_elsewhere(root: Path, tmp_path: Path) -> None:
    fake.add_tool(tmp_path / "tools", "one", "3.11.2")
    fake.add_tool(tmp_path / "tools", "other", "3.11.1")
    pinned(root, "usual", "3.11")
    for name, tool in (("special", "other"), ("absent", "no")):
        find = (
            f'candidates = ["{tool}tool"]\nprobe = ["{{candidate}}", "version"]\npattern = '
            '"version (?P<version>[0-9.]+)"\n'
        )
        pinned(root, name, "3.11", f'build = "{name}"\n[toolchain.find]\n{find}')
    found = made(root, "usual", "special", "absent")
    versions = [ready.language_version for ready in found.values() if isinstance(ready, Prepared)]
    assert versions == ["3.11.2", "3.11.1"]
    assert found["absent"] == Missing(
        runtime="absent", reason="absent Fake is not installed", help="get 3.11", broken=False
    )


def test_another_build_may_be_of_any_version_from_the_minimum_on(
    root: Path, tmp_path: Path
) -> None:
    fake.add_tool(tmp_path / "tools", "one", "3.11.2")
    fake.add_tool(tmp_path / "tools", "other", "2.4")
    fake.add_tool(tmp_path / "tools", "older", "1.9")
    fake.script(tmp_path / "tools/pacman", "#!/bin/sh\n")
    for name in ("other", "older"):
        fake.add_runtime(
            root / "one",
            name,
            f'[toolchain]\nbuild = "{name}"\nhelp = "get another one"\n'
            'install = { pacman = "small-one" }\n'
            f'[toolchain.find]\ncandidates = ["{name}tool"]\n'
            'probe = ["{candidate}", "version"]\npattern = "version (?P<version>[0-9.]+)"\n',
        )
    found = made(root, "other", "older")
    assert isinstance(ready := found["other"], Prepared), ready
    assert ready.language_version == "2.4"
    assert isinstance(missing := found["older"], Missing)
    assert missing.reason == "older Fake 1.9 is older than 2.0"
    assert missing.help.removeprefix("sudo ") == "pacman -S small-one"


def test_a_pinned_version_may_be_provisioned_and_named(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.add_tool(tmp_path / "tools", "one", "3.11.2")
    pinned(root, "old", "2.5", PACKAGES.replace("[[provision]]", "[[toolchain.provision]]"))
    ready = made(root, "old")["old"]
    assert isinstance(ready, Prepared), ready
    assert ready.language_version == "2.5"
    monkeypatch.setenv(
        "COROBENCH_TOOL_ONE_2_5", str(fake.add_tool(tmp_path / "mine", "one", "2.5.7"))
    )
    ready = made(root, "old")["old"]
    assert isinstance(ready, Prepared), ready
    assert ready.language_version == "2.5.7"


def test_a_runtime_knows_where_its_helpers_are(root: Path, tmp_path: Path) -> None:
    (root / "runner/tools").mkdir()
    (root / "runner/tools/server.toml").write_text(HELPER)
    needs = (
        fake.RUNTIME.replace("[program]", 'tools = ["server"]\n[program]')
        + 'env = {{ SERVER = "{{server}}" }}\n'
    )
    fake.add_runtime(root / "one", "alpha", text=needs)
    suite = fake.suite(root)
    assert made(root, "alpha")["alpha"] == Missing(
        runtime="alpha", reason="Server is not installed", help="get a server"
    )
    path = fake.script(tmp_path / "tools/server", "#!/bin/sh\necho 1.2\n")
    ready = made(root, "alpha")["alpha"]
    assert isinstance(ready, Prepared), ready
    program = Program(suite.runtimes["alpha"], suite.workloads["baseline"], ready, "token", None)
    assert program.env(1)["SERVER"] == str(path)


WAYS = """
[[provision]]
packages = ["absent"]
tool = "usr/bin/one*"
[[provision]]
commands = [["no-such-installer", "{folder}"]]
tool = "one"
[[provision]]
packages = ["onetool"]
tool = "usr/bin/one*"
tool_env = { ONE_LIBRARY = "{folder}/usr/bin/o*:{folder}/nothing/*" }
run_env = { ONE_MORE = "plain" }
"""


def with_ways(root: Path, tmp_path: Path) -> None:
    """The first way's package is unknown, the second way's command is not there, the third
    works.
    """
    text = (
        'case "$*" in *absent*) echo E: Unable to locate package absent >&2; exit 100 ;; '
        f'esac\nexec {tmp_path}/real "$@"\n'
    )
    (tmp_path / "tools/apt-get").rename(tmp_path / "real")
    fake.script(tmp_path / "tools/apt-get", f"#!/bin/sh\n{text}")
    (root / "one/toolchain.toml").write_text(fake.TOOLCHAIN.format(name="one") + WAYS)


def test_ways_are_tried_in_their_order_and_what_is_in_place_is_kept(
    root: Path, tmp_path: Path
) -> None:
    with_ways(root, tmp_path)
    fake.add_runtime(root / "one", "alpha")
    found = setup(fake.suite(root), quiet)["one"]
    assert isinstance(found, Tool), found
    assert found.packages == ["onetool 1:2.5-1"]
    before = (tmp_path / "calls").read_text()
    assert setup(fake.suite(root), quiet, fetch="again")["one"] == found
    assert (tmp_path / "calls").read_text() == before


def test_a_tool_s_own_environment_does_not_reach_its_programs(root: Path, tmp_path: Path) -> None:
    with_ways(root, tmp_path)
    fake.add_runtime(root / "one", "alpha")
    found = setup(fake.suite(root), quiet)["one"]
    ready = made(root, "alpha")["alpha"]
    assert isinstance(found, Tool)
    assert isinstance(ready, Prepared), ready
    assert found.env == {"ONE_LIBRARY": str(found.path), "ONE_MORE": "plain"}, (
        "a glob is what it matches"
    )
    assert ready.env == {"ONE_MORE": "plain"}


def test_a_failure_is_one_line_and_is_not_waited_for_twice(root: Path, tmp_path: Path) -> None:
    with_ways(root, tmp_path)
    manifest = root / "one/toolchain.toml"
    manifest.write_text(manifest.read_text().replace('["onetool"]', '["absent", "onetool"]'))
    first = setup(fake.suite(root), quiet)["one"]
    assert isinstance(first, MissingTool)
    unknown = "this distribution has no package absent"
    assert (
        first.reason
        == f"Fake is not installed; provisioning: {unknown}; no no-such-installer here; {unknown}"
    )
    tried: list[str] = []
    assert setup(fake.suite(root), tried.append)["one"] == first
    assert setup(fake.suite(root), tried.append, fetch="never")["one"] == first
    assert tried == []
    setup(fake.suite(root), tried.append, fetch="again")
    assert len(tried) == 2, "a set-up that is asked for tries again"
    manifest.write_text(manifest.read_text().replace('["absent", "onetool"]', '["onetool"]'))
    assert isinstance(setup(fake.suite(root), quiet)["one"], Tool), (
        "another manifest is another try"
    )


NEEDS = """
[[needs]]
probe = ["{tool}", "has", "wings"]
reason = "no wings"
help = "grow some"
install = { apt = "wings", dnf = "libwings" }
"""


def test_what_is_needed_beyond_the_tool_is_a_gap_and_no_failure(root: Path, tmp_path: Path) -> None:
    fake.add_tool(
        tmp_path / "tools",
        "one",
        text=fake.TOOL.replace("case $1 in", 'case $1 in has) [ -e "$0.$2" ]; exit ;;'),
    )
    fake.add_runtime(
        root / "one",
        "alpha",
        text=fake.RUNTIME.replace(
            "[[variant]]", NEEDS.replace("{", "{{").replace("}", "}}") + "[[variant]]"
        ),
    )
    sudo = "" if os.geteuid() == 0 else "sudo "
    missing = Missing(runtime="alpha", reason="no wings", help=f"{sudo}apt-get install wings")
    assert made(root, "alpha")["alpha"] == missing
    (tmp_path / "tools/onetool.wings").touch()
    assert isinstance(made(root, "alpha")["alpha"], Prepared)


def test_help_speaks_of_the_package_manager_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    install: dict[Manager, str] = {"apt": "wings", "dnf": "libwings", "brew": "wing"}
    assert advice(install, "grow some") == "grow some"
    fake.script(tmp_path / "pacman", "#!/bin/sh\n")
    assert advice(install, "grow some") == "grow some", "it has no name for pacman"
    fake.script(tmp_path / "brew", "#!/bin/sh\n")
    assert advice(install, "grow some") == "brew install wing"
    fake.script(tmp_path / "dnf", "#!/bin/sh\n")
    assert advice(install, "grow some").removeprefix("sudo ") == "dnf install libwings"


def test_packages_without_apt_are_a_gap(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake.add_tool(tmp_path / "tools", "one")
    fake.add_runtime(root / "one", "alpha", '[environment]\npackages = ["onetool"]\n')
    (tmp_path / "tools/apt-get").unlink()
    links = tmp_path / "links"
    links.mkdir()
    for name in ("sh", "cat", "grep", "dpkg-deb", "flock"):
        (links / name).symlink_to(shutil.which(name) or "")
    monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}{os.pathsep}{links}")
    found = made(root, "alpha")["alpha"]
    assert isinstance(found, Missing)
    assert (found.broken, found.reason) == (
        False,
        "needs Debian's onetool, and there is no apt-get here",
    )


@pytest.mark.network
def test_the_real_archive_needs_no_root() -> None:
    """As the user nobody where we are root; the system's own lists are neither needed nor
    changed.
    """
    if shutil.which("apt-get") is None:
        pytest.skip("NOT PROVED HERE: no apt-get")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "folder"
        folder.mkdir()
        commands = steps.commands(Path(name), ["hello"], folder)
        if os.geteuid() == 0:
            for place in (Path(name), *Path(name).rglob("*")):
                os.chown(place, 65534, 65534)
            commands = [
                ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
                for command in commands
            ]
        for command in commands:
            done = subprocess.run(command, cwd=name, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done
        said = subprocess.run(
            [folder / "usr/bin/hello"], capture_output=True, text=True, check=True
        ).stdout
        assert said == "Hello, world!\n"
        assert [package.split()[0] for package in steps.had(folder)] == ["hello"]


def unpacked(tmp_path: Path, content: str) -> subprocess.CompletedProcess[str]:
    """A package that was fetched, with this content."""
    archives, folder = tmp_path / "folder/.archives", tmp_path / "folder"
    shutil.rmtree(folder, ignore_errors=True)
    archives.mkdir(parents=True)
    (archives / PACKAGE).write_text(content)
    fake.script(tmp_path / "bin/dpkg-deb", "#!/bin/sh\n")
    fetched = str(tmp_path / "fetched")
    words = ["sh", "-ec", steps._UNPACK, "sh", str(archives), str(folder), "had", fetched]
    env = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    return subprocess.run(words, env=env, capture_output=True, text=True, check=False)


def test_a_package_that_is_another_file_than_before_is_refused(tmp_path: Path) -> None:
    """Of the same name and version: a mirror, or somebody on the way, has changed it."""
    assert [unpacked(tmp_path, "one").returncode, unpacked(tmp_path, "one").returncode] == [0, 0]
    assert len((tmp_path / "fetched").read_text().splitlines()) == 1
    refused = unpacked(tmp_path, "another")
    assert refused.returncode == 1
    assert f"{PACKAGE} is another file than the one of this name" in refused.stderr


def test_a_package_that_two_tools_fetch_at_once_is_not_refused(tmp_path: Path) -> None:
    """The other one would add it to the record just after this one has not found it there, if it
    could.
    """
    line = f"{hashlib.sha256(b'one').hexdigest()}  {PACKAGE}"
    fetched, grep = tmp_path / "fetched", shutil.which("grep")
    add = f"flock --nonblock {fetched} sh -c 'echo \"{line}\" >> {fetched}'"
    fake.script(tmp_path / "bin/grep", f'#!/bin/sh\n{grep} "$@"\nfound=$?\n{add}\nexit $found\n')
    done = unpacked(tmp_path, "one")
    assert (done.returncode, done.stderr) == (0, "")
    assert fetched.read_text() == f"{line}\n"


HEAD = "Iface\tDestination\tGateway\n"


@pytest.mark.parametrize(
    ("four", "six", "leaves"),
    [
        (HEAD + "eth0\t00000000\t0101A8C0\n", "", True),
        (HEAD, "fe80 40 :: 00 eth0\n", True),
        (HEAD, "::1 80 :: 00       lo\n", False),
        (HEAD, "", False),
    ],
)
def test_a_route_leaves_the_machine_or_none(
    tmp_path: Path, four: str, six: str, leaves: bool
) -> None:
    (tmp_path / "net").mkdir()
    (tmp_path / "net/route").write_text(four)
    if six:
        (tmp_path / "net/ipv6_route").write_text(six)
    assert has_route(tmp_path) is leaves
    alike = {"HOSTNAME": "box", "SSL_CERT_FILE": "/etc/ssl/cert.pem", "no_proxy": "localhost"}
    assert is_cut_off(alike, tmp_path) is not leaves
    for reached in ("HTTPS_PROXY", "https_proxy", "PIP_INDEX_URL", "GOPROXY"):
        assert not is_cut_off({reached: "http://127.0.0.1:8080"}, tmp_path)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("E: Unable to locate package libnowhere-dev", "libnowhere-dev"),
        ("E: Package 'libnowhere' has no installation candidate", "libnowhere"),
        ("E: Couldn't find any package by glob 'libno1.8[13]-dev'", "libno1.8[13]-dev"),
    ],
)
def test_a_package_that_the_distribution_lacks_is_a_gap_and_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, name: str
) -> None:
    monkeypatch.setattr(steps, "PAUSES_S", (0.0, 0.0))

    def make(first: str) -> None:
        script = f'echo "{first}"; echo "{said}"; exit 100'
        steps.make(
            steps.Step(
                folder=tmp_path / "made",
                commands=[["sh", "-c", script]],
                cwd=tmp_path,
                env={"PATH": os.defpath},
                log=tmp_path / "log",
            ),
            lambda _text: None,
        )

    with pytest.raises(steps.Unavailable, match=re.escape(f"has no package {name}")):
        make("Reading package lists...")
    # where the lists could not be fetched nobody knows
    with pytest.raises(steps.StepFailed) as failed:
        make("W: Failed to fetch http://deb.example/dists/stable/InRelease")
    assert not isinstance(failed.value, steps.Unavailable)
