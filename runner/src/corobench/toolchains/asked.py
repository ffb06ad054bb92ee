"""Which tools are looked for: each language's, the versions of it that runtimes pin, and the helpers that are no language."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from corobench.model import Runtime, Suite
from corobench.toolchains.install import advice
from corobench.toolchains.places import folders
from corobench.toolchains.versions import version_key
from corobench.toolspec import Find, Helper, Provision, Toolchain


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that is looked for.

    `name` is the language's (`go`), the pinned one's (`go-1.24`, `python-3.13-free-threaded`) or the helper's (`hyperfine`);
    `family` is the language or the helper. `file` says all this; `folder` is what its relative names start from. `builders` are
    the languages' tools by which the ways of `provision` build it.
    """

    name: str
    family: str
    title: str
    version: str
    pinned: bool
    help: str
    find: Find
    provision: list[Provision]
    root: Path
    file: Path
    folder: Path
    builders: dict[str, Asked] = {}

    @property
    def variable(self) -> str:
        """The environment variable that names the tool."""
        return f"COROBENCH_TOOL_{re.sub('[^A-Z0-9]', '_', self.name.upper())}"

    @property
    def places(self) -> dict[str, str]:
        """The placeholders that need no tool."""
        return folders(self.folder, self.root)

    def fits(self, version: str) -> bool:
        """Whether a version is the pinned one (3.10 is any 3.10.x), or at least the minimum."""
        if self.pinned:
            return version == self.version or version.startswith(f"{self.version}.")
        return version_key(version) >= version_key(self.version)

    def unfit(self, version: str) -> str:
        """Why a version doesn't fit."""
        return f"{self.title} {version} is {'not' if self.pinned else 'older than'} {self.version}"


def of_language(suite: Suite, name: str) -> Asked:
    """A language's tool."""
    toolchain = suite.toolchains[name]
    return _asked(suite, toolchain, name, toolchain.folder / "toolchain.toml", toolchain.folder)


def of_runtime(suite: Suite, runtime: Runtime) -> Asked:
    """The tool that a runtime is made with: its language's, or the version that its manifest pins."""
    toolchain, pin = runtime.toolchain, runtime.manifest.toolchain
    general = of_language(suite, toolchain.language)
    if pin is None:
        return general
    return msgspec.structs.replace(
        general,
        name="-".join(filter(None, [toolchain.language, pin.version, pin.build])),
        title=f"{pin.build} {general.title}".strip(),
        version=pin.version,
        pinned=True,
        help=pin.help,
        find=pin.find or general.find,
        provision=pin.provision,
        file=runtime.folder / "runtime.toml",
        builders=_builders(suite, pin.provision),
    )


def of_helper(suite: Suite, name: str) -> Asked:
    """A tool that is no language."""
    file = suite.root / f"runner/tools/{name}.toml"
    return _asked(suite, suite.helpers[name], name, file, file.parent)


def general(suite: Suite) -> list[Asked]:
    """The tools of all languages, and the helpers. What runtimes pin is looked for when they are made."""
    return [*(of_language(suite, name) for name in suite.toolchains), *(of_helper(suite, name) for name in suite.helpers)]


def _asked(suite: Suite, spec: Helper | Toolchain, name: str, file: Path, folder: Path) -> Asked:
    return Asked(
        name=name,
        family=name,
        title=spec.title,
        version=spec.minimum,
        pinned=False,
        help=advice(spec.install, spec.help),
        find=spec.find,
        provision=spec.provision,
        root=suite.root,
        file=file,
        folder=folder,
        builders=_builders(suite, spec.provision),
    )


def _builders(suite: Suite, ways: list[Provision]) -> dict[str, Asked]:
    return {way.language: of_language(suite, way.language) for way in ways if way.language in suite.toolchains}
