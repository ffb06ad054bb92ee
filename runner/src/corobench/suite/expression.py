"""The arithmetic in which specs state evidence (`== n * (n - 1) // 2`), metrics
(`quantile(lateness, 0.99)`) and conditions.

Numbers, parameters, what a program counted, and functions of its series of samples; nothing else
can be written in it.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from functools import lru_cache
from typing import Any, Protocol

Number = int | float
Names = Mapping[str, Number | str]


# A run brings its own expressions, and may come from anybody. The longest of ours has 130 letters
# and is 11 deep.
MOST_LETTERS = 500
DEEPEST = 40
LARGEST = 1e30  # no count, time or size comes near

FEWEST_BEYOND = 5  # samples: of fewer beyond it a percentile says what those happened to be


class NoValue(ArithmeticError):
    """An expression has no value here: too few samples for a percentile."""


class Samples(Protocol):
    """A series of samples, as an expression asks it (corobench.results.histogram): seconds."""

    @property
    def count(self) -> int: ...
    def quantile(self, share: float) -> float: ...
    def mean(self) -> float: ...
    def largest(self) -> float: ...
    def total(self) -> float: ...


Made = Callable[[Names, Mapping[str, Samples]], Any]


class _Every(Container[str]):
    """Where nobody has said yet which names there are."""

    def __contains__(self, _name: object) -> bool:
        return True


_EVERY = _Every()

_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.LtE: operator.le,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.Gt: operator.gt,
}
_CHECK: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "<=": operator.le,
    ">=": operator.ge,
}
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_OF_NUMBERS: dict[str, Callable[..., Number]] = {"abs": abs, "min": min, "max": max}
_ARGUMENTS = {"abs": range(1, 2), "min": range(2, 100), "max": range(2, 100)}


def _percentile(samples: Samples, share: float) -> float:
    beyond = round(samples.count * (1 - share), 6)
    if beyond < FEWEST_BEYOND:
        raise NoValue(
            f"{beyond:g} samples lie beyond the share {share:g}, fewer than {FEWEST_BEYOND}"
        )
    return samples.quantile(share)


_OF_SAMPLES: dict[str, Callable[..., Number]] = {
    "percentile": _percentile,
    "quantile": lambda samples, share: samples.quantile(share),
    "mean": lambda samples: samples.mean(),
    "largest": lambda samples: samples.largest(),
    "total": lambda samples: samples.total(),
    "count": lambda samples: samples.count,
}
# how many arguments: a share, or none
_BESIDE_SERIES = {name: int(name in ("quantile", "percentile")) for name in _OF_SAMPLES}


def evaluate(text: str, names: Names, samples: Mapping[str, Samples] | None = None) -> Any:
    """The value of an expression. ValueError for what the arithmetic doesn't have (calculating with
    words is among it); ZeroDivisionError and OverflowError as they are.

    NoValue where it asks for a percentile beyond which fewer than five samples lie.
    """
    made = _made(text)
    try:
        return made(names, samples or {})
    except KeyError as error:
        raise ValueError(f"{text!r}: {error.args[0]!r} is not allowed here") from error
    except TypeError as error:
        raise ValueError(f"{text!r}: {error}") from error


def holds(check: str, actual: object, names: Names) -> bool:
    """Whether `actual` satisfies a check such as `<= k * m`."""
    compare, text = _split(check)
    expected = evaluate(text, names)
    if isinstance(actual, bool) or type(actual) is not type(expected):
        return False
    return _CHECK[compare](actual, expected)


def expected(check: str, names: Names) -> str:
    """A check with its value, for messages: `== 499500`."""
    compare, text = _split(check)
    return f"{compare} {evaluate(text, names)}"


def names_of_check(check: str) -> tuple[str, ...]:
    """The names that a check uses, each once."""
    return names_of(_split(check)[1])


def check_syntax(check: str, names: Collection[str]) -> None:
    """ValueError where a check can't be evaluated for parameters of these names."""
    _, text = _split(check)
    check_names(text, names)


def check_names(text: str, names: Collection[str], samples: Collection[str] = ()) -> None:
    """ValueError where an expression can't be evaluated: another name than these, or what the
    arithmetic doesn't have.
    """
    known = {*names, *samples, *_OF_NUMBERS, *_OF_SAMPLES}
    for name in names_of(text):
        if name not in known:
            raise ValueError(
                f"unknown name {name!r} in {text!r}; known: {', '.join([*names, *samples])}"
            )
    _part(_parse(text), text, names, samples)


