"""Settings of a spec written as grids: a parameter that is a list stands for each of its values."""

from __future__ import annotations

from itertools import product
from typing import Any

from corobench.errors import UserError


def spread(settings: list[Any]) -> list[Any]:
    """Points or verify settings as read, each list among their parameters multiplied out; the last list varies fastest."""
    return [single for number, setting in enumerate(settings, 1) for single in _singles(setting, number)]


def _singles(setting: Any, number: int) -> list[Any]:
    params = setting.get("params") if isinstance(setting, dict) else None
    if not isinstance(params, dict):
        return [setting]  # the reader of types says what is wrong with it
    for name, value in params.items():
        if value == []:
            raise UserError(f"{number}: params.{name}: an empty list stands for no value; give one or more, or a single one")
    values = [value if isinstance(value, list) else [value] for value in params.values()]
    return [{**setting, "params": dict(zip(params, chosen, strict=True))} for chosen in product(*values)]
