"""The arithmetic in which specs state evidence: a comparison over the parameters, `== n * (n - 1) // 2`."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "<=": operator.le,
    ">=": operator.ge,
}
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
Names = Mapping[str, int | str]


def evaluate(text: str, names: Names) -> int | str:
    """The value of an expression of integers, strings, names, + - * // % and ==. ValueError for anything else."""
    value: int | str = _value(_parse(text).body, text, names)
    return value


def holds(check: str, actual: object, names: Names) -> bool:
    """Whether `actual` satisfies a check such as `<= k * m`."""
    compare, text = _split(check)
    expected = evaluate(text, names)
    if isinstance(actual, bool) or type(actual) is not type(expected):
        return False
    return _COMPARE[compare](actual, expected)


def expected(check: str, names: Names) -> str:
    """A check with its value, for messages: `== 499500`."""
    compare, text = _split(check)
    return f"{compare} {evaluate(text, names)}"


def check_syntax(check: str, names: set[str]) -> None:
    """ValueError where a check can't be evaluated for parameters of these names."""
    _, text = _split(check)
    for node in ast.walk(_parse(text)):
        if isinstance(node, ast.Name) and node.id not in names:
            raise ValueError(f"unknown name {node.id!r} in {check!r}; the parameters are {', '.join(sorted(names))}")


def _parse(text: str) -> ast.Expression:
    try:
        return ast.parse(text, mode="eval")
    except SyntaxError as error:
        raise ValueError(f"{text!r} is not an expression") from error


def _split(check: str) -> tuple[str, str]:
    compare, _, text = check.partition(" ")
    if compare not in _COMPARE:
        raise ValueError(f"{check!r} must start with one of {', '.join(_COMPARE)} and a space")
    return compare, text


def _value(node: ast.expr, text: str, names: Names) -> Any:
    match node:
        case ast.Constant(value=int() | str() as value):
            return value
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left, text, names), _value(right, text, names))
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return int(_value(left, text, names) == _value(right, text, names))
        case _:
            raise ValueError(f"{text!r}: {ast.unparse(node)!r} is not allowed here")
