"""Reads what an older version wrote: keys that have been renamed or removed since are dropped, at any depth."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

T = TypeVar("T", bound=msgspec.Struct)


def convert(data: Any, kind: type[T]) -> T:
    """`data` (plain JSON values) as a struct, without the keys that it has no field for. msgspec.ValidationError for the rest."""
    return msgspec.convert(known(data, kind), kind)


def known(data: Any, kind: type[msgspec.Struct]) -> Any:
    """`data` without the keys that a struct of this kind has no field for."""
    return _known(data, _type(kind))


@cache
def _type(kind: type[msgspec.Struct]) -> inspect.Type:
    return inspect.type_info(kind)


def _known(data: Any, kind: inspect.Type) -> Any:
    match kind:
        case inspect.StructType(fields=fields) if isinstance(data, dict):
            types = {field.encode_name: field.type for field in fields}
            return {key: _known(value, types[key]) for key, value in data.items() if key in types}
        case inspect.DictType(value_type=value_type) if isinstance(data, dict):
            return {key: _known(value, value_type) for key, value in data.items()}
        case inspect.ListType(item_type=item_type) if isinstance(data, list):
            return [_known(value, item_type) for value in data]
        case inspect.UnionType(types=types) if isinstance(data, dict | list):
            shaped = [one for one in types if isinstance(one, inspect.StructType | inspect.DictType | inspect.ListType)]
            return _known(data, shaped[0]) if len(shaped) == 1 else data
        case _:
            return data