@lru_cache(maxsize=1024)
def names_of(text: str) -> tuple[str, ...]:
    """The names that an expression uses, each once."""
    return tuple(
        dict.fromkeys(node.id for node in ast.walk(_parse(text)) if isinstance(node, ast.Name))
    )


def counted(text: str) -> list[str]:
    """The series of which an expression counts the samples, each once."""
    found: list[str] = []
    for node in ast.walk(_parse(text)):
        match node:
            case ast.Call(func=ast.Name(id="count"), args=[ast.Name(id=series)]):
                found.append(series)
    return list(dict.fromkeys(found))


@lru_cache(maxsize=1024)
def _parse(text: str) -> ast.expr:
    if len(text) > MOST_LETTERS:
        raise ValueError(
            f"{text[:40]!r}...: {len(text)} letters, and an expression has {MOST_LETTERS} at most"
        )
    try:
        found = ast.parse(text, mode="eval").body
    except (SyntaxError, MemoryError, RecursionError, ValueError) as error:
        raise ValueError(f"{text!r} is not an expression") from error
    if _depth(found) > DEEPEST:
        raise ValueError(f"{text[:40]!r}...: nested more than {DEEPEST} deep")
    return found


def _depth(node: ast.AST) -> int:
    deep, level = 0, [node]
    while level:
        deep += 1
        level = [child for parent in level for child in ast.iter_child_nodes(parent)]
    return deep


def _split(check: str) -> tuple[str, str]:
    compare, _, text = check.partition(" ")
    if compare not in _CHECK:
        raise ValueError(f"{check!r} must start with one of {', '.join(_CHECK)} and a space")
    return compare, text


@lru_cache(maxsize=1024)
def _made(text: str) -> Made:
    """What an expression does with names and samples. Made once: a run has thousands of invocations
    for each.
    """
    return _part(_parse(text), text)


def _part(
    node: ast.expr, text: str, names: Container[str] = _EVERY, series: Container[str] = _EVERY
) -> Made:
    """ValueError for what the arithmetic doesn't have, and for other names and series than these,
    where these are known.
    """

    def made(*parts: ast.expr) -> list[Made]:
        return [_part(part, text, names, series) for part in parts]

    function: Callable[..., Any]
    called = _called
    match node:
        case ast.Constant(value=int() | float() | str() as found):
            return lambda _names, _samples: found
        case ast.Name(id=name) if name in names:
            return lambda names, _samples: names[name]
        case ast.BoolOp(op=joined, values=parts):
            return _decided(all if isinstance(joined, ast.And) else any, made(*parts))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            called, function, arguments = _calculated, operator.neg, made(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            called, function, arguments = _calculated, _BINARY[type(op)], made(left, right)
        case ast.Compare(left=left, ops=[compare], comparators=[right]) if (
            type(compare) in _COMPARE
        ):
            function, arguments = int, [_called(_COMPARE[type(compare)], made(left, right))]
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]) if (
            name in _OF_NUMBERS and len(parts) in _ARGUMENTS[name]
        ):
            called, function, arguments = _calculated, _OF_NUMBERS[name], made(*parts)
        case ast.Call(func=ast.Name(id=name), args=[ast.Name(id=of), *parts], keywords=[]) if (
            len(parts) == _BESIDE_SERIES.get(name) and of in series
        ):
            function, arguments = (
                _OF_SAMPLES[name],
                [lambda _names, samples: samples[of], *made(*parts)],
            )
        case _:
            raise ValueError(f"{text!r}: {ast.unparse(node)!r} is not allowed here")
    return called(function, arguments)


def _decided(how: Callable[[Iterable[Any]], bool], parts: list[Made]) -> Made:
    return lambda names, samples: int(how(part(names, samples) for part in parts))


def _called(function: Callable[..., Any], arguments: list[Made]) -> Made:
    return lambda names, samples: function(*[argument(names, samples) for argument in arguments])


def _calculated(function: Callable[..., Any], arguments: list[Made]) -> Made:
    """Of numbers alone: words can be compared, but not repeated, joined or formatted."""

    def made(names: Names, samples: Mapping[str, Samples]) -> Number:
        values = [argument(names, samples) for argument in arguments]
        if words := [value for value in values if isinstance(value, str)]:
            raise TypeError(f"{words[0][:40]!r} is a word, which nothing can be calculated with")
        found: Number = function(*values)
        if abs(found) > LARGEST:
            raise OverflowError(f"a value is beyond {LARGEST:g}")
        return found

    return made
