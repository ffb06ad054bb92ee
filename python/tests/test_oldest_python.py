"""What Japronto's server imports of the harness: child_processes and interpreter run on CPython 3.7."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from processes import LANGUAGE

HARNESS = LANGUAGE / "harness"
FILES = [HARNESS / f"{name}.py" for name in ("child_processes", "interpreter")]
OLDEST = (3, 7)
# Generic since 3.9; before, they can't be subscripted when the module runs.
BUILTINS = {"dict", "frozenset", "list", "set", "tuple", "type"}


def interpreters() -> list[Path]:
    """Of 3.7 or newer, the oldest first; the one that runs the tests is among them."""
    named = [found for minor in range(OLDEST[1], sys.version_info.minor) if (found := shutil.which(f"python3.{minor}"))]
    own = Path.home().glob(".pyenv/versions/3.*/bin/python3")
    versions = {version_of(path): path for path in [*map(Path, named), *own, Path(sys.executable)]}
    return [versions[version] for version in sorted(versions) if version >= OLDEST]


def version_of(python: Path) -> tuple[int, ...]:
    """(0,) for one that doesn't start, such as a shim without a version behind it."""
    told = subprocess.run([python, "-I", "-S", "--version"], capture_output=True, text=True, check=False)
    match = re.match(r"Python (\d+)\.(\d+)\.(\d+)", told.stdout)
    return tuple(map(int, match.groups())) if match else (0,)


class Unannotated(ast.NodeTransformer):
    """Leaves out annotations where a module asks that they stay unevaluated."""

    def visit_Module(self, node: ast.Module) -> ast.AST:
        future = [one for one in node.body if isinstance(one, ast.ImportFrom) and one.module == "__future__"]
        lazy = any(name.name == "annotations" for one in future for name in one.names)
        return self.generic_visit(node) if lazy else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_its_syntax_is_that_of_the_oldest_python(file: Path) -> None:
    ast.parse(file.read_text(), feature_version=OLDEST)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_nothing_is_subscripted_or_joined_that_the_oldest_python_evaluates(file: Path) -> None:
    tree = Unannotated().visit(ast.parse(file.read_text()))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    generic = BUILTINS | {name.asname or name.name for node in imports if node.module == "collections.abc" for name in node.names}
    nodes = list(ast.walk(tree))
    assert not [node for node in nodes if isinstance(node, ast.Subscript) and getattr(node.value, "id", None) in generic]
    assert not [node for node in nodes if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)]


def test_the_oldest_interpreter_here_runs_them() -> None:
    """A child of its own is ended by it, and adopted processes with it."""
    script = f"""
import os, subprocess, sys
sys.path.insert(0, {str(HARNESS)!r})
import child_processes, interpreter
assert interpreter.has_gil() and interpreter.facts()["optimize"] == 0
child_processes.adopt_orphans()
child = subprocess.Popen(["sleep", "60"])
child_processes.end_children()
print(os.path.exists("/proc/%d" % child.pid))
"""
    oldest = interpreters()[0]
    done = subprocess.run([oldest, "-I", "-c", script], capture_output=True, text=True, check=False, timeout=30)
    assert (done.returncode, done.stdout) == (0, "False\n"), f"{oldest}: {done.stderr}"
