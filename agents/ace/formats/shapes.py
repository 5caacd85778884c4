"""Checks for JSON of unknown shape: whether it is JSON, and whether each value has the right type.

Every error names the place in the file and the cure.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any, NoReturn, cast

from agents.errors import PlaybookFormatError

_NAMES: dict[type[object], str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}


def refuse(where: str, what: str) -> NoReturn:
    """Raises the error for a place in a file.

    Args:
        where: The place, e.g. "bullets[3].content".
        what: The error and the cure, without the full stop at the end.

    Raises:
        PlaybookFormatError: Always.
    """
    raise PlaybookFormatError(f"{where}: {what}.")


def expect(value: Any, wanted: type, where: str) -> Any:
    """`value`, if it is of that type.

    A whole number is accepted for a number and returned as float; true, false and numbers out of range are not.

    Raises:
        PlaybookFormatError: It is something else.
    """
    found = cast("type[object]", type(value))
    if wanted is float and found in {int, float}:
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
        refuse(where, "this number is too large. Correct it")
    if found is not wanted:
        refuse(where, f"{_NAMES[wanted]} belongs here, not {_NAMES.get(found, 'nothing')}. Correct it")
    return value


def quoted(text: str) -> str:
    """`text` for a message, cut where it is long."""
    return repr(text if len(text) <= 60 else text[:59] + "…")  # noqa: PLR2004  about a line of a message


def first_twice(names: Iterable[str]) -> str:
    """The first of `names` that occurs twice; one must."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    raise AssertionError("every name is there once")


def load_json(text: str, *, strict: bool = True) -> Any:
    """The value of a JSON text.

    Args:
        text: The text.
        strict: Whether to refuse a name that occurs twice in one object, which is slower; otherwise the last one counts.

    Raises:
        PlaybookFormatError: It is not JSON, has a number that is no JSON, or is nested too deeply.
    """
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_object if strict else None)
    except json.JSONDecodeError as error:
        refuse(
            f"Line {error.lineno}, column {error.colno}",
            f"this is not JSON ({error.msg}). Correct it there, or export the file anew",
        )
    except (ValueError, RecursionError):
        refuse("The file", "a number in it has too many digits, or its values are nested too deeply. Correct it")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = first_twice(name for name, _ in pairs)
        refuse(quoted(twice), "this name is there twice in one object. Give one of the two another, or take it out")
    return made


def _no_constant(name: str) -> NoReturn:
    refuse(name, "this is no JSON number. Write a number")
