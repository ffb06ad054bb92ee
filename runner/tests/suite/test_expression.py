"""The arithmetic of specs: what can be written in it, what it gives, and that the rest is refused
when it is read.
"""

from __future__ import annotations

import pytest

from corobench.suite import expression


@pytest.mark.parametrize(
    ("check", "actual", "holds"),
    [
        ("== n", 5, True),
        ("== n", 4, False),
        ("== n * (n - 1) // 2", 10, True),
        ("<= n", 5, True),
        (">= n", 4, False),
        ("== n", "5", False),
        ("== n", True, False),
        ("== (mode == 'bare')", 1, True),
    ],
)
def test_holds(check: str, actual: object, holds: bool) -> None:
    assert expression.holds(check, actual, {"n": 5, "mode": "bare"}) is holds


@pytest.mark.parametrize(
    "check", ["n", "= n", "== __import__('os')", "== n.real", "== [n]", "== unknown"]
)
def test_refuses(check: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  the message names the part
        expression.holds(check, 1, {"n": 5})


@pytest.mark.parametrize(
    "text",
    [
        *(
            "n ** 2",
            "n.real",
            "[n]",
            "n if n else 1",
            "not n",
            "lambda: n",
            "1 < n < 3",
            "n @ n",
            "f'{n}'",
            "n[0]",
            "late + 1",
        ),
        *(
            "quantile(late)",
            "mean(late, 0.5)",
            "quantile(n, 0.5)",
            "abs(n, n)",
            "min()",
            "max(n)",
            "abs(late)",
            "n(1)",
        ),
        *("min(n, key=n)", "n +", "", "None"),
    ],
)
def test_what_cannot_be_evaluated_is_refused_when_it_is_read(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not allowed here|is not an expression"):
        expression.check_names(text, ["n"], ["late"])


@pytest.mark.parametrize(
    "text", ["-n", "n == 1 and mean(late) > 0.5", "quantile(late, 0.99) / max(1, n)", "'a' == 'b'"]
)
def test_what_can_be_evaluated_is_not(text: str) -> None:
    expression.check_names(text, ["n"], ["late"])


def test_the_series_that_an_expression_counts_are_known() -> None:
    assert expression.counted("count(jobs) / elapsed + count(small) - count(jobs)") == [
        "jobs",
        "small",
    ]
    assert expression.counted("total(jobs) / elapsed") == []


@pytest.mark.parametrize(
    "text",
    [
        "'a' * 1000000000",
        "'' * n",
        "'%99999999d' % n",
        "word + word",
        "word * n",
        "-word",
        "min(word, n)",
        "word < n",
    ],
)
def test_nothing_is_calculated_with_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"is a word|not supported between"):
        expression.evaluate(text, {"n": 10**9, "word": "x"})


@pytest.mark.parametrize(
    "text",
    [
        "1" + " + n" * 200,
        "-" * 60 + "n",
        "(" * 240 + "n" + ")" * 240,
        "n" * 501,
        " " * 501 + "n",
        "\ud800",
        "n\0",
    ],
)
def test_an_expression_is_short_and_flat(text: str) -> None:
    """A run brings its own, and evaluating it must neither raise anything else nor take long."""
    with pytest.raises(ValueError, match=r"letters|deep|not an expression|is not allowed"):
        expression.evaluate(text, {"n": 1})


@pytest.mark.parametrize("text", ["n * n * n * n", "1e29 * n", "n * 1e300 * 1e300"])
def test_a_value_is_no_larger_than_any_quantity(text: str) -> None:
    with pytest.raises(OverflowError, match=r"beyond 1e\+30"):
        expression.evaluate(text, {"n": 10**9})
