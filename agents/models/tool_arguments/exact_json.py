"""JSON values that mean one thing: no key with two values, and no number that loses digits.

`read_message` reads what a server sent, in which only the arguments of tool calls must be such values: they are `checked`.
"""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any, cast

DEEPEST = 50
"""How deeply a value may be nested."""

_EXACT = 2.0**53
"""From here on a float does not hold every whole number."""


class UnreadableJsonError(ValueError):
    """A text is no JSON, or could mean several values.

    Attributes:
        is_cut: Whether the text ends too early.
    """

    def __init__(self, why: str, *, is_cut: bool = False) -> None:
        super().__init__(why)
        self.is_cut = is_cut


class TooDeepError(UnreadableJsonError):
    """A value is nested too deeply to be meant."""

    def __init__(self) -> None:
        super().__init__("it is nested too deeply")


def read_message(data: bytes) -> Any:
    """The JSON of a server's message. Whether an object in it could mean several values shows when it is `checked`.

    Raises:
        ValueError: It is no JSON.
        RecursionError: It is nested too deeply.
    """
    return _LATE.decode(data.decode("utf-8-sig"))


class _Doubled(dict[str, Any]):
    """An object with two different values for one key; `why` says so."""

    why = ""


class _Rounded(float):
    """A number that lost digits; `why` says so."""

    why = ""


def checked(value: Any, depth: int = 0) -> Any:
    """A value that JSON can hold: characters are whole, numbers finite.

    Raises:
        UnreadableJsonError: It has a number that JSON cannot hold, is nested too deeply to be meant, or comes of
            `read_message` and could mean several values.
    """
    if isinstance(value, _Doubled | _Rounded):
        raise UnreadableJsonError(value.why)
    if isinstance(value, str):
        return whole_characters(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise UnreadableJsonError(f"{value} is no number that JSON can hold")
    if depth > DEEPEST:
        raise TooDeepError
    if isinstance(value, dict):
        held = cast("dict[Any, Any]", value)
        return {whole_characters(str(key)): checked(item, depth + 1) for key, item in held.items()}
    if isinstance(value, list):
        return [checked(item, depth + 1) for item in cast("list[Any]", value)]
    return value


def whole_characters(text: str) -> str:
    """`text` with halves of characters joined or replaced: what is stored must be Unicode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of its members; one key with two different values is an error."""
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made and repr(made[key]) != repr(value):  # 1, 1.0 and true are equal in Python
            raise UnreadableJsonError(f"it gives {key[:80]!r} two different values")
        made[key] = value
    return made


def number(text: str) -> float:
    """A number with a fraction or an exponent; one that would lose digits is an error."""
    value = float(text)
    if not math.isfinite(value):
        raise UnreadableJsonError(f"the number {text[:80]} is too large")
    if abs(value) >= _EXACT and Decimal(repr(value)) != Decimal(text):
        raise UnreadableJsonError(f"the number {text[:80]} has more digits than a fraction keeps: leave out its point")
    return value


def _members_later(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        try:
            return members(pairs)
        except UnreadableJsonError as error:
            made = _Doubled(made)
            made.why = str(error)
    return made


def _float_later(text: str) -> float:
    try:
        return number(text)
    except UnreadableJsonError as error:
        value = _Rounded(text)
        value.why = str(error)
        return value


_LATE = json.JSONDecoder(object_pairs_hook=_members_later, parse_float=_float_later)
