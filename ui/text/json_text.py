"""JSON that a user types: read strictly, so that whatever is accepted can be stored and read again."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, NoReturn, cast

from agents import StateInputError

MAX_BYTES = 100_000
"""Longest text."""
MAX_DEPTH = 100
"""Most lists and objects inside one another."""


def read_json(text: str, *, what: str = "This", cure: str = 'Text is written in quotes: "like this".') -> Any:
    """The value of a JSON text.

    Args:
        text: The text.
        what: What to call it in a message, at the beginning of a sentence.
        cure: A sentence that says what to write.

    Raises:
        StateInputError: It is no JSON, or JSON that cannot be kept: with NaN, infinity, a key twice, half a character, more
            than `MAX_BYTES`, or deeper than `MAX_DEPTH`.
    """
    try:
        if len(text.encode(errors="replace")) > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES // 1000} kB")  # noqa: TRY301  one place says what it is called
        value = json.loads(text, parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_once)
        _check(value)
    except json.JSONDecodeError as error:
        why = f"line {error.lineno}, column {error.colno}: {error.msg}"
    except RecursionError:
        why = _TOO_DEEP
    except ValueError as error:
        why = str(error)
    else:
        return value
    raise StateInputError(f"{what} is not JSON: {why}. {cure}")


_TOO_DEEP = f"it is nested too deep, more than {MAX_DEPTH} levels"


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number in JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is too large for a number")
    return number


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        key = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise ValueError(f"the key {key[:40]!r} is there twice")
    return found


def _check(value: Any) -> None:
    """Raises `ValueError` for what is nested too deep, and for text with half a character."""
    level, depth = [value], 0
    while level:
        below: list[Any] = []
        depth += any(isinstance(item, dict | list) for item in level)
        if depth > MAX_DEPTH:
            raise ValueError(_TOO_DEEP)
        for item in level:
            if isinstance(item, dict):
                fields = cast("dict[str, Any]", item)
                below += [*fields, *fields.values()]
            elif isinstance(item, list):
                below += cast("list[Any]", item)
            elif isinstance(item, str) and any("\ud800" <= letter <= "\udfff" for letter in item):
                raise ValueError("it has half a character, which no text may have")
        level = below
