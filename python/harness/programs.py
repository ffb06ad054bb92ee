"""Programs as modules, for other programs that measure or change a part of them."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType


def load(folder: Path, workload: str) -> ModuleType:
    """A program by its path: a name such as `http` would hide a standard module."""
    spec = spec_from_file_location(f"program_{workload}", folder / f"{workload}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
